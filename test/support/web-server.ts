import { serverUrl, withoutFront, type OpenServer } from '../../src/hosting/web-server.ts'
import { markFromFront } from '../../src/front/cache-fields.ts'
import type { SitesChange } from '../../src/front/protocol.ts'
import { clientAddress } from '../../src/front/client-address.ts'
import { listen } from '../../src/front/server.ts'

/** Opens a server without a front, so that the worker answers every request. */
export const openWebServer: OpenServer = async ({ host, port, proxies }, tools) => {
  const server = await listen(host, port, tools)
  let sitesChanged: ((change: SitesChange) => void) | undefined
  let isStopping = false
  return {
    ...server,
    url: serverUrl(host, server.port),
    ...withoutFront,
    share: undefined,
    onReload: () => undefined,
    onSitesChange(listener) {
      sitesChanged = listener
    },
    changeSites: (text) => sitesChanged?.({ text, share: undefined }),
    isStopping: () => isStopping,
    drain() {
      isStopping = true
    },
    answer: (listener) =>
      server.answer((request, response) => {
        // Tells keep-alive clients that the connection will close.
        if (isStopping) response.shouldKeepAlive = false
        const client = clientAddress(request, proxies)
        if (server.inFlight.admit(request, response, client)) listener(request, response)
      }),
  }
}

/** The same, but every request looks as if a front had sent it, so responses have its fields. */
export const openWebServerForFront: OpenServer = async (...options) => {
  const server = await openWebServer(...options)
  return {
    ...server,
    answer: (listener) =>
      server.answer((request, response) => {
        markFromFront(request)
        listener(request, response)
      }),
  }
}

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000
const keepAliveMs = 65_000
const closeGraceMs = 500

export type HttpServer = AsyncDisposable & {
  readonly port: number
  readonly answer: (listener: RequestListener) => void
}

/** Listens before there is anything to answer: the port, when any will do, is part of the answers. */
export async function listen(host: string, port: number): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, host, listening.resolve)
  await listening.promise
  server.off('error', listening.reject)
  return {
    port: (server.address() as AddressInfo).port,
    answer: (listener) => server.on('request', listener),
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), closeGraceMs)
      await closed.promise
      clearTimeout(cutOff)
    },
  }
}

import { Agent, request as sendRequest, type RequestListener, type ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { addressHeader, clientHeader } from './protocol.ts'

/** Headers for one connection only (RFC 9110 7.6.1), which Node sets for the other connection. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Forwards requests to the maker's Unix socket. */
export type Forwarding = {
  readonly listener: RequestListener
  readonly close: () => void
}

export function createForwarding(options: {
  readonly socketPath: string
  /** Receives what the URL of a request stands for. */
  readonly learned: (request: IncomingMessage, address: unknown) => void
  /** Sends an outdated response, or returns false if there is none. */
  readonly sendStale: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Responds if neither the maker nor an outdated response does. */
  readonly unanswered: RequestListener
}): Forwarding {
  const { socketPath, learned, sendStale, unanswered } = options
  const agent = new Agent({ keepAlive: true })

  function listener(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, socket } = request
    const headers = forwardedHeaders(request.rawHeaders, [clientHeader])
    headers.push(clientHeader, socket.remoteAddress ?? '')
    const forwarded = sendRequest({ socketPath, agent, method, path, headers, setHost: false })
    forwarded.on('response', (answer) => {
      if (answer.statusCode === 503 && sendStale(request, response)) return void answer.resume()
      const address = answer.headers[addressHeader]
      if (typeof address === 'string') learned(request, JSON.parse(address))
      const head = forwardedHeaders(answer.rawHeaders, [addressHeader])
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, head)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    forwarded.on('error', () => {
      if (response.headersSent) response.destroy()
      else if (!response.destroyed && !sendStale(request, response)) unanswered(request, response)
    })
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  }

  return { listener, close: () => agent.destroy() }
}

/** Returns alternating names and values without hop-by-hop headers and those in `own`. */
function forwardedHeaders(rawHeaders: readonly string[], own: readonly string[]): string[] {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    const lowerCase = name.toLowerCase()
    if (!hopByHop.has(lowerCase) && !own.includes(lowerCase)) headers.push(name, value)
  }
  return headers
}

import {
  Agent,
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { isStatus } from './health.ts'
import { addressHeader, clientHeader, repeatHeader } from './protocol.ts'

/** Headers for one connection only (RFC 9110 7.6.1), which Node sets for the other connection. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Headers that are forwarded even if `Connection` names them. Without its length, a body would be read as
 * another request; without the others, a client could hide its address or the site that it asks for.
 */
const neverHopByHop: ReadonlySet<string> = new Set(['content-length', 'host', 'x-forwarded-for'])

/** Sends an outdated response, or returns false if there is none. */
export type StaleSender = (request: IncomingMessage, response: ServerResponse) => boolean

/** A maker that takes longer is busy or hangs, so an outdated response is sent if there is one. */
export type StaleAfterMs = {
  /** For a response that has become outdated recently. */
  readonly recent: number
  /** For any response. */
  readonly any: number
  /** For a health check, which the front then answers. Kubernetes waits for one second by default. */
  readonly health: number
  /** For the status. */
  readonly status: number
}

/** Forwards requests to the maker's Unix socket. */
export type Forwarding = {
  readonly listener: RequestListener
  readonly close: () => void
}

export function createForwarding(options: {
  readonly socketPath: string
  readonly staleAfterMs: StaleAfterMs
  /** Called with the status of each response, and with what the URL stands for if the maker says so. */
  readonly received: (request: IncomingMessage, status: number, address: unknown) => void
  /** Sends a response that has become outdated recently. */
  readonly sendRecent: StaleSender
  /** Sends any outdated response. */
  readonly sendStale: StaleSender
  readonly sendHealth: StaleSender
  /** Responds if neither the maker nor an outdated response does. */
  readonly unanswered: RequestListener
  /** Handles requests that could not be sent to the maker, because it has exited. */
  readonly unreachable: RequestListener
}): Forwarding {
  const { socketPath, staleAfterMs, received, sendRecent, sendStale, unanswered } = options
  const { sendHealth, unreachable } = options
  const agent = new Agent({ keepAlive: true })

  function pass(
    request: IncomingMessage,
    answer: IncomingMessage,
    response: ServerResponse,
    isRepeated: boolean,
  ): void {
    const { statusCode: status = 502, statusMessage, rawHeaders, headers } = answer
    if (status === 503 && repeatHeader in headers && !isRepeated && hasNoBody(request)) {
      answer.resume()
      return forward(request, response, true)
    }
    const address = headers[addressHeader]
    const learned: unknown = typeof address === 'string' ? JSON.parse(address) : undefined
    received(request, status, learned)
    if (status === 503 && sendStale(request, response)) return void answer.resume()
    response.writeHead(status, statusMessage, endToEnd(rawHeaders, [addressHeader, repeatHeader]))
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  }

  /** Forwards a request, at most twice. */
  function forward(request: IncomingMessage, response: ServerResponse, isRepeated: boolean): void {
    const { method, url: path, socket } = request
    const client = [clientHeader, socket.remoteAddress ?? '']
    const headers = [
      ...endToEnd(request.rawHeaders, [clientHeader]),
      ...client,
      ...framing(request),
    ]
    const forwarded = sendRequest({ socketPath, agent, method, path, headers, setHost: false })
    let isStaleSent = false
    const sendAfter = (ms: number, sendInstead: StaleSender) =>
      setTimeout(() => {
        isStaleSent = sendInstead(request, response)
        if (isStaleSent) stopTimers()
      }, ms)
    const timers = [
      sendAfter(staleAfterMs.recent, sendRecent),
      sendAfter(isStatus(request) ? staleAfterMs.status : staleAfterMs.health, sendHealth),
      sendAfter(staleAfterMs.any, sendStale),
    ]
    const stopTimers = () => timers.forEach((timer) => clearTimeout(timer))
    forwarded.on('response', (answer) => {
      stopTimers()
      if (isStaleSent) answer.resume()
      else pass(request, answer, response, isRepeated)
    })
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      stopTimers()
      if (isStaleSent || response.destroyed) return
      if (response.headersSent) return void response.destroy()
      if (sendStale(request, response) || sendHealth(request, response)) return
      const isUnreachable = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
      const respond = isUnreachable && hasNoBody(request) ? unreachable : unanswered
      respond(request, response)
    })
    response.on('close', () => {
      stopTimers()
      forwarded.destroy()
    })
    if (isRepeated) forwarded.end()
    else request.pipe(forwarded)
  }

  return {
    listener: (request, response) => forward(request, response, false),
    close: () => agent.destroy(),
  }
}

/**
 * Returns the header that delimits a body of unknown length. Without it, Node would send the body of a
 * GET as it is, and the maker would read it as another request.
 */
function framing({ headers }: IncomingMessage): readonly string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
}

function hasNoBody({ method, headers }: IncomingMessage): boolean {
  const isSafe = method === 'GET' || method === 'HEAD'
  return isSafe && !('content-length' in headers) && !('transfer-encoding' in headers)
}

/**
 * Returns alternating names and values without the headers `except`, hop-by-hop headers, and headers that
 * `Connection` declares to be hop-by-hop.
 */
function endToEnd(rawHeaders: readonly string[], except: readonly string[]): string[] {
  const headers: (readonly [name: string, value: string])[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  }
  const declared = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((option) => option.trim())
  const dropped = new Set(declared.filter((name) => !neverHopByHop.has(name)))
  return headers.flatMap(([name, value]) => {
    const lowerCase = name.toLowerCase()
    const isKept =
      !hopByHop.has(lowerCase) && !dropped.has(lowerCase) && !except.includes(lowerCase)
    return isKept ? [name, value] : []
  })
}

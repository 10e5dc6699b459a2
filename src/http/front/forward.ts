import { Agent, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { cacheFieldNames } from './cache-fields.ts'
import { fieldsOf, isRepeated } from './cached-response.ts'
import { evaluate } from './conditional.ts'
import { clientHeader } from './protocol.ts'

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

/** Open requests to a worker; others wait. Feeds are small, and each takes milliseconds. */
const maxSockets = 128

export type WorkerConnection = ReturnType<typeof connectToWorker>

export function connectToWorker(socketPath: string) {
  const agent = new Agent({ keepAlive: true, maxSockets })

  function sendTo(method: string, path: string, headers: readonly string[]) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const options = { socketPath, agent, method, path, headers, setHost: false }
    const sent = sendRequest(options).on('response', resolve).on('error', reject)
    return { sent, received: promise }
  }

  /** Sends a GET request. Rejects if there is no response in time, or within `maxMs`. */
  function get(path: string, rawHeaders: readonly string[], maxMs: number | undefined) {
    const { sent, received } = sendTo('GET', path, rawHeaders)
    sent.end()
    const error = new Error('the worker did not respond in time')
    const timer = maxMs === undefined ? undefined : setTimeout(() => sent.destroy(error), maxMs)
    return received.finally(() => clearTimeout(timer))
  }

  function forward(request: IncomingMessage, response: ServerResponse): Promise<IncomingMessage> {
    const { method = 'GET', url = '', headers } = request
    // Without this header, Node would send the body of a GET as it is, and the worker would read it as
    // another request.
    const framing =
      headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
    const { sent, received } = sendTo(method, url, [...forwardedHeaders(request), ...framing])
    request.pipe(sent)
    response.once('close', () => sent.destroy())
    return received
  }

  return { get, forward, close: () => agent.destroy() }
}

/** Header fields that the front handles itself if it fills its cache. */
const conditions: ReadonlySet<string> = new Set([
  'if-none-match',
  'if-modified-since',
  'if-range',
  'range',
  'accept-encoding',
  'content-length',
])

/** Returns the headers of a request for the worker; `conditions` are left out if the front handles them. */
export function forwardedHeaders(
  { rawHeaders, socket }: Pick<IncomingMessage, 'rawHeaders' | 'socket'>,
  { isUnconditional = false } = {},
): readonly string[] {
  const client = [clientHeader, socket.remoteAddress ?? '']
  const isLeftOut = (name: string) =>
    name === clientHeader || (isUnconditional && conditions.has(name))
  return [...endToEnd(rawHeaders, isLeftOut), ...client]
}

/** Passes a response of the worker on, as 304 if the client has it and the front removed its conditions. */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  answer: IncomingMessage,
  { isConditional, now }: { readonly isConditional: boolean; readonly now: number },
): void {
  const { statusCode = 502, statusMessage, rawHeaders, headers } = answer
  const kept = endToEnd(rawHeaders, (name) => cacheFieldNames.has(name))
  const { etag, 'last-modified': lastModified = '' } = headers
  const etags = etag === undefined ? [] : [etag.replace(/^W\//, '')]
  const outcome =
    isConditional && statusCode === 200
      ? evaluate(request.headers, { etags, lastModified }, now)
      : undefined
  answer.on('error', () => response.destroy())
  response.once('close', () => answer.destroy())
  if (outcome?.status === 304) {
    answer.resume()
    const repeated = fieldsOf(kept).filter(([name]) => isRepeated(name))
    return void response.writeHead(304, repeated.flat()).end()
  }
  response.writeHead(statusCode, statusMessage, kept)
  if (request.method !== 'HEAD') return void answer.pipe(response)
  answer.resume()
  response.end()
}

/**
 * Returns alternating names and values, without hop-by-hop headers, headers that `Connection` declares to
 * be hop-by-hop, and headers for which `isLeftOut` returns true (it gets the name in lower case).
 */
function endToEnd(rawHeaders: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  const headers = fieldsOf(rawHeaders)
  const declared = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((option) => option.trim())
  const dropped = new Set(declared.filter((name) => !neverHopByHop.has(name)))
  return headers.flatMap(([name, value]) => {
    const lowerCase = name.toLowerCase()
    const isKept = !hopByHop.has(lowerCase) && !dropped.has(lowerCase) && !isLeftOut(lowerCase)
    return isKept ? [name, value] : []
  })
}

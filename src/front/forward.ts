import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { cacheFieldNames } from './cache-fields.ts'
import { fieldsOf, isRepeated } from './cached-response.ts'
import { evaluate } from './conditional.ts'
import { clientHeader, continueHeader, expectHeader, hostHeader } from './protocol.ts'

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
 * Headers that are forwarded even if `Connection` names them. Without its length, a body would be
 * read as another request; without the others, a client could hide its address or the requested
 * site.
 */
const neverHopByHop: ReadonlySet<string> = new Set(['content-length', 'host', 'x-forwarded-for'])

/** Headers that the front sets or handles itself. */
const own: ReadonlySet<string> = new Set([clientHeader, expectHeader, 'expect'])

/** Headers that the front also handles itself when it fills its cache. */
const conditions: ReadonlySet<string> = new Set([
  'if-none-match',
  'if-modified-since',
  'if-range',
  'range',
  'accept-encoding',
  'content-length',
])

/**
 * Returns the headers of a request for the worker, without `conditions` if the front handles them.
 * The front has read the body.
 */
export function forwardedHeaders(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>,
  { isUnconditional = false } = {},
): readonly string[] {
  const client = [clientHeader, request.socket.remoteAddress ?? '']
  const isLeftOut = (name: string) =>
    own.has(name) ||
    (name === 'content-length' && hasBody(request)) ||
    (isUnconditional && conditions.has(name))
  return [...endToEnd(request.rawHeaders, isLeftOut), ...client]
}

export function hasBody({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  const { 'content-length': length = '0' } = headers
  return Number(length) !== 0 || 'transfer-encoding' in headers
}

/** Returns headers that ask the worker whether to read a body, which is at least this long. */
export function headersToAsk(request: IncomingMessage, length: number): readonly string[] {
  // With an empty body, the worker treats the request as one that has a body.
  const asked = [expectHeader, String(length), 'Transfer-Encoding', 'chunked']
  return [...forwardedHeaders(request), ...asked]
}

/** Returns how many bytes of a body the front may read, or undefined if the response is final. */
export function readableBytes({ headers }: IncomingMessage): number | undefined {
  const value = headers[continueHeader]
  return value === undefined ? undefined : Number(value)
}

/** Forwards a response from the worker, or a 304 if the client already has the response. */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  answer: IncomingMessage,
  {
    conditionsAt,
    isToHost = false,
  }: {
    /** Time at which the front checks the conditional headers that it has removed. */
    readonly conditionsAt?: number | undefined
    /** True if the response goes to another host, whose cache needs the fields. */
    readonly isToHost?: boolean
  },
): void {
  const { statusCode = 502, statusMessage, rawHeaders, headers } = answer
  const kept = endToEnd(rawHeaders, (name) => !isToHost && isForFront(name))
  const { etag, 'last-modified': lastModified = '' } = headers
  const etags = () => (etag === undefined ? [] : [etag.replace(/^W\//, '')])
  const outcome =
    conditionsAt !== undefined && statusCode === 200
      ? evaluate(request.headers, { etags, lastModified }, conditionsAt)
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

function isForFront(name: string): boolean {
  return cacheFieldNames.has(name) || name === continueHeader || name === hostHeader
}

/** Returns the headers of a request from another host, whose front has set the client's address. */
export function headersFromHost(request: IncomingMessage): readonly string[] {
  const isLength = (name: string) => name === 'content-length' && hasBody(request)
  return endToEnd(request.rawHeaders, (name) => name === hostHeader || isLength(name))
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
  const kept: string[] = []
  for (const [name, value] of headers) {
    const lowerCase = name.toLowerCase()
    if (hopByHop.has(lowerCase) || dropped.has(lowerCase) || isLeftOut(lowerCase)) continue
    kept.push(name, value)
  }
  return kept
}

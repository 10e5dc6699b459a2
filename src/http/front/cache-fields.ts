import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { parsedJson } from '../../json.ts'

/**
 * Response header in which the worker tells the front what it may keep, as JSON in base64url. It is
 * only sent to the front, which removes it: another cache that read it would store private feeds.
 */
export const cacheHeader = 'feedhouse-cache'

/** A response with a longer header is not cached. */
const maxHeaderLength = 8_000

export type CacheFields = {
  /** Name of the site. All other names are per site. */
  readonly site: string
  /** What the body represents. URLs with the same representation share bodies and freshness. */
  readonly representation: string
  readonly tags: readonly string[]
  readonly maxAgeMs: number
  /** How long an outdated response may be sent while the worker is slow (RFC 5861 3). */
  readonly staleWhileRevalidateMs: number
  /** How long an outdated response may be sent while the worker does not respond (RFC 5861 4). */
  readonly staleIfErrorMs: number
  readonly use: string
  /** When the URL stops working, in milliseconds since the epoch. */
  readonly until?: number | undefined
  /** When the URL last got different content. Earlier `If-Modified-Since` dates are ignored. */
  readonly changedAt?: number | undefined
  /** Header field in which to send the time of each response (ISO 8601). */
  readonly timeField?: string | undefined
}

const requestsFromFront = new WeakSet<IncomingMessage>()

/** Marks a request as sent by the front, which reads and removes the header. */
export function markFromFront(request: IncomingMessage): void {
  requestsFromFront.add(request)
}

export function isFromFront(request: IncomingMessage): boolean {
  return requestsFromFront.has(request)
}

/** Returns true for a request that the front makes without a client, to refresh its cache. */
export function isRefetch(request: IncomingMessage): boolean {
  return isFromFront(request) && request.socket.remoteAddress === ''
}

export function setCacheFields(response: ServerResponse, fields: CacheFields): void {
  if (!isFromFront(response.req)) return
  const { maxAgeMs, until } = fields
  // JSON has no infinite numbers.
  const finite = {
    ...fields,
    maxAgeMs: Math.max(0, maxAgeMs),
    until: until === Infinity ? undefined : until,
  }
  response.setHeader(cacheHeader, Buffer.from(JSON.stringify(finite)).toString('base64url'))
}

/** Returns true if the front counts the uses of this response. */
export function isCountedByFront(response: ServerResponse): boolean {
  return response.hasHeader(cacheHeader)
}

/** Returns the fields of a worker's response, or undefined if there are none or they are too long. */
export function readCacheFields(headers: IncomingHttpHeaders): CacheFields | undefined {
  const text = headers[cacheHeader]
  if (typeof text !== 'string' || text.length > maxHeaderLength) return undefined
  return parsedJson(Buffer.from(text, 'base64url').toString()) as CacheFields | undefined
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { dayMs } from '../../clock.ts'
import { parsedJson } from '../../json.ts'

/*
 * A response header field in which the worker tells the front what it may keep, and tags for purges. The
 * front removes it from all responses, and it is only sent to the front: another cache that read it would
 * store private feeds.
 */
export const cacheField = 'feedhouse-cache'

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
  /**
   * Time at which the URL last got different content. Earlier `If-Modified-Since` dates are
   * ignored.
   */
  readonly changedAt?: number | undefined
  /** Header field in which to send the time of each response (ISO 8601). */
  readonly timeField?: string | undefined
  /** Value of `unknownParametersField`, which belongs to the URL and not to the representation. */
  readonly unknownParameters?: string | undefined
}

/** Lists the parameters of a URL that have no effect. */
export const unknownParametersField = 'Feedhouse-Unknown-Parameters'

/** Responses with more tags are not cached. */
const maxTags = 8

const maxLifetimeMs = 365 * dayMs

const requestsFromFront = new WeakSet<IncomingMessage>()

/** Marks a request as sent by the front, which reads and removes the fields. */
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
  const { maxAgeMs, staleWhileRevalidateMs, staleIfErrorMs, until = Infinity } = fields
  const sent: CacheFields = {
    ...fields,
    maxAgeMs: lifetime(maxAgeMs),
    staleWhileRevalidateMs: lifetime(staleWhileRevalidateMs),
    staleIfErrorMs: lifetime(staleIfErrorMs),
    until: Number.isFinite(until) ? until : undefined,
  }
  response.setHeader(cacheField, Buffer.from(JSON.stringify(sent)).toString('base64url'))
}

/** JSON has no infinite numbers. */
function lifetime(ms: number): number {
  return Math.max(0, Math.min(maxLifetimeMs, ms))
}

/** Returns true if the front counts the uses of this response. */
export function isCountedByFront(response: ServerResponse): boolean {
  return response.hasHeader(cacheField)
}

/** Returns the fields that a worker has set, even if it must not be cached. */
export function fieldsIn(headers: IncomingHttpHeaders): CacheFields | undefined {
  const sent = headers[cacheField]
  if (typeof sent !== 'string') return undefined
  return parsedJson(Buffer.from(sent, 'base64url').toString()) as CacheFields | undefined
}

/** Returns the fields of a response, or undefined if it must not be cached. */
export function readCacheFields(headers: IncomingHttpHeaders): CacheFields | undefined {
  const fields = fieldsIn(headers)
  if (!fields || fields.tags.length > maxTags) return undefined
  const unknownParameters = headers[unknownParametersField.toLowerCase()]
  return { ...fields, unknownParameters: unknownParameters?.toString() }
}

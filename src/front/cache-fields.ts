import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { UseLabel } from './protocol.ts'

/*
 * Response header fields in which the worker tells the front what it may keep: cache directives for a
 * target of our own (RFC 9213 2.2), and tags for purges. The front removes them from all responses, and
 * they are only sent to it: another cache that read them would store private feeds.
 */

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
  readonly hasReaders?: boolean | undefined
  /** When the URL stops working, in milliseconds since the epoch. */
  readonly until?: number | undefined
  /** When the URL last got different content. Earlier `If-Modified-Since` dates are ignored. */
  readonly changedAt?: number | undefined
  /** Header field in which to send the time of each response (ISO 8601). */
  readonly timeField?: string | undefined
  /** Value of `unknownParametersField`, which belongs to the URL and not to the representation. */
  readonly unknownParameters?: string | undefined
}

/** Lists the parameters of a URL that have no effect. */
export const unknownParametersField = 'Feedhouse-Unknown-Parameters'

/** Limits for the fields. Responses that exceed them are not cached. */
const maxTags = 8
const maxNameLength = 2_000

const maxSeconds = 31_536_000

const names = {
  site: 'feedhouse-site',
  directives: 'feedhouse-cache-control',
  representation: 'feedhouse-representation',
  tags: 'feedhouse-tags',
  use: 'feedhouse-use',
  url: 'feedhouse-url',
  time: 'feedhouse-time',
}

export const cacheFieldNames: ReadonlySet<string> = new Set(Object.values(names))

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
  const { maxAgeMs, staleWhileRevalidateMs, staleIfErrorMs, until, changedAt } = fields
  response.setHeader(names.site, encodeURIComponent(fields.site))
  response.setHeader(
    names.directives,
    `max-age=${seconds(maxAgeMs)}, stale-while-revalidate=${seconds(staleWhileRevalidateMs)}, stale-if-error=${seconds(staleIfErrorMs)}`,
  )
  const representation = encodeURIComponent(fields.representation)
  if (representation.length <= maxNameLength) {
    response.setHeader(names.representation, representation)
  }
  response.setHeader(names.tags, fields.tags.map(encodeURIComponent).join(', '))
  response.setHeader(names.use, encodeURIComponent(fields.use))
  if (fields.timeField !== undefined) response.setHeader(names.time, fields.timeField)
  const facts = [
    ...(until !== undefined && Number.isFinite(until) ? [`until=${until}`] : []),
    ...(changedAt === undefined ? [] : [`changed=${changedAt}`]),
    ...(fields.hasReaders ? ['readers=1'] : []),
  ]
  if (facts.length > 0) response.setHeader(names.url, facts.join(', '))
}

/** Returns the opaque use label of a response and its site, if it has one. */
export function useIn(
  headers: IncomingHttpHeaders,
  facts = numbersIn(headers[names.url]),
): UseLabel | undefined {
  const [site, use] = [decoded(headers[names.site]), decoded(headers[names.use])]
  if (site === undefined || use === undefined) return undefined
  return { site, use, ...(facts?.has('readers') && { hasReaders: true }) }
}

export function isCountedByFront(response: ServerResponse): boolean {
  return response.hasHeader(names.use)
}

/** Parses the fields of a response. Returns undefined if any is missing or malformed. */
export function readCacheFields(headers: IncomingHttpHeaders): CacheFields | undefined {
  const facts = numbersIn(headers[names.url] ?? '')
  const counted = useIn(headers, facts)
  const representation = decoded(headers[names.representation])
  const tags = readTags(headers[names.tags])
  const directives = numbersIn(headers[names.directives])
  const timeField = headers[names.time]
  const maxAge = directives?.get('max-age')
  const whileRevalidate = directives?.get('stale-while-revalidate') ?? 0
  const ifError = directives?.get('stale-if-error') ?? 0
  if (!counted || !representation || !tags) return undefined
  if (maxAge === undefined || !facts || !isFieldName(timeField)) return undefined
  if ([maxAge, whileRevalidate, ifError].some((value) => value > maxSeconds)) return undefined
  return {
    ...counted,
    representation,
    tags,
    maxAgeMs: maxAge * 1000,
    staleWhileRevalidateMs: whileRevalidate * 1000,
    staleIfErrorMs: ifError * 1000,
    until: facts.get('until'),
    changedAt: facts.get('changed'),
    timeField,
    unknownParameters: String(headers[unknownParametersField.toLowerCase()] ?? '') || undefined,
  }
}

/** Returns false for a name that cannot be sent (RFC 9110 5.1), or if there are several. */
function isFieldName(name: string | readonly string[] | undefined): name is string | undefined {
  return name === undefined || (typeof name === 'string' && /^[\w-]+$/.test(name))
}

function readTags(value: string | readonly string[] | undefined): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined
  if (value === '') return []
  const tags = value.split(',').map((tag) => decoded(tag.trim()))
  if (tags.length > maxTags) return undefined
  return tags.every((tag) => tag !== undefined && tag !== '') ? (tags as string[]) : undefined
}

/** Parses `a=1, b=2`. Returns undefined unless each value is a whole number. */
function numbersIn(
  value: string | readonly string[] | undefined,
): ReadonlyMap<string, number> | undefined {
  if (typeof value !== 'string') return undefined
  if (value === '') return new Map()
  const numbers = new Map<string, number>()
  for (const pair of value.split(',')) {
    const [, name, digits] = /^\s*([a-z-]+)=(\d{1,15})\s*$/.exec(pair) ?? []
    if (name === undefined) return undefined
    numbers.set(name, Number(digits))
  }
  return numbers
}

function decoded(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > maxNameLength) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** Rounds down, because a response must not be fresh for longer than it is valid. */
function seconds(ms: number): number {
  return Math.max(0, Math.min(maxSeconds, Math.floor(ms / 1000)))
}

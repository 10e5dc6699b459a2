import type { IncomingMessage } from 'node:http'
import { contentCodings, type ContentCoding, etagFor } from '../representations/encodings.ts'
import { cacheFieldNames, unknownParametersField, type CacheFields } from './cache-fields.ts'
import { lastModifiedAt } from './conditional.ts'

/** End of a period on both clocks. Whichever comes first applies, because either clock may jump. */
export type Deadline = { readonly at: number; readonly elapsed: number }

/** Returns the current time by both clocks, in milliseconds. */
export type Times = () => Deadline

export function deadlineAfter({ at, elapsed }: Deadline, ms: number): Deadline {
  return { at: at + ms, elapsed: elapsed + ms }
}

/** Returns the time until a deadline, which is negative after it. */
export function timeUntil(deadline: Deadline, now: Deadline): number {
  return Math.min(deadline.at - now.at, deadline.elapsed - now.elapsed)
}

/** A complete response in one encoding, ready to be sent. */
export type CachedResponse = {
  readonly etag: string
  readonly coding: ContentCoding
  readonly body: Buffer
  /** When the content last changed, as an HTTP date. */
  lastModified: string
  /** The heads that were sent last. */
  heads?: Heads
  /** Alternating names and values of a 200 response without its validators, sent unchanged. */
  readonly head: readonly string[]
  /** The same for a 304 response. */
  readonly notModifiedHead: readonly string[]
  /** Header field for the time at which each response is sent. */
  readonly timeField: string | undefined
  /** Returns the ETag of this response, and those of all other encodings that the client accepts. */
  readonly etagsFor: (accepted: readonly ContentCoding[]) => readonly string[]
  freshUntil: Deadline
  staleWhileRevalidateMs: number
  readonly staleIfErrorMs: number
}

/** Fields of responses to a URL, as alternating names and values. They start with the ETag. */
export type Heads = {
  readonly lastModified: string
  /** Of a 200 response. */
  readonly found: readonly string[]
  /** Of a 304 response to a client with the same encoding. */
  readonly notModified: readonly string[]
  /** Inputs that they were built from. They don't change after the second of the last change. */
  readonly from: {
    readonly fields: CacheFields
    readonly lastModified: string
    readonly at: number
  }
}

/** Header fields that are added when a response is sent. */
const validatorNames = new Set(['etag', 'last-modified'])

/**
 * Header fields that are not cached with a response. A 304 response does not repeat some of them (RFC
 * 9110 15.4.5). Node sets others. The rest are only for the front, or are stored with the URL.
 */
const perResponse = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'age',
  ...cacheFieldNames,
  unknownParametersField.toLowerCase(),
])

type ReceivedResponse = Pick<IncomingMessage, 'rawHeaders' | 'headers'>

/**
 * Returns the encoding of a response, which is that of `before` for a 304 response. Returns undefined
 * if the response cannot be cached because it has no strong ETag, sets a cookie, or varies by more
 * than the encoding.
 */
export function cachedCoding(
  { headers }: ReceivedResponse,
  before?: CachedResponse,
): ContentCoding | undefined {
  const { etag = '', vary = '' } = headers
  const isVaryKnown = /^(?:accept-encoding)?$/i.test(vary.trim())
  if (!isVaryKnown || 'set-cookie' in headers || !etag.startsWith('"')) return undefined
  const name = before?.coding ?? headers['content-encoding'] ?? 'identity'
  return contentCodings.find((known) => known === name)
}

/**
 * Returns the response to cache, in the encoding that `cachedCoding` returned. For a 304 response,
 * the fields that describe the body come from `before`, and the response has all the others.
 */
export function cachedResponse(
  { rawHeaders, headers }: ReceivedResponse,
  { body, coding }: Pick<CachedResponse, 'body' | 'coding'>,
  fields: CacheFields,
  { now, before }: { readonly now: Deadline; readonly before?: CachedResponse | undefined },
): CachedResponse {
  const { timeField, maxAgeMs, staleWhileRevalidateMs, staleIfErrorMs } = fields
  // Missing in the second of a change, and while it is in the future.
  const seenAt = before?.lastModified ?? new Date(now.at).toUTCString()
  const { etag = '', 'last-modified': lastModified = seenAt } = headers
  const { repeated, others } = keptHeaders(rawHeaders, timeField?.toLowerCase())
  const ofBody = before?.head.slice(before.notModifiedHead.length) ?? others
  const selections = new WeakMap<readonly ContentCoding[], readonly string[]>()
  return {
    etag,
    coding,
    body,
    lastModified,
    head: [...repeated, ...ofBody],
    notModifiedHead: repeated,
    etagsFor(accepted) {
      const known = selections.get(accepted)
      if (known) return known
      const etags = [etag, ...accepted.map((each) => etagFor(each, { of: etag, coding }))]
      selections.set(accepted, etags)
      return etags
    },
    freshUntil: deadlineAfter(now, maxAgeMs),
    staleWhileRevalidateMs,
    staleIfErrorMs,
    timeField,
  }
}

/** Separates the headers that a 304 response repeats from the others. Omits validators. */
function keptHeaders(rawHeaders: readonly string[], timeField: string | undefined) {
  const repeated: string[] = []
  const others: string[] = []
  for (const [name, value] of fieldsOf(rawHeaders)) {
    const lowerCase = name.toLowerCase()
    if (perResponse.has(lowerCase) || lowerCase === timeField) continue
    if (!isRepeated(lowerCase)) others.push(name, value)
    else if (!validatorNames.has(lowerCase)) repeated.push(name, value)
  }
  return { repeated, others }
}

/** Returns the heads of responses to a URL, which rarely differ from the previous ones. */
export function headsOf(cached: CachedResponse, fields: CacheFields, now: number): Heads {
  const { heads: latest, etag, head, notModifiedHead, lastModified: contentModified } = cached
  const isSame =
    latest?.from.fields === fields &&
    latest.from.lastModified === contentModified &&
    now >= latest.from.at
  if (isSame) return latest
  const lastModified = lastModifiedAt(contentModified, fields.changedAt, now)
  const validators = ['ETag', etag, ...(lastModified === '' ? [] : ['Last-Modified', lastModified])]
  const { unknownParameters: unknown } = fields
  const added = unknown === undefined ? [] : [unknownParametersField, unknown]
  const heads = {
    lastModified,
    found: [...validators, ...head, ...added],
    notModified: [...validators, ...notModifiedHead, ...added],
    from: { fields, lastModified: contentModified, at: now },
  }
  if (lastModified !== '') cached.heads = heads
  return heads
}

/** Returns true for a header that a 304 response repeats (RFC 9110 15.4.5). */
export function isRepeated(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return !lowerCase.startsWith('content-') || lowerCase === 'content-location'
}

/** Returns the pairs in a list of alternating names and values. */
export function fieldsOf(
  raw: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const fields: [name: string, value: string][] = []
  for (let index = 0; index < raw.length; index += 2) {
    fields.push([raw[index] ?? '', raw[index + 1] ?? ''])
  }
  return fields
}

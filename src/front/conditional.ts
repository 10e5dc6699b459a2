import type { IncomingHttpHeaders } from 'node:http'

export type Validators = {
  /** Returns the ETag of the response, and those of all other encodings that the client accepts. */
  readonly etags: () => readonly string[]
  readonly lastModified: string
}

export type Outcome =
  { readonly status: 200 | 412 } | { readonly status: 304; readonly etag: string }

/** Returns true for a request with a condition that the front does not check. */
export function hasPrecondition(headers: IncomingHttpHeaders): boolean {
  return 'if-match' in headers || 'if-unmodified-since' in headers
}

/**
 * Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 13.2.2. Ignores the
 * request's `Cache-Control`, because calendar clients send `no-cache` together with their
 * validators. A client with any acceptable encoding is up to date, even if a smaller one now
 * exists. Ignores an `If-Modified-Since` date that is later than `now`: it was sent while the clock
 * was ahead, and the content may have changed since.
 */
export function evaluate(
  headers: IncomingHttpHeaders,
  { etags, lastModified }: Validators,
  now: number,
): Outcome {
  const ifMatch = headers['if-match']
  const isFailed =
    ifMatch === undefined
      ? isLater(lastModified, headers['if-unmodified-since'])
      : strongMatch(ifMatch, etags()) === undefined
  if (isFailed) return { status: 412 }
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch === undefined) {
    const isNotModified = isNotLater(lastModified, headers['if-modified-since'], now)
    return isNotModified ? { status: 304, etag: etags()[0] ?? '' } : { status: 200 }
  }
  const etag = weakMatch(ifNoneMatch, etags())
  return etag === undefined ? { status: 200 } : { status: 304, etag }
}

/** Returns the ETag that is in the list, or the response's for `*` (RFC 9110 8.8.3.2). */
function weakMatch(list: string, etags: readonly string[]): string | undefined {
  const [own] = etags
  // Fast path for a single ETag.
  if (list === own || list.trim() === '*') return own
  const tags = new Set([...list.matchAll(/"[^"]*"/g)].map(([tag]) => tag))
  return etags.find((etag) => tags.has(etag))
}

/** Compares strongly: weak ETags never match. */
function strongMatch(list: string, etags: readonly string[]): string | undefined {
  return weakMatch(list.replace(/W\/"[^"]*"/g, ''), etags)
}

/**
 * Returns the HTTP date of a URL's last change: when the content changed, or when the URL's feed
 * link was edited. Some clients drop a response that is not newer than their copy, even
 * if its ETag is new. Returns an empty string in the second of the change, because the content may
 * change again in that second, and the date would not tell the two apart (RFC 9110 8.8.2.2).
 */
export function lastModifiedAt(
  lastModified: string,
  changedAt: number | undefined,
  now: number,
): string {
  if (lastModified === '') return ''
  const contentAt = Date.parse(lastModified)
  const urlAt = startOfSecond(changedAt ?? -Infinity)
  if (Math.max(contentAt, urlAt) >= startOfSecond(now)) return ''
  return urlAt > contentAt ? new Date(urlAt).toUTCString() : lastModified
}

function startOfSecond(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}

function isNotLater(lastModified: string, than: string | undefined, now: number): boolean {
  if (than === undefined || lastModified === '') return false
  if (than === lastModified) return true
  const instant = instantOf(than)
  return instant <= now && instantOf(lastModified) <= instant
}

function isLater(lastModified: string, than: string | undefined): boolean {
  return than !== undefined && than !== lastModified && instantOf(lastModified) > instantOf(than)
}

/** The three formats of HTTP dates (RFC 9110 5.6.7). */
const httpDates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2,5}day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
]

/** Parses an HTTP date. Returns NaN, which fails every comparison, for other strings. */
function instantOf(date: string): number {
  if (!httpDates.some((format) => format.test(date))) return NaN
  // The last format, of the C function `asctime`, does not name its time zone, which is GMT.
  const time = new Date(date.endsWith(' GMT') ? date : `${date} GMT`)
  // `Date` ignores the day of the week, and turns February 31 into March 3.
  const isSameDay = Number(/\d+/.exec(date)) === time.getUTCDate()
  return isSameDay && time.toUTCString().startsWith(date.slice(0, 3)) ? time.getTime() : NaN
}

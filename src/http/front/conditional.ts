import type { IncomingHttpHeaders } from 'node:http'
import { DateTime } from 'luxon'

/** The representation against which request conditions are evaluated. */
export type Selection<Encoding extends { readonly etag: string }> = {
  /** Encodings that the client accepts, in order of preference. */
  readonly accepted: readonly [Encoding, ...Encoding[]]
  /** Last-Modified value, in HTTP date format. */
  readonly lastModified: string
}

export type Outcome<Encoding> =
  { readonly status: 200 | 304; readonly encoding: Encoding } | { readonly status: 412 }

/**
 * Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 13.2.2. Ignores the request's
 * `Cache-Control`, because calendar clients send `no-cache` together with their validators. A client
 * that has any acceptable encoding is up to date, even if a smaller one now exists. Ignores an
 * `If-Modified-Since` date that is later than `now`: it was sent while the clock was ahead, and the content
 * may have changed since.
 */
export function evaluate<Encoding extends { readonly etag: string }>(
  headers: IncomingHttpHeaders,
  { accepted, lastModified }: Selection<Encoding>,
  now: number,
): Outcome<Encoding> {
  const [best] = accepted
  const ifMatch = headers['if-match']
  const isFailed =
    ifMatch === undefined
      ? isLater(lastModified, headers['if-unmodified-since'])
      : !strongMatch(ifMatch, accepted)
  if (isFailed) return { status: 412 }
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch === undefined) {
    const isNotModified = isNotLater(lastModified, headers['if-modified-since'], now)
    return { status: isNotModified ? 304 : 200, encoding: best }
  }
  const match = weakMatch(ifNoneMatch, accepted)
  return match ? { status: 304, encoding: match } : { status: 200, encoding: best }
}

/** Returns the encoding whose ETag is in the list, or the preferred one for `*` (RFC 9110 8.8.3.2). */
function weakMatch<Encoding extends { readonly etag: string }>(
  list: string,
  accepted: Selection<Encoding>['accepted'],
): Encoding | undefined {
  const [best] = accepted
  // Fast path for a single ETag.
  if (list === best.etag || list.trim() === '*') return best
  const tags = new Set([...list.matchAll(/"[^"]*"/g)].map(([tag]) => tag))
  return accepted.find(({ etag }) => tags.has(etag))
}

/** Compares strongly: weak ETags never match. */
function strongMatch<Encoding extends { readonly etag: string }>(
  list: string,
  accepted: Selection<Encoding>['accepted'],
): Encoding | undefined {
  return weakMatch(list.replace(/W\/"[^"]*"/g, ''), accepted)
}

function isNotLater(lastModified: string, than: string | undefined, now: number): boolean {
  if (than === undefined || than === lastModified) return than !== undefined
  const instant = instantOf(than)
  return instant <= now && instantOf(lastModified) <= instant
}

function isLater(lastModified: string, than: string | undefined): boolean {
  return than !== undefined && than !== lastModified && instantOf(lastModified) > instantOf(than)
}

/** Parses an HTTP date (RFC 9110 5.6.7). Returns NaN, which fails every comparison, for other strings. */
function instantOf(date: string): number {
  return DateTime.fromHTTP(date).toMillis()
}

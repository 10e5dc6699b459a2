import type { IncomingHttpHeaders } from 'node:http'
import { DateTime } from 'luxon'

/** What a conditional request is compared with. */
export type Validators = { readonly etag: string; readonly lastModified: number }

/**
 * Whether a GET or HEAD is answered with 304. `If-None-Match` decides alone where it is present
 * (RFC 9110 13.2.2). `Cache-Control` of the request does not count: calendar clients send
 * `no-cache` together with their validators.
 */
export function isNotModified(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return etagMatches(ifNoneMatch, validators.etag)
  // Invalid, and so never reached, where it is none of the three forms (RFC 9110 5.6.7).
  const since = DateTime.fromHTTP(headers['if-modified-since'] ?? '').toMillis()
  return wholeSeconds(validators.lastModified) <= since
}

/** Weak comparison (RFC 9110 8.8.3.2) with a list of tags or `*`. */
function etagMatches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag)
}

/** HTTP dates have no fractions of a second. */
function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}

import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { contentCodings, type ContentCoding } from '../representations/encodings.ts'

/** Canonical `Accept-Encoding` values, for which a representation has one cached response each. */
export type AcceptEncoding = 'br, gzip' | 'br' | 'gzip' | 'identity'

/** Browsers send less than 40 characters. Reading thousands of codings takes milliseconds. */
const maxLength = 500

const identityAlone: readonly ContentCoding[] = ['identity']

const remembered = new LRUCache<string, readonly ContentCoding[]>({
  max: 200,
  memoMethod: codingsFrom,
})

/**
 * Returns the accepted content codings in order of preference (RFC 9110 12.5.3). If none is acceptable,
 * returns `identity`, which is more useful to the client than an error.
 */
export function acceptedCodings(acceptEncoding: string | undefined): readonly ContentCoding[] {
  return acceptEncoding === undefined ? identityAlone : remembered.memo(acceptEncoding)
}

/** Returns the canonical form of a request's `Accept-Encoding`. */
export function acceptOf({ headers }: IncomingMessage): AcceptEncoding {
  return acceptFrom(acceptedCodings(headers['accept-encoding']))
}

export function acceptFrom([best, second]: readonly ContentCoding[]): AcceptEncoding {
  return best === 'br' && second === 'gzip' ? 'br, gzip' : (best ?? 'identity')
}

function codingsFrom(acceptEncoding: string): readonly ContentCoding[] {
  const weights = weightsOf(acceptEncoding.slice(0, maxLength))
  // Identity is acceptable even if it is not listed, but comes last.
  const weightOf = (coding: ContentCoding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = contentCodings
    .filter((coding) => weightOf(coding) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
  return accepted.length > 0 ? accepted : identityAlone
}

/** Parses `gzip;q=0.5, *;q=0`. An invalid weight counts as 0. */
function weightsOf(acceptEncoding: string): ReadonlyMap<string, number> {
  return new Map(
    acceptEncoding.split(',').map((element) => {
      const [name = '', ...parameters] = element.toLowerCase().split(';')
      const coding = name.trim()
      // `x-gzip` is an old name for `gzip` (RFC 9110 8.4.1.3).
      return [coding === 'x-gzip' ? 'gzip' : coding, weightIn(parameters)]
    }),
  )
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^\s*q\s*=/.test(parameter))
  if (weight === undefined) return 1
  const [, value] = /^\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.exec(weight) ?? []
  return value === undefined ? 0 : Number(value)
}

import type { EncodedBody, Representation } from '../representations/representation.ts'

/**
 * What of a representation answers an `Accept-Encoding` (RFC 9110 12.5.3). Where nothing that is
 * named is there it is `identity`, even if that was not wanted: it helps more than nothing.
 */
export function acceptedEncoding(
  acceptEncoding: string | undefined,
  { identity, compressed }: Pick<Representation, 'identity' | 'compressed'>,
): EncodedBody {
  if (acceptEncoding === undefined) return identity
  const weights = weightsOf(acceptEncoding)
  const weightOf = ({ coding }: EncodedBody) => weights.get(coding) ?? weights.get('*') ?? 0
  const [best = identity] = [...compressed, identity]
    .filter((encoded) => weightOf(encoded) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
  return best
}

/** `gzip;q=0.5, *;q=0`; a weight that is none counts as 0. */
function weightsOf(acceptEncoding: string): ReadonlyMap<string, number> {
  return new Map(
    acceptEncoding.split(',').map((element) => {
      const [coding = '', ...parameters] = element.toLowerCase().split(';')
      return [currentName(coding.trim()), weightIn(parameters)]
    }),
  )
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^\s*q\s*=/.test(parameter))
  if (weight === undefined) return 1
  const [, value] = /^\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.exec(weight) ?? []
  return value === undefined ? 0 : Number(value)
}

/** `x-gzip` is what `gzip` was called before (RFC 9110 8.4.1.3). */
function currentName(coding: string): string {
  return coding === 'x-gzip' ? 'gzip' : coding
}

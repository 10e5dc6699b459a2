/** Period for which content is valid, in milliseconds since the epoch. Either end may be infinite. */
export type Validity = { readonly validFrom: number; readonly validUntil: number }

/** Returns the period around an instant in which the content does not change. */
export function validityAt(now: number, changesAt: readonly number[]): Validity {
  return {
    validFrom: changesAt.reduce((last, at) => (at <= now ? Math.max(last, at) : last), -Infinity),
    validUntil: changesAt.reduce((next, at) => (at > now ? Math.min(next, at) : next), Infinity),
  }
}

import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'

/** Why somebody was not served. */
export type Refusal =
  | 'too many connections'
  | 'not HTTP'
  | 'too large headers'
  | 'too slow to ask'
  | 'too slow to read'
  | 'too many variants'
  | 'too much to make'

/** More of them in a second are only counted: who floods must not fill the disk. */
const linesPerSecond = 10

export type Refusals = {
  /** Counts it, and says it in one line. */
  readonly tell: (refusal: Refusal, details: Readonly<Record<string, unknown>>) => void
  readonly counts: () => ReadonlyMap<Refusal, number>
}

export function createRefusals(clock: Pick<Clock, 'now'>, log: Logger): Refusals {
  const counts = new Map<Refusal, number>()
  const mayLog = createLineLimit(clock, linesPerSecond)
  return {
    tell(refusal, details) {
      counts.set(refusal, (counts.get(refusal) ?? 0) + 1)
      const unlogged = mayLog()
      if (unlogged === undefined) return
      log.warn({ reason: refusal, ...details, ...(unlogged > 0 ? { unlogged } : {}) }, 'refused')
    },
    counts: () => counts,
  }
}

/** How many lines were left out before one that may be written; undefined for one that may not. */
export function createLineLimit(
  clock: Pick<Clock, 'now'>,
  perSecond: number,
): () => number | undefined {
  let second = 0
  let written = 0
  let unlogged = 0
  return () => {
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) [second, written] = [now, 0]
    if (written >= perSecond) {
      unlogged += 1
      return undefined
    }
    written += 1
    const before = unlogged
    unlogged = 0
    return before
  }
}

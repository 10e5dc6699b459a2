import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { createLineLimit } from './log-throttle.ts'

/** Why somebody was not served. */
export type Refusal =
  | 'too many connections'
  | 'not HTTP'
  | 'too large headers'
  | 'too many requests ahead'
  | 'too many open answers'
  | 'too slow to ask'
  | 'too slow to read'
  | 'too many variants'
  | 'too many guesses'
  | 'too many sign-ins'
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

import type { TimeSource } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { createLogThrottle } from './log-throttle.ts'

/** Reason for rejecting a request or connection. */
export type Rejection =
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
  | 'too many saves'
  | 'too much to make'

/** Maximum log lines per second, so that a flood does not fill the disk. All rejections are counted. */
const linesPerSecond = 10

export type Rejections = {
  /** Counts and logs a rejection. */
  readonly report: (rejection: Rejection, details: Readonly<Record<string, unknown>>) => void
  readonly counts: () => ReadonlyMap<Rejection, number>
}

export function createRejections(clock: TimeSource, log: Logger): Rejections {
  const counts = new Map<Rejection, number>()
  const mayLog = createLogThrottle(clock, linesPerSecond)
  return {
    report(rejection, details) {
      counts.set(rejection, (counts.get(rejection) ?? 0) + 1)
      const unlogged = mayLog()
      if (unlogged === undefined) return
      log.warn({ reason: rejection, ...details, ...(unlogged > 0 ? { unlogged } : {}) }, 'refused')
    },
    counts: () => counts,
  }
}

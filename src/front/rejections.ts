import type { TimeSource } from '../clock.ts'
import type { Logger } from '../log.ts'

export type Rejection =
  | 'too many connections'
  | 'not HTTP'
  | 'too large headers'
  | 'too many pipelined requests'
  | 'too many open responses'
  | 'too many bodies'
  | 'request timeout'
  | 'response read timeout'
  | 'too many variants'
  | 'too many guesses'
  | 'too many sign-ins'
  | 'too many saves'
  | 'too many account requests'
  | 'too much to render'

/** Reasons that the response explains to the client. */
export type Excess = Extract<
  Rejection,
  | 'too many variants'
  | 'too many guesses'
  | 'too many saves'
  | 'too many sign-ins'
  | 'too many account requests'
>

/** Maximum log lines per second, so that a flood does not fill the disk. All rejections are counted. */
const linesPerSecond = 10

export type Rejections = {
  readonly report: (rejection: Rejection, details: Readonly<Record<string, unknown>>) => void
  readonly counts: () => ReadonlyMap<Rejection, number>
}

export function createRejections(clock: TimeSource, log: Logger): Rejections {
  const counts = new Map<Rejection, number>()
  const mayLog = createLogThrottle(clock, linesPerSecond)
  return {
    report: (rejection, details) => {
      counts.set(rejection, (counts.get(rejection) ?? 0) + 1)
      const unlogged = mayLog()
      if (unlogged === undefined) return
      log.warn({ reason: rejection, ...details, ...(unlogged > 0 ? { unlogged } : {}) }, 'refused')
    },
    counts: () => counts,
  }
}

/**
 * Returns a function that returns the number of suppressed lines before a line, or undefined to
 * suppress the line.
 */
export function createLogThrottle(clock: TimeSource, perSecond: number): () => number | undefined {
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

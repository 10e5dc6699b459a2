import type { TimeSource } from '../../clock.ts'

/**
 * Returns a function to call before logging a line. It returns the number of lines suppressed since the
 * last logged one, or undefined to suppress this line.
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

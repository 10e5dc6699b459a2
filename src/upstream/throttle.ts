import type { Clock } from '../clock.ts'
import { UpstreamError } from './upstream-error.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const longestWaitMs = 2 * minuteMs

/** A call may reach the service this much later than it was reserved, and the next one at once. */
const latestArrivalMs = 10_000

export type Throttle = {
  /** Waits for room, two minutes at most, and takes it; else rejects with `budget_spent`. */
  readonly reserve: () => Promise<void>
  /** The service asks for a pause: the project may be shared. */
  readonly pauseFor: (ms: number) => void
}

/** Sliding windows over the calls of the last minute and day, reserved before sending. */
export function createThrottle(options: {
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly clock: Clock
  /** Ends every waiting. */
  readonly signal?: AbortSignal
}): Throttle {
  const { callsPerMinute, callsPerDay, clock, signal } = options
  const calls: number[] = []
  let pausedUntil = 0

  function waitMs(now: number): number {
    while (calls[0] !== undefined && calls[0] <= now - dayMs - latestArrivalMs) calls.shift()
    const blocking = [
      { at: calls.at(-callsPerMinute), windowMs: minuteMs + latestArrivalMs },
      { at: calls.at(-callsPerDay), windowMs: dayMs + latestArrivalMs },
    ]
    const freeAt = blocking.map(({ at, windowMs }) => (at === undefined ? 0 : at + windowMs))
    return Math.max(0, pausedUntil - now, ...freeAt.map((at) => at - now))
  }

  return {
    async reserve() {
      const giveUpAt = clock.now() + longestWaitMs
      for (let wait = waitMs(clock.now()); wait > 0; wait = waitMs(clock.now())) {
        if (clock.now() + wait > giveUpAt) {
          throw new UpstreamError(
            'budget_spent',
            'The budget of upstream calls is used up for now',
            {
              retryAfterMs: wait,
            },
          )
        }
        await clock.sleep(wait, signal)
      }
      calls.push(clock.now())
    },
    pauseFor(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms)
    },
  }
}

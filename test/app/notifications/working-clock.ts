import { expect, onTestFinished } from 'vitest'
import type { Clock } from '../../../src/clock.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * Creates a clock that knows whether services are working or sleeping. Their requests take real
 * time, in which a lease could expire if the time passed faster.
 */
export function createWorkingClock(fake: FakeClock) {
  let working = 0
  const clock: Clock = {
    ...fake,
    async sleep(...wait) {
      working -= 1
      await fake.sleep(...wait).finally(() => (working += 1))
    },
  }
  return {
    /** Runs a service until the test ends. Returns a function that stops it. */
    start(service: (clock: Clock, signal: AbortSignal) => Promise<void>) {
      working += 1
      const stopping = new AbortController()
      const running = service(clock, stopping.signal).finally(() => (working -= 1))
      const stop = async () => {
        stopping.abort()
        await running
      }
      onTestFinished(stop)
      return stop
    },
    /** Advances the time in steps until the expectation is met after the work in a step. */
    until: (stepMs: number, expectation: () => void) =>
      waitFor(async () => {
        await fake.advance(stepMs)
        await waitFor(() => expect(working).toBe(0))
        expectation()
      }),
  }
}

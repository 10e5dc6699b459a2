import { expect, onTestFinished } from 'vitest'
import type { Clock } from '../../../src/clock.ts'
import type { Channel } from '../../../src/app/notifications/notice.ts'
import type { Store } from '../../../src/store/store.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'

type Calls = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>

/**
 * Creates a clock for services, with counts of their requests. They take real time, in which a lease could
 * expire if the time passed faster.
 */
export function createWorkingClock(clock: FakeClock) {
  let pending = 0

  const counted = <T extends Calls>(calls: T): T => {
    const entries = Object.entries(calls).map(([name, call]) => {
      const counting = async (...parameters: never[]) => {
        pending += 1
        return call(...parameters).finally(() => (pending -= 1))
      }
      return [name, counting]
    })
    return Object.fromEntries(entries) as T
  }

  return {
    countedStore: ({ documents, leases }: Pick<Store, 'documents' | 'leases'>) => {
      return { documents: counted(documents), leases: counted(leases) }
    },
    countedChannel: (channel: Channel): Channel => ({
      ...channel,
      ...counted({ send: channel.send }),
    }),
    /** Runs a service until the test ends. Returns a function that stops it. */
    start(service: (clock: Clock, signal: AbortSignal) => Promise<void>) {
      const stopping = new AbortController()
      const running = service(clock, stopping.signal)
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
        await clock.advance(stepMs)
        await waitFor(() => expect(pending).toBe(0))
        expectation()
      }),
  }
}

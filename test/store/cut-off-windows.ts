import { createSharedWindow } from '../../src/store/shared-window.ts'
import { StoreError } from '../../src/store/store-error.ts'
import type { Windows } from '../../src/store/store.ts'
import { shareOfCalls } from '../../src/upstream/throttle.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs
/** Limits of 30 calls per minute and of few enough calls per day to use up in a test. */
export const limits = [
  { windowMs: minuteMs, max: 24 },
  { windowMs: dayMs, max: 300 },
]

/** Creates the windows of several replicas on a real store, some of which can be cut off. */
export function windowsOf(replicas: number) {
  const clock = createFakeClock()
  let { windows } = openTestStore(clock.now)
  /** Empties the store. */
  const forget = () => {
    windows = openTestStore(clock.now).windows
    return windows
  }
  const shareOf = shareOfCalls(30, () => replicas)
  const cut = new Set<number>()
  const all = Array.from({ length: replicas }, (_, index) => {
    const reach = async <R>(work: () => Promise<R>): Promise<R> => {
      if (cut.has(index)) throw new StoreError('unreachable', 'cut off')
      return work()
    }
    const reached: Windows = {
      take: (name, wanted) => reach(() => windows.take(name, wanted)),
      release: (name, id) => reach(() => windows.release(name, id)),
      // If there are no events to add, the store is not accessed.
      add: async (name, events) =>
        events.size === 0 ? undefined : reach(() => windows.add(name, events)),
      count: (name, windowMs) => reach(() => windows.count(name, windowMs)),
    }
    return createSharedWindow(reached, 'calls', { shareOf, now: clock.now })
  })
  const takenAt: number[] = []
  /** Takes every available event, second by second, and returns their number. */
  async function takeAll(forMs: number): Promise<number> {
    const before = takenAt.length
    for (const end = clock.now() + forMs; clock.now() < end;) {
      for (const window of all) {
        await window.count(dayMs)
        while ((await window.take(limits)).ok) takenAt.push(clock.now())
      }
      await clock.advance(1000)
    }
    return takenAt.length - before
  }
  const cutOff = (...indexes: readonly number[]) => {
    cut.clear()
    for (const index of indexes) cut.add(index)
  }
  /** Returns the highest number of events in any minute so far. */
  const busiest = () =>
    Math.max(...takenAt.map((at) => takenAt.filter((x) => x >= at && x < at + minuteMs).length))
  return { clock, windows, all, takeAll, takenAt, cutOff, forget, busiest }
}

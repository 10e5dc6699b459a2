import type { Collections } from '../../src/collections/collections.ts'
import { allResources } from './collections.ts'
import { minuteMs } from './deployment.ts'
import type { FakeClock } from './fake-clock.ts'

const stepMs = 5_000
const pollMs = 15 * minuteMs

/**
 * Advances time while subscribers poll every 15 minutes. Polls are evenly spread and alternate
 * between replicas. Each subscriber polls a feed for every resource. Returns the maximum age of the
 * copies that subscribers received.
 */
export async function passWithSubscribers(
  clock: Pick<FakeClock, 'now' | 'advance'>,
  replicas: () => readonly { readonly collections: Collections }[],
  options: {
    readonly forMs: number
    readonly subscribers: number
    /** Called with the elapsed time before each step. */
    readonly meanwhile?: (passedMs: number) => Promise<void> | void
  },
): Promise<{ readonly oldestMs: number; readonly unserved: number }> {
  const { forMs, subscribers, meanwhile } = options
  const start = clock.now()
  let oldestMs = 0
  let unserved = 0

  /**
   * Polls once on behalf of all subscribers that poll at this moment, because they receive identical
   * copies.
   */
  function poll(collections: Collections, polls: number): void {
    for (const resource of allResources) {
      const copy = collections.copyOf(resource)
      if (!copy) {
        unserved += polls
        continue
      }
      oldestMs = Math.max(oldestMs, clock.now() - copy.fetchedAt)
      for (let poll = 0; poll < polls; poll += 1) void collections.read(resource)
    }
  }

  for (let passed = 0; passed < forMs; passed += stepMs) {
    await meanwhile?.(passed)
    const before = Math.floor((passed * subscribers) / pollMs)
    const after = Math.floor(((passed + stepMs) * subscribers) / pollMs)
    const serving = replicas()
    serving.forEach(({ collections }, index) => {
      const countUpTo = (end: number) => Math.ceil((end - index) / serving.length)
      poll(collections, countUpTo(after) - countUpTo(before))
    })
    await clock.advance(start + passed + stepMs - clock.now())
  }
  return { oldestMs, unserved }
}

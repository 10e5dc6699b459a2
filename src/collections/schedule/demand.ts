import type { TimeSource } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { Priority } from '../../upstream/throttle.ts'
import { idleAfterMs } from './freshness.ts'

/** Tracks the use of each collection. */
export type Demand = {
  readonly recordRead: (resource: FeedResource) => void
  /** Marks the collection as awaited by a user until disposed. */
  readonly addWaiter: (resource: FeedResource) => Disposable
  /** Returns true if the collection has been requested since the start. */
  readonly hasBeenRead: (resource: FeedResource) => boolean
  /** Returns true if the collection has not been requested for a long time. */
  readonly isIdle: (resource: FeedResource) => boolean
  readonly priorityOf: (resource: FeedResource) => Priority
}

/** Creates the tracker. Treats the start as a request, since clients return after a restart. */
export function createDemand(clock: TimeSource): Demand {
  const startedAt = clock.now()
  const lastReaderAt = new Map<FeedResource, number>()
  const waiting = new Map<FeedResource, number>()

  const isIdle = (resource: FeedResource) =>
    clock.now() - (lastReaderAt.get(resource) ?? startedAt) > idleAfterMs

  const changeWaiters = (resource: FeedResource, people: number) =>
    waiting.set(resource, (waiting.get(resource) ?? 0) + people)

  return {
    recordRead: (resource) => void lastReaderAt.set(resource, clock.now()),
    addWaiter(resource) {
      changeWaiters(resource, 1)
      return { [Symbol.dispose]: () => void changeWaiters(resource, -1) }
    },
    hasBeenRead: (resource) => lastReaderAt.has(resource),
    isIdle,
    priorityOf(resource) {
      if ((waiting.get(resource) ?? 0) > 0) return 'person'
      return isIdle(resource) ? 'warm-up' : 'scheduled'
    },
  }
}

import { withTimeout } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { ScheduleParts } from './schedule-parts.ts'
import type { Scheduler } from './scheduler.ts'

const firstCopyPollMs = 500

export type AwaitedReads = {
  /** Tries to read a collection until `isDone` returns true, it fails, or the signal is aborted. */
  readonly tryUntil: (
    resource: FeedResource,
    isDone: () => boolean,
    ending: AbortSignal,
  ) => Promise<void>
  /** A user is waiting, so its calls get top priority. Aborted after `waitMs`. */
  readonly withWaiter: (
    resource: FeedResource,
    waitMs: number,
    work: (ending: AbortSignal) => Promise<void>,
  ) => Promise<void>
}

export function createAwaitedReads(
  { backoff, demand, clock, signal }: ScheduleParts,
  scheduler: Scheduler,
  pull: () => Promise<boolean>,
): AwaitedReads {
  return {
    async tryUntil(resource, isDone, ending) {
      const isOver = () => ending.aborted || isDone() || backoff.failureOf(resource) !== undefined
      while (!isOver()) {
        await scheduler.refresh(resource)
        if (isOver()) return
        // Another replica is reading it.
        await clock.sleep(firstCopyPollMs, ending).catch(() => undefined)
        await pull()
      }
    },
    async withWaiter(resource, waitMs, work) {
      using _waiting = demand.addWaiter(resource)
      const over = new AbortController()
      const ending = AbortSignal.any([signal, over.signal])
      await withTimeout(work(ending), waitMs, () => undefined, { clock, signal })
      over.abort()
    },
  }
}

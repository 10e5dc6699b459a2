import type { FeedResource } from '../records/resources.ts'
import type { StoreError } from '../store/store-error.ts'
import { adviceFor } from '../upstream/advice.ts'
import type { UpstreamError } from '../upstream/upstream-error.ts'
import { CollectionUnavailable, maxRequestWaitMs, type Collection } from './collection.ts'
import type { CollectionState, ServedFeeds } from './collection-state.ts'
import { createCollectionSync, type CollectionSyncOptions } from './copy/collection-sync.ts'
import { createAwaitedReads } from './schedule/awaited-reads.ts'
import { createAttempts, createBackoff } from './schedule/backoff.ts'
import { createPull } from './schedule/pull.ts'
import { createDemand, type Load } from './schedule/reading-interval.ts'
import { createScheduler, type ScheduleSettings } from './schedule/scheduler.ts'
import { refusalSentence } from './status/status-sentences.ts'
import { detailedResource } from './copy/resource-rules.ts'

const unavailableRetryMs = 10_000

const readDueWaitMs = 60_000

/** The last good copies. */
export type Copies = {
  readonly copyOf: <R extends FeedResource>(resource: R) => Collection<R> | undefined
}

export type CollectionReader = Copies & {
  /** Returns the last good copy. Waits for the first one, or rejects with `CollectionUnavailable`. */
  readonly read: <R extends FeedResource>(resource: R) => Promise<Collection<R>>
  /** Records demand for a collection that was served from a cache. */
  readonly recordRead: (resource: FeedResource) => void
  readonly onChange: (listener: () => void) => void
}

export type Collections = CollectionReader &
  AsyncDisposable & {
    /** For callers that never call `start`. Never rejects. */
    readonly readDue: (resource: FeedResource) => Promise<void>
    readonly isSwitchedOff: (resource: FeedResource) => boolean
    readonly load: () => Promise<boolean>
    /** Starts the schedule. Collections that have not been requested are first read after `afterMs`. */
    readonly start: (afterMs?: number) => void
    readonly states: () => readonly CollectionState[]
    readonly readingLoad: () => Load
    readonly storeFailure: () => StoreError | undefined
  }

export type CollectionsOptions = Omit<CollectionSyncOptions, 'onChange'> &
  ScheduleSettings & { readonly feedsOf: (resource: FeedResource) => ServedFeeds }

/** Keeps the last good copies fresh within the call budget. Abort the signal before disposing. */
export function createCollections(options: CollectionsOptions): Collections {
  const { clock, log, resources, feedsOf, random, signal } = options
  const listeners: (() => void)[] = []
  const onChange = () => {
    for (const listener of listeners) listener()
  }
  const sync = createCollectionSync({ ...options, onChange })
  // Refused endpoints do not count toward a site outage.
  const keyCount = () => Math.max(1, resources().filter((name) => !sync.refusalOf(name)).length)
  const backoff = createBackoff({ clock, random, keyCount })
  const attempts = createAttempts({ backoff, clock, log, signal, adviceOn })
  const demand = createDemand(clock)
  let running: Promise<void> | undefined

  const copyOf: Copies['copyOf'] = (resource) => sync.kept(resource)?.collection

  /** True if the API Project lacks permission to read the resource and there is no copy. */
  const isSwitchedOff = (resource: FeedResource) =>
    sync.refusalOf(resource) !== undefined && !copyOf(resource)

  const parts = { sync, backoff, attempts, demand, resources, clock, log, signal }
  const pull = createPull(parts, () => scheduler.details.forget())
  const scheduler = createScheduler({ ...options, ...parts, pull })
  const awaited = createAwaitedReads(parts, scheduler, pull)

  function adviceOn(name: string, error: UpstreamError): string {
    const resource = resources().find((each) => each === name)
    if (!resource || error.kind !== 'endpoint_not_allowed') {
      return adviceFor(error, {
        hasWorked: resource !== undefined && copyOf(resource) !== undefined,
      })
    }
    const copy = copyOf(resource)
    const readAt = copy && new Date(copy.fetchedAt).toISOString()
    return refusalSentence(resource, feedsOf(resource), readAt)
  }

  function unavailable(resource: FeedResource): CollectionUnavailable {
    const failure = backoff.failureOf(resource)
    const waitMs = failure ? failure.retryAt - clock.now() : unavailableRetryMs
    const reason = isSwitchedOff(resource) ? 'not allowed' : 'not read yet'
    const retryAfterMs = Math.max(1000, waitMs)
    return new CollectionUnavailable(resource, reason, { retryAfterMs, cause: failure?.error })
  }

  return {
    read: async (resource) => {
      demand.recordRead(resource)
      const copy = copyOf(resource)
      if (copy) return copy
      const isThere = () => copyOf(resource) !== undefined || isSwitchedOff(resource)
      await awaited.withWaiter(resource, maxRequestWaitMs, (ending) =>
        awaited.tryUntil(resource, isThere, ending),
      )
      const first = copyOf(resource)
      if (first) return first
      throw unavailable(resource)
    },
    readDue: async (resource) => {
      demand.recordRead(resource)
      await scheduler.intervals.updateUsage()
      await awaited.withWaiter(resource, readDueWaitMs, async (ending) => {
        await awaited.tryUntil(resource, () => !scheduler.intervals.isDue(resource), ending)
        if (resource === detailedResource) await scheduler.details.readAll(ending)
      })
    },
    recordRead: demand.recordRead,
    isSwitchedOff,
    onChange: (listener) => void listeners.push(listener),
    copyOf,
    load: pull,
    start: (afterMs = 0) => {
      running = scheduler.run(afterMs)
    },
    states: () =>
      resources().map((resource) => {
        const refusal = sync.refusalOf(resource)
        const kept = sync.kept(resource)
        const failure = backoff.failureOf(resource)
        return {
          resource,
          feeds: feedsOf(resource),
          refusal,
          kept,
          failure,
          isStarting: !refusal && !kept && !failure && scheduler.isStarting(resource),
          detailFailures: resource === detailedResource ? scheduler.details.failures() : [],
          intervalMs: scheduler.intervals.intervalMsOf(resource),
        }
      }),
    readingLoad: scheduler.intervals.load,
    storeFailure: sync.storeFailure,
    async [Symbol.asyncDispose]() {
      await running
      await Promise.all([attempts.allOver(), scheduler.details.over()])
    },
  }
}

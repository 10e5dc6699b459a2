import { singleFlight, withTimeout } from '../clock.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import type { StoreError } from '../store/store-error.ts'
import { adviceFor } from '../upstream/advice.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { CollectionUnavailable, maxRequestWaitMs, type Collection } from './collection.ts'
import type { CollectionState, ServedFeeds } from './collection-state.ts'
import { createCollectionSync, type CollectionSyncOptions } from './copy/collection-sync.ts'
import { createAttempts, createBackoff } from './schedule/backoff.ts'
import { createDemand, type Load } from './schedule/reading-interval.ts'
import { createScheduler, type ScheduleSettings } from './schedule/scheduler.ts'
import { refusalSentence } from './status/status-sentences.ts'
import { detailedResource } from './copy/resource-rules.ts'

const firstCopyPollMs = 500
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
  ScheduleSettings & {
    readonly feedsOf: (resource: FeedResource) => ServedFeeds
  }

/** Keeps the last good copies fresh within the call budget. Abort the signal before disposing. */
export function createCollections(options: CollectionsOptions): Collections {
  const { clock, log, resources, feedsOf, siteTimeZone, random, signal } = options
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
  /** Endpoints that were refused before this time are retried. */
  let retryRefusalsBefore = clock.now()

  const copyOf: Copies['copyOf'] = (resource) => sync.kept(resource)?.collection

  /** True if the API Project lacks permission to read the resource and there is no copy. */
  const isSwitchedOff = (resource: FeedResource) =>
    sync.refusalOf(resource) !== undefined && !copyOf(resource)

  /**
   * Loads what other replicas and commands have stored. Resolves to false if there is nothing new.
   * Concurrent callers share one run.
   */
  const pull = singleFlight(async () => {
    if (!(await sync.pull())) return false
    for (const resource of resources()) {
      const { lastAt = Infinity } = backoff.failureOf(resource) ?? {}
      // Another replica has read it since the failure.
      if ((sync.kept(resource)?.readAt ?? 0) > lastAt) backoff.succeeded(resource)
    }
    for (const resource of resources()) adoptRefusal(resource)
    if (!(await sync.consumeRetryRequest())) return true
    retryRefusalsBefore = clock.now()
    backoff.forget()
    scheduler.detailRefresh.forget()
    return true
  })
  const scheduler = createScheduler({ ...options, sync, backoff, attempts, demand, pull })

  /** Backs off from an endpoint after another replica was denied access to it. */
  function adoptRefusal(resource: FeedResource): void {
    const refusal = sync.refusalOf(resource)
    const knownAt = backoff.ownFailureOf(resource)?.lastAt ?? retryRefusalsBefore
    if (!refusal || refusal.at <= knownAt) return
    const message = `${resource}: not allowed, as reported by another replica`
    backoff.failed(resource, new UpstreamError('endpoint_not_allowed', message))
  }

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

  /** Tries to read a collection until `isDone` returns true, it fails, or the signal is aborted. */
  async function attempt(
    resource: FeedResource,
    isDone: () => boolean,
    ending: AbortSignal,
  ): Promise<void> {
    const isOver = () => ending.aborted || isDone() || backoff.failureOf(resource) !== undefined
    while (!isOver()) {
      await scheduler.refresh(resource)
      if (isOver()) return
      // Another replica is reading it.
      await clock.sleep(firstCopyPollMs, ending).catch(() => undefined)
      await pull()
    }
  }

  /** A user is waiting, so its calls get top priority. Aborted after `waitMs`. */
  async function withWaiter(
    resource: FeedResource,
    waitMs: number,
    work: (ending: AbortSignal) => Promise<void>,
  ): Promise<void> {
    using _waiting = demand.addWaiter(resource)
    const over = new AbortController()
    const ending = AbortSignal.any([signal, over.signal])
    await withTimeout(work(ending), waitMs, () => undefined, { clock, signal })
    over.abort()
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
      await withWaiter(resource, maxRequestWaitMs, (ending) => attempt(resource, isThere, ending))
      const first = copyOf(resource)
      if (first) return first
      throw unavailable(resource)
    },
    readDue: async (resource) => {
      demand.recordRead(resource)
      await scheduler.updateUsage()
      await withWaiter(resource, readDueWaitMs, async (ending) => {
        await attempt(resource, () => !scheduler.isDue(resource), ending)
        if (resource === detailedResource) await scheduler.refreshAllDetails(ending)
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
    states: () => {
      const today = siteDateAt(clock.now(), siteTimeZone)
      return resources().map((resource) => {
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
          detailFailures:
            resource === detailedResource ? scheduler.detailRefresh.failures(today) : [],
          intervalMs: scheduler.intervalMsOf(resource),
        }
      })
    },
    readingLoad: scheduler.load,
    storeFailure: sync.storeFailure,
    async [Symbol.asyncDispose]() {
      await running
      await Promise.all([attempts.allOver(), scheduler.detailRefresh.over()])
    },
  }
}

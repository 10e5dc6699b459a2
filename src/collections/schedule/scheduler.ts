import { every, minuteMs } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { CollectionSyncOptions } from '../copy/collection-sync.ts'
import { detailedResource } from '../copy/resource-rules.ts'
import { createDetailRefresh, type DetailRefresh } from './detail-refresh.ts'
import { createIntervals, type Intervals } from './intervals.ts'
import type { ScheduleParts } from './schedule-parts.ts'

const tickMs = 5_000
const cleaningMs = 60 * 60 * 1000

/** Maximum time between checks. New dates, sheets and call usage can wait this long. */
const maxQuietMs = 30_000

/** During an outage, after one replica's attempt, no replica tries again for this long. */
const probeMs = 50_000

/** A first read that takes longer than this is a problem. */
const firstReadMs = 5 * minuteMs

export type ScheduleSettings = {
  readonly freshMs: number
  readonly callsPerDay: number
  readonly usedToday: () => Promise<number>
  readonly random: () => number
  readonly signal: AbortSignal
}

type SchedulerOptions = Omit<CollectionSyncOptions, 'onChange'> &
  ScheduleSettings &
  ScheduleParts & {
    /** Resolves to false if there is nothing new in the store. */
    readonly pull: () => Promise<boolean>
  }

export type Scheduler = {
  readonly intervals: Intervals
  /** Returns true until the first read of a collection has been due for too long. */
  readonly isStarting: (resource: FeedResource) => boolean
  /** Reads a collection if it is due, or joins the attempt in progress. Never rejects. */
  readonly refresh: (resource: FeedResource) => Promise<void>
  readonly details: DetailRefresh
  /** Runs until aborted. Collections that have not been requested wait for `afterMs` first. */
  readonly run: (afterMs: number) => Promise<void>
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { sync, backoff, attempts, demand, resources, clock, signal } = options
  const intervals = createIntervals(options)
  const { isDue, intervalMsOf, load } = intervals
  const details = createDetailRefresh({ ...options, intervals })
  const { refresh, refreshAll } = createReads(options, isDue, details)
  let unreadFrom = 0
  let cleaningFrom = 0
  let quiet = { from: 0, until: 0, wakeUps: 0 }
  const firstDueAt = new Map<FeedResource, number>()

  const failureCountOf = (resource: FeedResource) =>
    backoff.failureOf(resource)?.consecutiveFailures ?? 0

  /** Returns the collections to read now, failing ones last. */
  function dueNow(): readonly FeedResource[] {
    const current = load()
    return (
      resources()
        .filter((resource) => isDue(resource, current) && backoff.mayTry(resource))
        .filter((resource) => clock.now() >= unreadFrom || demand.hasBeenRead(resource))
        // Writing the collection would conflict with writing its details.
        .filter((resource) => resource !== detailedResource || !details.isUnderWay())
        .sort((a, b) => failureCountOf(a) - failureCountOf(b))
    )
  }

  async function cleanUp(): Promise<void> {
    if (clock.now() < cleaningFrom) return
    cleaningFrom = clock.now() + cleaningMs
    await sync.deleteUnneeded()
  }

  function isQuiet(): boolean {
    const { from, until, wakeUps } = quiet
    const now = clock.now()
    return now >= from && now < until && wakeUps === demand.wakeUps()
  }

  /** Calculates the time before which nothing is due, unless the store or demand changes. */
  function rest(): void {
    const now = clock.now()
    const current = load()
    const isBusy = !attempts.areAllOver() || details.isUnderWay()
    const isWaiting = now < unreadFrom || resources().some((each) => backoff.failureOf(each))
    const dueAt = resources().map(
      (each) => (sync.kept(each)?.readAt ?? 0) + intervalMsOf(each, current),
    )
    const until = isBusy || isWaiting ? 0 : Math.min(now + maxQuietMs, ...dueAt)
    quiet = { from: now, until, wakeUps: demand.wakeUps() }
  }

  async function tick(): Promise<void> {
    const isStoreChanged = await options.pull()
    if (!isStoreChanged && isQuiet()) return
    await look()
    rest()
  }

  async function look(): Promise<void> {
    intervals.report()
    await cleanUp()
    await intervals.updateUsage()
    const due = dueNow()
    for (const each of due) if (!firstDueAt.has(each)) firstDueAt.set(each, clock.now())
    if (!backoff.isOutage()) return refreshAll(due)
    const [probe] = due
    const mayProbe = probe !== undefined && attempts.areAllOver()
    if (mayProbe && (await sync.isAlone('probe', probeMs))) void refresh(probe)
  }

  return {
    intervals,
    isStarting: (resource) => clock.now() - (firstDueAt.get(resource) ?? Infinity) < firstReadMs,
    refresh,
    details,
    async run(afterMs) {
      unreadFrom = clock.now() + afterMs
      await every(clock, tickMs, signal, () => {
        if (sync.isUpToDate() && isQuiet()) return undefined
        return tick().catch((error: unknown) =>
          options.log.error({ err: error }, 'scheduling reads failed'),
        )
      })
    },
  }
}

/** Starts reads of collections. */
function createReads(
  { sync, backoff, attempts, demand, store, signal }: SchedulerOptions,
  isDue: Intervals['isDue'],
  details: DetailRefresh,
) {
  const refresh = (resource: FeedResource): Promise<void> => {
    const priority = () => demand.priorityOf(resource)
    return attempts.join(resource, () =>
      sync.refresh(resource, { priority, isDue: () => isDue(resource) }),
    )
  }

  /** Reads one collection after the other, so that they share a connection to the website. */
  async function refreshInTurn(due: readonly FeedResource[]): Promise<void> {
    for (const resource of due) {
      // If a response is slow, the next check starts the other reads, so they may not be due anymore.
      if (!signal.aborted && isDue(resource) && backoff.mayTry(resource)) await refresh(resource)
    }
    if (!signal.aborted) details.readNext()
  }

  return {
    refresh,
    refreshAll: (due: readonly FeedResource[]) => {
      // If Redis fails, each replica reads for itself, and all should see a change at the same time.
      const isOneFile = store.version() !== undefined
      const isKnown = due.every((resource) => sync.kept(resource))
      if (isOneFile && isKnown && attempts.areAllOver()) return void refreshInTurn(due)
      for (const resource of due) void refresh(resource)
      details.readNext()
    },
  }
}

import { every, minuteMs } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import { siteDateAt, type SiteDate } from '../../records/site-time.ts'
import type { CollectionSync, CollectionSyncOptions } from '../copy/collection-sync.ts'
import { nextDetail, upcoming } from '../copy/sign-up-details.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../upstream/upstream-error.ts'
import {
  createAttempts,
  createBackoff,
  type Attempts,
  type Backoff,
  type Failure,
} from './backoff.ts'
import {
  callsPerRound,
  detailIntervalMs,
  intervalFactorOf,
  intervalSentence,
  readingIntervalMs,
  type Demand,
  type Load,
} from './reading-interval.ts'
import { detailedResource } from '../copy/resource-rules.ts'

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
  ScheduleSettings & {
    readonly sync: CollectionSync
    /** Backoff of the whole site. */
    readonly backoff: Backoff
    readonly attempts: Attempts
    readonly demand: Demand
    /** Resolves to false if there is nothing new in the store. */
    readonly pull: () => Promise<boolean>
  }

export function createScheduler(options: SchedulerOptions) {
  const { sync, backoff, attempts, demand, resources, clock, signal } = options
  const { freshMs, callsPerDay } = options
  const detailRefresh = createDetailRefresh(options)
  let usedToday = 0
  let unreadFrom = 0
  let cleaningFrom = 0
  let hasReportedInterval = false
  let quiet = { from: 0, until: 0, wakeUps: 0 }
  const firstDueAt = new Map<FeedResource, number>()
  let latestDay = { minute: NaN, date: '' }

  /** Looks up the date, which is slow, once a minute. Dates only change on the minute. */
  function today(): SiteDate {
    const now = clock.now()
    const minute = Math.floor(now / minuteMs)
    if (minute === latestDay.minute) return latestDay.date
    latestDay = { minute, date: siteDateAt(now, options.siteTimeZone) }
    return latestDay.date
  }

  const upcomingSheets = (day = today()) =>
    upcoming(sync.kept(detailedResource)?.collection.records ?? [], day)

  const callsOf = (resource: FeedResource) => sync.kept(resource)?.calls ?? 1

  function currentLoad(day = today()): Load {
    const read = resources().filter((resource) => !sync.refusalOf(resource))
    return {
      freshMs,
      callsPerDay,
      usedToday,
      callsPerRound: callsPerRound(read, callsOf),
      details: upcomingSheets(day).length,
    }
  }

  function intervalMsOf(resource: FeedResource, load = currentLoad()): number {
    // Read a collection at the normal interval while its loss is held back, until further readings
    // confirm the loss or the records reappear.
    const isIdle = demand.isIdle(resource) && !sync.kept(resource)?.held
    return readingIntervalMs(load, isIdle) * intervalFactorOf(resource)
  }

  function isDue(resource: FeedResource, load = currentLoad()): boolean {
    const readAt = sync.kept(resource)?.readAt ?? 0
    // `readAt` may be in the future if a clock was ahead.
    return Math.abs(clock.now() - readAt) >= intervalMsOf(resource, load)
  }

  /** Reads a collection if it is due, or joins the attempt in progress. Never rejects. */
  function refresh(resource: FeedResource): Promise<void> {
    const priority = () => demand.priorityOf(resource)
    return attempts.join(resource, () =>
      sync.refresh(resource, { priority, isDue: () => isDue(resource) }),
    )
  }

  function refreshNextDetail(): void {
    if (demand.isIdle(detailedResource) || attempts.isUnderWay(detailedResource)) return
    const day = today()
    detailRefresh.readNext(day, detailIntervalMs(currentLoad(day)))
  }

  /** Refreshes the details of all upcoming sign-up sheets that are due, one at a time. */
  async function refreshAllDetails(ending: AbortSignal): Promise<void> {
    const sheets = upcomingSheets().length
    for (let count = 0; count < sheets && !ending.aborted; count += 1) {
      refreshNextDetail()
      if (!detailRefresh.isUnderWay()) return
      await detailRefresh.over()
    }
  }

  const failureCountOf = (resource: FeedResource) =>
    backoff.failureOf(resource)?.consecutiveFailures ?? 0

  /** Returns the collections to read now, failing ones last. */
  function dueNow(): readonly FeedResource[] {
    const load = currentLoad()
    return (
      resources()
        .filter((resource) => isDue(resource, load) && backoff.mayTry(resource))
        .filter((resource) => clock.now() >= unreadFrom || demand.hasBeenRead(resource))
        // Writing the collection would conflict with writing its details.
        .filter((resource) => resource !== detailedResource || !detailRefresh.isUnderWay())
        .sort((a, b) => failureCountOf(a) - failureCountOf(b))
    )
  }

  async function updateUsage(): Promise<void> {
    usedToday = await options.usedToday()
  }

  async function cleanUp(): Promise<void> {
    if (clock.now() < cleaningFrom) return
    cleaningFrom = clock.now() + cleaningMs
    await sync.deleteUnneeded()
  }

  const isKnown = (resource: FeedResource) =>
    sync.kept(resource) ?? sync.refusalOf(resource) ?? backoff.failureOf(resource)

  /** Logs once that the interval is longer than configured, when the number of calls is known. */
  function reportInterval(): void {
    if (hasReportedInterval || !resources().every(isKnown)) return
    hasReportedInterval = true
    const sentence = intervalSentence(currentLoad())
    if (sentence !== undefined) options.log.warn(sentence)
  }

  function isQuiet(): boolean {
    const { from, until, wakeUps } = quiet
    const now = clock.now()
    return now >= from && now < until && wakeUps === demand.wakeUps()
  }

  /** Calculates the time before which nothing is due, unless the store or demand changes. */
  function rest(): void {
    const now = clock.now()
    const load = currentLoad()
    const isBusy = !attempts.areAllOver() || detailRefresh.isUnderWay()
    const isWaiting = now < unreadFrom || resources().some((each) => backoff.failureOf(each))
    const dueAt = resources().map(
      (each) => (sync.kept(each)?.readAt ?? 0) + intervalMsOf(each, load),
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
    reportInterval()
    await cleanUp()
    await updateUsage()
    const due = dueNow()
    for (const each of due) if (!firstDueAt.has(each)) firstDueAt.set(each, clock.now())
    if (!backoff.isOutage()) {
      for (const resource of due) void refresh(resource)
      return refreshNextDetail()
    }
    const [probe] = due
    const mayProbe = probe !== undefined && attempts.areAllOver()
    if (mayProbe && (await sync.isAlone('probe', probeMs))) void refresh(probe)
  }

  return {
    isDue: (resource: FeedResource) => isDue(resource),
    intervalMsOf: (resource: FeedResource) => intervalMsOf(resource),
    /** Returns true until the first read of a collection has been due for too long. */
    isStarting: (resource: FeedResource) =>
      clock.now() - (firstDueAt.get(resource) ?? Infinity) < firstReadMs,
    load: () => currentLoad(),
    refresh,
    detailRefresh,
    refreshAllDetails,
    updateUsage,
    /** Runs until aborted. Collections that have not been requested wait for `afterMs` first. */
    async run(afterMs: number): Promise<void> {
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

const allSheets = 'signup details'

/** Errors that a single sheet can cause. Other errors affect the whole site. */
const faultsOfSheets: readonly UpstreamErrorKind[] = [
  'server_error',
  'unexpected_answer',
  'body_too_large',
  'collection_too_large',
  'invalid_parameter',
]

/** Reads the details of sign-up sheets, one sheet at a time. */
function createDetailRefresh(options: SchedulerOptions) {
  const { sync, backoff, clock, random, log, signal } = options
  const sheetBackoff = createBackoff({ clock, random, keyCount: () => 0 })
  const ownBackoff = { ...sheetBackoff, failed, succeeded }
  const attempts = createAttempts({ backoff: ownBackoff, clock, log, signal })

  function failed(name: string, error: unknown): Failure {
    const isOfSheet = error instanceof UpstreamError && faultsOfSheets.includes(error.kind)
    return isOfSheet ? sheetBackoff.failed(name, error) : backoff.failed(allSheets, error)
  }

  function succeeded(name: string): void {
    sheetBackoff.succeeded(name)
    backoff.succeeded(allSheets)
  }

  return {
    readNext(today: SiteDate, intervalMs: number): void {
      const kept = sync.kept(detailedResource)
      if (!kept || kept.held || !backoff.mayTry(allSheets) || !attempts.areAllOver()) return
      const mayTry = (id: number) => sheetBackoff.mayTry(nameOf(id))
      const next = nextDetail(kept, { today, intervalMs, now: clock.now(), mayTry })
      if (next) void attempts.join(nameOf(next.id), () => sync.refreshDetail(next))
    },
    isUnderWay: () => !attempts.areAllOver(),
    over: attempts.allOver,
    failures(today: SiteDate): readonly Failure[] {
      const ofAll = backoff.ownFailureOf(allSheets) ?? []
      const sheets = upcoming(sync.kept(detailedResource)?.collection.records ?? [], today)
      return sheets.flatMap(({ id }) => sheetBackoff.ownFailureOf(nameOf(id)) ?? []).concat(ofAll)
    },
    forget: sheetBackoff.forget,
  }
}

function nameOf(sheetId: number): string {
  return `${allSheets} of ${sheetId}`
}

import { minuteMs } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { RecordOf } from '../../records/read-records.ts'
import { siteDateAt, type SiteDate } from '../../records/site-time.ts'
import { detailedResource } from '../copy/resource-rules.ts'
import { upcoming } from '../copy/sign-up-details.ts'
import {
  callsPerRound,
  intervalFactorOf,
  intervalSentence,
  readingIntervalMs,
  type Load,
} from './reading-interval.ts'
import type { ScheduleParts } from './schedule-parts.ts'

export type Intervals = {
  readonly today: () => SiteDate
  readonly upcomingSheets: () => readonly RecordOf['signup'][]
  readonly load: () => Load
  readonly intervalMsOf: (resource: FeedResource, load?: Load) => number
  readonly isDue: (resource: FeedResource, load?: Load) => boolean
  /** Logs once that the interval is longer than configured, when the number of calls is known. */
  readonly report: () => void
  /** Loads the number of calls used today. */
  readonly updateUsage: () => Promise<void>
}

/** Decides how often each collection is read, within the calls per day. */
export function createIntervals(
  options: ScheduleParts & {
    readonly siteTimeZone: string
    readonly freshMs: number
    readonly callsPerDay: number
    readonly usedToday: () => Promise<number>
  },
): Intervals {
  const { sync, backoff, demand, resources, clock, freshMs, callsPerDay } = options
  let usedToday = 0
  let hasReported = false
  let latestDay = { minute: NaN, date: '' }

  /** Looks up the date, which is slow, once a minute. Dates only change on the minute. */
  function today(): SiteDate {
    const now = clock.now()
    const minute = Math.floor(now / minuteMs)
    if (minute === latestDay.minute) return latestDay.date
    latestDay = { minute, date: siteDateAt(now, options.siteTimeZone) }
    return latestDay.date
  }

  const upcomingSheets = () =>
    upcoming(sync.kept(detailedResource)?.collection.records ?? [], today())

  const callsOf = (resource: FeedResource) => sync.kept(resource)?.calls ?? 1

  function load(): Load {
    const read = resources().filter((resource) => !sync.refusalOf(resource))
    return {
      freshMs,
      callsPerDay,
      usedToday,
      callsPerRound: callsPerRound(read, callsOf),
      details: upcomingSheets().length,
    }
  }

  function intervalMsOf(resource: FeedResource, current = load()): number {
    // Read a collection at the normal interval while its loss is held back, until further readings
    // confirm the loss or the records reappear.
    const isIdle = demand.isIdle(resource) && !sync.kept(resource)?.held
    return readingIntervalMs(current, isIdle) * intervalFactorOf(resource)
  }

  function isDue(resource: FeedResource, current = load()): boolean {
    const readAt = sync.kept(resource)?.readAt ?? 0
    // `readAt` may be in the future if a clock was ahead.
    return Math.abs(clock.now() - readAt) >= intervalMsOf(resource, current)
  }

  const isKnown = (resource: FeedResource) =>
    sync.kept(resource) ?? sync.refusalOf(resource) ?? backoff.failureOf(resource)

  function report(): void {
    if (hasReported || !resources().every(isKnown)) return
    hasReported = true
    const sentence = intervalSentence(load())
    if (sentence !== undefined) options.log.warn(sentence)
  }

  return {
    today,
    upcomingSheets,
    load,
    intervalMsOf,
    isDue,
    report,
    async updateUsage() {
      usedToday = await options.usedToday()
    },
  }
}

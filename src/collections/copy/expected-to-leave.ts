import type { RecordOf } from '../../records/read-records.ts'
import type { FeedResource } from '../../records/resources.ts'
import { daysAfter, type SiteDate, type SiteDateTime } from '../../records/site-time.ts'
import { smallCollection } from './loss-guard.ts'
import { rulesFor } from './resource-rules.ts'

const dayMs = 24 * 60 * 60 * 1000

/** First and last requested day. */
export type Days = { readonly from: SiteDate; readonly to: SiteDate }

/** Returns true for a record outside these days. */
export function isOutside(record: object, days: Days | undefined): boolean {
  const { startDate, endDate } = record as Partial<RecordOf['rental']>
  if (!days || startDate === undefined) return false
  return (endDate ?? startDate) < days.from || startDate > days.to
}

/**
 * Returns a function that returns true for records whose removal is expected. These are records
 * outside the requested days, expired announcements, and past records in small collections, which
 * webmasters clean up by hand.
 */
export function expectedToLeave<R extends FeedResource>(
  resource: R,
  records: readonly RecordOf[R][],
  { days, siteNow = '' }: { readonly days: Days | undefined; readonly siteNow?: SiteDateTime },
): (id: number) => boolean {
  const { endOf, leavesWhenOver = false } = rulesFor(resource)
  const mayEnd = leavesWhenOver || records.length < smallCollection
  const isOver = (record: RecordOf[R]) => {
    const end = mayEnd ? endOf?.(record) : undefined
    return end !== undefined && end < siteNow.slice(0, end.length)
  }
  const ids = records
    .filter((record) => isOutside(record, days) || isOver(record))
    .map(({ id }) => id)
  const expected = new Set(ids)
  return (id) => expected.has(id)
}

/**
 * Returns a function that returns true for records that were created after the previous reading.
 * Other records may appear because the requested days have moved, or because the website could not
 * send them before.
 */
export function createdSince(
  records: readonly { readonly id: number }[],
  reading: {
    readonly days: Days | undefined
    readonly siteNow: SiteDateTime
    readonly elapsedMs: number
  },
): (id: number) => boolean {
  const { days, siteNow, elapsedMs } = reading
  const elapsedDays = Math.max(1, Math.ceil(elapsedMs / dayMs))
  const lastDayBefore = days && daysAfter(days.to, -elapsedDays)
  // A day more, because the website's clock may differ.
  const firstDay = daysAfter(siteNow.slice(0, 10), -elapsedDays - 1)
  const isNew = (record: object) => {
    const { startDate = '', created } = record as Partial<RecordOf['events']>
    const wasRequested = lastDayBefore === undefined || startDate <= lastDayBefore
    return wasRequested && (created === undefined || created >= firstDay)
  }
  const ids = new Set(records.filter(isNew).map(({ id }) => id))
  return (id) => ids.has(id)
}

import type { RecordOf } from '../../records/read-records.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { SiteDate, SiteDateTime } from '../../records/site-time.ts'
import { smallCollection } from './loss-guard.ts'
import { rulesFor } from './resource-rules.ts'

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

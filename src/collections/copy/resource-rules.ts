import type { RecordOf } from '../../records/read-records.ts'
import type { FeedResource } from '../../records/resources.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import type { Query } from '../../upstream/data-service.ts'

/** Number of days before and after today for which calendar entries, events and rentals are kept. */
export type DayWindow = { readonly pastDays: number; readonly futureDays: number }

/** How the records of a resource are requested, limited, and expected to be removed. */
export type ResourceRules<R extends FeedResource> = {
  /**
   * Returns the query parameters for a day in the site's time zone. Undefined if there are none.
   */
  readonly queryFor?: (today: SiteDate, window: DayWindow) => Query
  /**
   * Returns the date that determines which records are newest and kept, for resources without a day
   * window.
   */
  readonly dateOf?: (record: RecordOf[R]) => string
  /** Returns the end of a record as a `SiteDate` or `SiteDateTime`, if it has one. */
  readonly endOf?: (record: RecordOf[R]) => string | undefined
  /** True if the removal of past records is expected regardless of the collection's size. */
  readonly leavesWhenOver?: boolean
}

/** The resource whose records have details, which take one call each. */
export const detailedResource = 'signup' satisfies FeedResource

const allRecords = (): Query => ({ All: '1' })

const daysIn = (today: SiteDate, { pastDays, futureDays }: DayWindow): Query => ({
  StartDate: daysAfter(today, -pastDays),
  EndDate: daysAfter(today, futureDays),
})

const lastDayOf = ({ startDate, endDate }: RecordOf['calendar' | 'events' | 'rental']) =>
  endDate ?? startDate

const scheduled = { queryFor: daysIn, endOf: lastDayOf }

const rules: { readonly [R in FeedResource]?: ResourceRules<R> } = {
  announce: {
    queryFor: allRecords,
    dateOf: ({ created }) => created ?? '',
    endOf: ({ expires }) => expires,
    // Expired announcements are not shown.
    leavesWhenOver: true,
  },
  calendar: scheduled,
  events: scheduled,
  news: { dateOf: ({ date }) => date },
  rental: scheduled,
  signup: { queryFor: allRecords, dateOf: ({ date }) => date, endOf: ({ date }) => date },
}

/**
 * Returns a resource's rules, which are empty if it is read without parameters and kept entirely.
 */
export function rulesFor<R extends FeedResource>(resource: R): ResourceRules<R> {
  return rules[resource] ?? {}
}

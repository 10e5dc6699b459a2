import type { RecordOf } from '../../records/read-records.ts'
import type { FeedResource } from '../../records/resources.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import type { Query } from '../../upstream/data-service.ts'

/** How many days before and after today calendars, events and rental bookings are kept. */
export type DayWindow = { readonly pastDays: number; readonly futureDays: number }

/** How the records of a resource are asked for, kept, and expected to leave. */
export type ResourceRules<R extends FeedResource> = {
  /** What is asked of the data service on a day of the site; nothing in particular without it. */
  readonly queryFor?: (today: SiteDate, window: DayWindow) => Query
  /** By what the newest are kept, where no window of days bounds them. */
  readonly dateOf?: (record: RecordOf[R]) => string
  /** When a record is over, where it ever is: a `SiteDate`, or a `SiteDateTime`. */
  readonly endOf?: (record: RecordOf[R]) => string | undefined
  /** Whether records that are over may be missing from a collection of any size. */
  readonly leavesWhenOver?: boolean
}

/** The resource whose records have details, each read by a call of its own. */
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
    // Nobody sees an expired announcement.
    leavesWhenOver: true,
  },
  calendar: scheduled,
  events: scheduled,
  news: { dateOf: ({ date }) => date },
  rental: scheduled,
  signup: { queryFor: allRecords, dateOf: ({ date }) => date, endOf: ({ date }) => date },
}

/** Returns the rules of a resource; none for one whose records are all kept as they are read. */
export function rulesFor<R extends FeedResource>(resource: R): ResourceRules<R> {
  return rules[resource] ?? {}
}

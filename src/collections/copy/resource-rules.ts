import { lastDateOf } from '../../records/fields.ts'
import type { RecordOf } from '../../records/read-records.ts'
import {
  databaseIdFrom,
  type DatabaseResource,
  type FeedResource,
} from '../../records/resources.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import type { Query } from '../../upstream/data-service.ts'

/** Number of days before and after today for which calendar entries, events and rentals are kept. */
export type DayWindow = { readonly pastDays: number; readonly futureDays: number }

/** How to request a resource, limit its records, and expect their removal. */
export type ResourceRules<R extends FeedResource> = {
  /** Query parameters for a day in the site's time zone. By default, none are sent. */
  readonly queryFor?: (today: SiteDate, window: DayWindow) => Query
  /** Date that determines the newest records to keep, for a resource without a day window. */
  readonly dateOf?: (record: RecordOf[R]) => string
  /** Returns the end of a record as a `SiteDate` or `SiteDateTime`, if it has one. */
  readonly endOf?: (record: RecordOf[R]) => string | undefined
  /** Multiple of the usual interval between reads. By default, it is 1. */
  readonly intervalFactor?: number
  /** True if the removal of past records is expected regardless of the collection's size. */
  readonly leavesWhenOver?: boolean
  /** True if the copy is deleted when no link needs it anymore. Other copies are kept. */
  readonly isPrivate?: boolean
}

/** The resource whose records have details. Each record's details take a separate call. */
export const detailedResource = 'signup' satisfies FeedResource

const allRecords = (): Query => ({ All: '1' })

const daysIn = (today: SiteDate, { pastDays, futureDays }: DayWindow): Query => ({
  StartDate: daysAfter(today, -pastDays),
  EndDate: daysAfter(today, futureDays),
})

const scheduled = { queryFor: daysIn, endOf: lastDateOf }

/** For records that can be read less often than entries and news: every half hour by default. */
const slower = { intervalFactor: 6 }

/** For records that rarely change: every hour by default. */
const slowest = { intervalFactor: 12 }

const rules: { readonly [R in FeedResource]?: ResourceRules<R> } = {
  announce: {
    queryFor: allRecords,
    dateOf: ({ created }) => created ?? '',
    endOf: ({ expires }) => expires,
    // Expired announcements are not shown.
    leavesWhenOver: true,
  },
  calendar: scheduled,
  discuss: { ...slower, dateOf: ({ lastPost, created }) => lastPost ?? created ?? '' },
  documents: { ...slower, dateOf: ({ created }) => created ?? '' },
  events: scheduled,
  guestbook: { ...slower, dateOf: ({ created }) => created },
  'members/contacts': { ...slowest, isPrivate: true },
  minutes: { ...slower, dateOf: ({ meetingDate }) => meetingDate },
  news: { dateOf: ({ date }) => date },
  rental: scheduled,
  // The endpoint has several lists. This one has the expiration dates.
  training: { queryFor: () => ({ Type: 'membercerts' }) },
  'training/membercerts': { ...slowest, queryFor: () => ({ Type: 'membercerts' }) },
  'training/presentations': {
    ...slowest,
    queryFor: () => ({ Type: 'presentations' }),
    dateOf: ({ created }) => created ?? '',
  },
  'training/quizzes': {
    ...slowest,
    queryFor: () => ({ Type: 'quizzes' }),
    dateOf: ({ created }) => created ?? '',
  },
  signup: { queryFor: allRecords, dateOf: ({ date }) => date, endOf: ({ date }) => date },
}

const databaseRules = (id: number): ResourceRules<DatabaseResource> => ({
  ...slowest,
  queryFor: () => ({ DatabaseID: String(id) }),
  dateOf: ({ modified, created }) => modified ?? created ?? '',
})

/** A resource without rules is read without parameters and kept entirely. */
export function rulesFor<R extends FeedResource>(resource: R): ResourceRules<R> {
  const databaseId = databaseIdFrom(resource)
  const known = databaseId === undefined ? rules[resource] : databaseRules(databaseId)
  return (known ?? {}) as ResourceRules<R>
}

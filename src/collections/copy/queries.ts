import type { FeedResource } from '../../records/resources.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import type { Query } from '../../upstream/data-service.ts'

/** How many days before and after today calendars, events and rental bookings are kept. */
export type DayWindow = { readonly pastDays: number; readonly futureDays: number }

/** What is asked of the data service for a collection, on a day of the site. */
export function queryFor(resource: FeedResource, today: SiteDate, window: DayWindow): Query {
  switch (resource) {
    case 'calendar':
    case 'events':
    case 'rental':
      return {
        StartDate: daysAfter(today, -window.pastDays),
        EndDate: daysAfter(today, window.futureDays),
      }
    case 'announce':
    case 'signup':
      return { All: '1' }
    case 'news':
      return {}
  }
}

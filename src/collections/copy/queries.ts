import type { FeedResource } from '../../records/resources.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import type { Query } from '../../upstream/data-service.ts'

/** Number of days before and after today for which calendar entries, events and rentals are kept. */
export type DayWindow = { readonly pastDays: number; readonly futureDays: number }

/** Returns the query for a collection on a given site day. */
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
    default:
      return {}
  }
}

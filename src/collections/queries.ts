import type { Resource } from '../records/read-records.ts'
import { daysAfter, type SiteDate } from '../records/site-time.ts'
import type { Query } from '../upstream/data-service.ts'

const daysBack = 400
const daysAhead = 550

/** What is asked of the data service for a collection, on a day of the site. */
export function queryFor(resource: Resource, today: SiteDate): Query {
  switch (resource) {
    case 'calendar':
    case 'events':
      return { StartDate: daysAfter(today, -daysBack), EndDate: daysAfter(today, daysAhead) }
    case 'news':
      return {}
  }
}

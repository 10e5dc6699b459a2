import { knownPart } from '../../records/known-part.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { SiteDateTime } from '../../records/site-time.ts'
import type { DataService } from '../../upstream/data-service.ts'
import type { Priority } from '../../upstream/throttle.ts'
import { withDetailsOf } from './sign-up-items.ts'
import type { FetchResult } from './collection-copy.ts'
import { detailedResource, rulesFor, type DayWindow } from './resource-rules.ts'

/** Reads the items of a collection. Rejects with an `UpstreamError`. */
export async function fetchItems(
  dataService: DataService,
  resource: FeedResource,
  options: {
    readonly siteNow: SiteDateTime
    readonly window: DayWindow
    readonly priority: () => Priority
  },
): Promise<FetchResult> {
  const { siteNow, window, priority } = options
  const query = rulesFor(resource).queryFor?.(siteNow.slice(0, 10), window) ?? {}
  const { items, calls } = await dataService.readAll(resource, query, priority, (page) => ({
    ...page,
    items: page.items.map((item) => knownPart(resource, item)),
    sheet: undefined,
  }))
  // Feedhouse stores details in this property, which listings do not have.
  const bare =
    resource === detailedResource ? items.map((item) => withDetailsOf(item, undefined)) : items
  const { StartDate: from, EndDate: to } = query
  return { items: bare, calls, days: from && to ? { from, to } : undefined, siteNow }
}

import { databaseFieldsFrom, databaseItem } from '../../records/custom-database.ts'
import { knownPart } from '../../records/known-part.ts'
import { databaseIdFrom, endpointOf, type FeedResource } from '../../records/resources.ts'
import type { SiteDateTime } from '../../records/site-time.ts'
import type { DataService } from '../../upstream/data-service.ts'
import type { Page } from '../../upstream/envelope.ts'
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
  const endpoint = endpointOf(resource)
  const { items, calls, envelope } = await dataService.readAll(
    endpoint,
    query,
    priority,
    (page) => ({
      ...page,
      items: itemsOf(resource, page).map((item) => knownPart(resource, item)),
      sheet: undefined,
      fields: undefined,
    }),
  )
  // Feedhouse stores details in this property, which listings do not have.
  const bare =
    resource === detailedResource ? items.map((item) => withDetailsOf(item, undefined)) : items
  const { StartDate: from, EndDate: to } = query
  const days = from && to ? { from, to } : undefined
  return { items: bare, calls, days, siteNow, generated: envelope.generated }
}

function itemsOf(resource: FeedResource, { items, fields }: Page): readonly unknown[] {
  if (databaseIdFrom(resource) === undefined) return items
  const listed = databaseFieldsFrom(fields)
  return items.map((item) => databaseItem(item, listed))
}

import { databaseFieldsFrom, databaseItem } from '../../records/custom-database.ts'
import { knownPart } from '../../records/known-part.ts'
import { databaseIdFrom, endpointOf, type FeedResource } from '../../records/resources.ts'
import type { SiteDateTime } from '../../records/site-time.ts'
import type { DataService } from '../../upstream/data-service.ts'
import type { Page } from '../../upstream/envelope.ts'
import type { Priority } from '../../upstream/throttle.ts'
import type { FetchResult } from './collection-copy.ts'
import { withDetailsOf } from './content.ts'
import { hashOf } from './ledger.ts'
import { detailedResource, rulesFor, type DayWindow } from './resource-rules.ts'

/** Items of each page of a reading, by the page's hash. */
type KnownPages = ReadonlyMap<string, readonly unknown[]>

/**
 * Reads the items of collections without unknown properties. A page that has not changed since the latest
 * reading has the same objects again, so that nobody has to check them again.
 */
export function createItemReader(dataService: DataService, window: DayWindow) {
  const latest = new Map<FeedResource, KnownPages>()

  return {
    async read(
      resource: FeedResource,
      { siteNow, priority }: { readonly siteNow: SiteDateTime; readonly priority: () => Priority },
    ): Promise<FetchResult> {
      const query = rulesFor(resource).queryFor?.(siteNow.slice(0, 10), window) ?? {}
      const before = latest.get(resource)
      const pages = new Map<string, readonly unknown[]>()
      const withKnownItems = (page: Page): Page => {
        const hash = hashOf([page.items, page.fields])
        const items = before?.get(hash) ?? knownItems(resource, page)
        pages.set(hash, items)
        return { ...page, items: [...items], sheet: undefined, fields: undefined }
      }
      const endpoint = endpointOf(resource)
      const { items, calls, envelope } = await dataService.readAll(
        endpoint,
        query,
        priority,
        withKnownItems,
      )
      latest.set(resource, pages)
      const { StartDate: from, EndDate: to } = query
      const days = from && to ? { from, to } : undefined
      return { items, calls, days, siteNow, generated: envelope.generated }
    },
    /** Forgets the items of collections that are no longer kept. */
    forget(isKept: (resource: FeedResource) => boolean): void {
      for (const resource of latest.keys()) if (!isKept(resource)) latest.delete(resource)
    },
  }
}

function knownItems(resource: FeedResource, { items, fields }: Page): readonly unknown[] {
  if (databaseIdFrom(resource) !== undefined) {
    const listed = databaseFieldsFrom(fields)
    return items.map((item) => knownPart(resource, databaseItem(item, listed)))
  }
  const known = items.map((item) => knownPart(resource, item))
  // Feedhouse stores details in this property, which listings do not have.
  return resource === detailedResource ? known.map((item) => withDetailsOf(item, undefined)) : known
}

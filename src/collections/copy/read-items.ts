import { databaseFieldsFrom, databaseItem } from '../../records/custom-database.ts'
import { knownPart } from '../../records/known-part.ts'
import { databaseIdFrom, endpointOf, type FeedResource } from '../../records/resources.ts'
import type { SiteDateTime } from '../../records/site-time.ts'
import type { DataService } from '../../upstream/data-service.ts'
import type { Page } from '../../upstream/envelope.ts'
import type { Priority } from '../../upstream/throttle.ts'
import type { FetchResult, KnownPage } from './collection-copy.ts'
import { withDetailsOf } from './content.ts'
import { detailedResource, rulesFor, type DayWindow } from './resource-rules.ts'

/** Reads the known properties of items. An unchanged page shares its item objects. */
export async function readItems(
  dataService: DataService,
  resource: FeedResource,
  options: {
    readonly siteNow: SiteDateTime
    readonly window: DayWindow
    readonly priority: () => Priority
    readonly pagesBefore?: readonly KnownPage[] | undefined
  },
): Promise<FetchResult> {
  const { siteNow, window, priority, pagesBefore = [] } = options
  const query = rulesFor(resource).queryFor?.(siteNow.slice(0, 10), window) ?? {}
  const pages: KnownPage[] = []
  const reading = await dataService.readAll(endpointOf(resource), query, priority, (page) => {
    const { bodyHash } = page
    const before = bodyHash && pagesBefore.find((known) => known.bodyHash === bodyHash)
    const { items } = before || { items: knownItems(resource, page) }
    pages.push({ bodyHash, items })
    return { ...page, items: [...items], sheet: undefined, fields: undefined }
  })
  const { items, calls, envelope } = reading
  const { StartDate: from, EndDate: to } = query
  const days = from && to ? { from, to } : undefined
  return { items, pages, calls, days, siteNow, generated: envelope.generated }
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

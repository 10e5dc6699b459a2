import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, RenderedPage } from '../feeds/feed.ts'
import type { ItemPage } from '../feeds/item-page.ts'
import type { Site } from '../feeds/site.ts'
import type { Profile } from '../records/profile.ts'

/** Memory overhead per page. */
const pageBytes = 2 * 1024

/** Item pages, cached per version of their feed's records. */
export type ItemPages = {
  /**
   * Returns undefined for a record hidden from the profile. Rejects with `CollectionUnavailable` if
   * there is no copy of the records.
   */
  readonly read: (
    feed: Feed,
    record: { readonly id: number; readonly url: string },
    profile: Profile,
  ) => Promise<ItemPage | undefined>
}

type CachedPage = RenderedPage & { readonly ledger: Collection['ledger'] }

/** Creates an LRU cache of pages, bounded by the size of their content. */
export function createItemPages(
  collections: Pick<Collections, 'read'>,
  options: {
    readonly site: Site
    readonly maxBytes: number
    readonly clock: Pick<Clock, 'now'>
  },
): ItemPages {
  const { site, maxBytes, clock } = options
  const kept = new LRUCache<string, CachedPage>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  return {
    async read(feed, { id, url }, profile) {
      const collection: Collection = await collections.read(feed.resource)
      if (!collection.records.some((record) => record.id === id)) return undefined
      const { ledger } = collection
      const name = `${profile} ${feed.id} ${id} ${url}`
      const now = clock.now()
      const known = kept.get(name)
      if (known?.ledger === ledger && now < known.validUntil) return known.page
      const rendered = feed.page(collection, { id, url }, { site, profile, now })
      kept.set(name, { ...rendered, ledger })
      return rendered.page
    },
  }
}

function sizeOf({ page }: CachedPage): number {
  return pageBytes + 2 * (page?.contentHtml.length ?? 0)
}

import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionReader } from '../collections/collections.ts'
import type { Feed, RenderedPage, Renderers } from '../feeds/feed.ts'
import type { ItemPage } from '../feeds/item-page.ts'
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
  /** Renders an entry as a calendar file. Undefined for a record hidden from the profile. */
  readonly eventFile: (feed: Feed, id: number, profile: Profile) => Promise<Buffer | undefined>
  /** Describes an item that the website no longer shows (`Feed.goneText`). */
  readonly goneText: (feed: Feed, id: number) => Promise<string | undefined>
}

type CachedPage = RenderedPage & { readonly ledger: Collection['ledger'] }

/** Creates an LRU cache of pages, bounded by the size of their content. */
export function createItemPages(
  collections: CollectionReader,
  options: {
    readonly renderers: Renderers
    readonly maxBytes: number
    readonly clock: TimeSource
  },
): ItemPages {
  const { renderers, maxBytes, clock } = options
  const { site } = renderers
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
    async eventFile(feed, id, profile) {
      const collection: Collection = await collections.read(feed.resource)
      return feed.eventFile?.(collection, { id }, { profile, now: clock.now() }, renderers)
    },
    async goneText(feed, id) {
      return feed.goneText(await collections.read(feed.resource), id, site)
    },
  }
}

function sizeOf({ page }: CachedPage): number {
  return pageBytes + 2 * (page?.contentHtml.length ?? 0)
}

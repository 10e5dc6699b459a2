import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, RenderedPage } from '../feeds/feed.ts'
import type { ItemPage } from '../feeds/item-page.ts'
import type { Profile } from '../records/profile.ts'
import { RenderingBusy } from './render-queue.ts'
import type { Rendering } from './rendering.ts'

const maxWaiting = 100
/** Memory overhead per page. */
const pageBytes = 2 * 1024

/** Item pages, cached per version of their feed's records. */
export type ItemPages = {
  /**
   * Returns undefined for a record hidden from the profile. Rejects with `CollectionUnavailable` if
   * there is no copy of the records, and with `RenderingBusy` if too many pages are waiting.
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
    readonly rendering: Pick<Rendering, 'page'>
    readonly maxBytes: number
    readonly clock: Pick<Clock, 'now'>
  },
): ItemPages {
  const { rendering, maxBytes, clock } = options
  const kept = new LRUCache<string, CachedPage>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const waiting = new Map<string, Promise<CachedPage>>()

  async function make(
    name: string,
    job: Parameters<Rendering['page']>[0],
    collection: Collection,
  ): Promise<CachedPage> {
    const rendered = await rendering.page(job, collection)
    const page = { ...rendered, ledger: collection.ledger }
    kept.set(name, page)
    return page
  }

  return {
    async read(feed, { id, url }, profile) {
      const collection: Collection = await collections.read(feed.resource)
      if (!collection.records.some((record) => record.id === id)) return undefined
      const name = `${profile} ${feed.id} ${id} ${url}`
      const now = clock.now()
      const known = kept.get(name)
      if (known?.ledger === collection.ledger && now < known.validUntil) return known.page
      if (!waiting.has(name) && waiting.size >= maxWaiting) throw new RenderingBusy()
      const made = waiting.get(name) ?? make(name, { feed, id, url, profile, now }, collection)
      waiting.set(name, made)
      try {
        return (await made).page
      } finally {
        waiting.delete(name)
      }
    },
  }
}

function sizeOf({ page }: CachedPage): number {
  return pageBytes + 2 * (page?.contentHtml.length ?? 0)
}

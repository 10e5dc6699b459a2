import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionReader } from '../collections/collections.ts'
import { noListOptions } from '../feeds/feed-options.ts'
import type { FeedOverview, Feed, FeedRequest, RenderedPage, Renderers } from '../feeds/feed.ts'
import { prepareSearch } from '../feeds/prepare-search.ts'
import type { ItemPage } from '../feeds/item-page.ts'
import type { ChosenOptions } from '../options/option.ts'
import type { Language } from '../records/messages.ts'
import type { Profile } from '../records/profile.ts'

const maxOverviews = 64

/** Maximum number of overviews of searches, which must not displace others. */
const maxSearches = 16

/** Memory overhead per page. */
const pageBytes = 2 * 1024

type Versioned<T> = T & { readonly ledger: Collection['ledger'] }

/** Returns cached content, or creates it again if the records have changed or it is outdated. */
function currentContent<T extends { readonly validUntil: number }>(
  cache: LRUCache<string, Versioned<T>>,
  name: string,
  { ledger }: Collection,
  now: number,
  make: () => T,
): T {
  const known = cache.get(name)
  if (known?.ledger === ledger && now < known.validUntil) return known
  const made = { ...make(), ledger }
  cache.set(name, made)
  return made
}

export type Overviews = {
  /** Returns undefined while there is no copy of the records. */
  readonly of: (feed: Feed, profile: Profile, chosen?: ChosenOptions) => FeedOverview | undefined
  /** Waits for the first copy if necessary, or rejects with `CollectionUnavailable`. */
  readonly read: (feed: Feed, profile: Profile, chosen?: ChosenOptions) => Promise<FeedOverview>
  /** Returns true if the overview has been rendered before, even from older records. */
  readonly isKnown: (feed: Feed, profile: Profile, chosen: ChosenOptions) => boolean
}

/**
 * Pages of single items. All methods reject with `CollectionUnavailable` if the records have not been
 * read. Records hidden from the profile are undefined.
 */
export type ItemPages = {
  readonly read: (
    feed: Feed,
    item: { readonly id: number; readonly url: string },
    profile: Profile,
  ) => Promise<ItemPage | undefined>
  readonly eventFile: (
    feed: Feed,
    id: number,
    reader: Pick<FeedRequest, 'profile' | 'entriesChangedAt'>,
  ) => Promise<Buffer | undefined>
  /** Describes an item that the website no longer shows (`Feed.goneText`). */
  readonly goneText: (feed: Feed, id: number) => Promise<string | undefined>
}

/** Returns the content of pages in a language. The default is the website's. */
export type PageContent = (language: Language | undefined) => {
  readonly overviews: Overviews
  readonly itemPages: ItemPages
}

/** All languages share the caches. */
export function createPageContent(
  collections: CollectionReader,
  options: {
    readonly renderers: Renderers
    /** Limit for pages of single items. */
    readonly maxBytes: number
    readonly clock: TimeSource
  },
): PageContent {
  const { clock } = options
  const lists = new LRUCache<string, Versioned<FeedOverview>>({ max: maxOverviews })
  const searches = new LRUCache<string, Versioned<FeedOverview>>({ max: maxSearches })
  const cacheFor = ({ hasText }: ChosenOptions) => (hasText ? searches : lists)
  const items = new LRUCache<string, Versioned<RenderedPage>>({
    maxSize: options.maxBytes,
    sizeCalculation: ({ page }) => pageBytes + 2 * (page?.contentHtml.length ?? 0),
  })
  return (language) => {
    const renderers = options.renderers.inLanguage(language)
    const { site } = renderers

    const nameOf = ({ id }: Feed, profile: Profile, { query }: ChosenOptions) =>
      `${site.language} ${profile} ${id}?${query}`

    function overviewOf(
      feed: Feed,
      profile: Profile,
      chosen: ChosenOptions,
      collection: Collection,
    ): FeedOverview {
      const now = clock.now()
      return currentContent(cacheFor(chosen), nameOf(feed, profile, chosen), collection, now, () =>
        feed.overview(collection, { site, profile, chosen, now }),
      )
    }

    const overviews: Overviews = {
      of(feed, profile, chosen = noListOptions(feed)) {
        const collection = collections.copyOf(feed.resource)
        collections.recordRead(feed.resource)
        return collection && overviewOf(feed, profile, chosen, collection)
      },
      async read(feed, profile, chosen = noListOptions(feed)) {
        const collection: Collection = await collections.read(feed.resource)
        const context = { site, profile, now: clock.now() }
        if (chosen.hasText) await prepareSearch(feed, collection, context)
        return overviewOf(feed, profile, chosen, collection)
      },
      isKnown: (feed, profile, chosen) => cacheFor(chosen).has(nameOf(feed, profile, chosen)),
    }

    const itemPages: ItemPages = {
      async read(feed, { id, url }, profile) {
        const collection: Collection = await collections.read(feed.resource)
        if (!collection.records.some((record) => record.id === id)) return undefined
        const now = clock.now()
        const name = `${site.language} ${profile} ${feed.id} ${id} ${url}`
        const { page } = currentContent(items, name, collection, now, () =>
          feed.page(collection, { id, url }, { site, profile, now }),
        )
        return page
      },
      async eventFile(feed, id, reader) {
        const collection: Collection = await collections.read(feed.resource)
        return feed.eventFile?.(collection, { id }, { ...reader, now: clock.now() }, renderers)
      },
      async goneText(feed, id) {
        return feed.goneText(await collections.read(feed.resource), id, site)
      },
    }
    return { overviews, itemPages }
  }
}

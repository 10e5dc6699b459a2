import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { CollectionReader } from '../collections/collections.ts'
import { noListOptions } from '../feeds/feed-options.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import type { ChosenOptions } from '../options/option.ts'
import type { Profile } from '../records/profile.ts'

/** Limit per site. */
const maxOverviews = 64

/** Summaries of feeds for pages, lists and boards, cached per version of their records. */
export type FeedOverviews = {
  /** Returns undefined while there is no copy of the records. */
  readonly of: (feed: Feed, profile: Profile, chosen?: ChosenOptions) => FeedOverview | undefined
  /**
   * Waits for the first copy if necessary, or rejects with `CollectionUnavailable`.
   */
  readonly read: (feed: Feed, profile: Profile, chosen?: ChosenOptions) => Promise<FeedOverview>
  /** Returns true if the overview has been rendered before, even from older records. */
  readonly isKnown: (feed: Feed, profile: Profile, chosen: ChosenOptions) => boolean
}

type Made = { readonly ledger: Collection['ledger']; readonly overview: FeedOverview }

export function createFeedOverviews(
  collections: CollectionReader,
  { site, clock }: { readonly site: Site; readonly clock: TimeSource },
): FeedOverviews {
  const made = new LRUCache<string, Made>({ max: maxOverviews })

  function overviewOf(
    feed: Feed,
    profile: Profile,
    chosen: ChosenOptions,
    collection: Collection,
  ): FeedOverview {
    const name = nameOf(feed, profile, chosen)
    const { ledger } = collection
    const now = clock.now()
    const known = made.get(name)
    if (known?.ledger === ledger && now < known.overview.validUntil) return known.overview
    const overview = feed.overview(collection, { site, profile, chosen, now })
    made.set(name, { ledger, overview })
    return overview
  }

  return {
    of(feed, profile, chosen = noListOptions(feed)) {
      const collection = collections.copyOf(feed.resource)
      collections.recordRead(feed.resource)
      return collection && overviewOf(feed, profile, chosen, collection)
    },
    async read(feed, profile, chosen = noListOptions(feed)) {
      return overviewOf(feed, profile, chosen, await collections.read(feed.resource))
    },
    isKnown: (feed, profile, chosen) => made.has(nameOf(feed, profile, chosen)),
  }
}

function nameOf({ id }: Feed, profile: Profile, { query }: ChosenOptions): string {
  return `${profile} ${id}?${query}`
}

import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Profile } from '../records/profile.ts'
import type { Rendering } from './rendering.ts'

/** What pages say of feeds, made once for each state of their records. */
export type FeedOverviews = {
  /** Undefined while there is no copy of its records. */
  readonly of: (feed: Feed, profile: Profile) => Promise<FeedOverview | undefined>
  /** Waits for the very first copy, as feeds do, else `CollectionUnavailable`. */
  readonly read: (feed: Feed, profile: Profile) => Promise<FeedOverview>
}

type Made = { readonly ledger: Collection['ledger']; readonly overview: Promise<FeedOverview> }

export function createFeedOverviews(
  collections: Pick<Collections, 'copyOf' | 'noteReader' | 'read'>,
  {
    rendering,
    clock,
  }: { readonly rendering: Pick<Rendering, 'overview'>; readonly clock: Pick<Clock, 'now'> },
): FeedOverviews {
  const made = new Map<string, Made>()

  function make(name: string, feed: Feed, profile: Profile, collection: Collection) {
    const overview = rendering.overview({ feed, profile, now: clock.now() }, collection)
    made.set(name, { ledger: collection.ledger, overview })
    overview.catch(() => made.delete(name))
    return overview
  }

  async function overviewOf(feed: Feed, profile: Profile, collection: Collection) {
    const name = `${profile} ${feed.id}`
    const known = made.get(name)
    if (known?.ledger === collection.ledger) {
      const overview = await known.overview
      if (clock.now() < overview.validUntil) return overview
    }
    return make(name, feed, profile, collection)
  }

  return {
    async of(feed, profile) {
      const collection = collections.copyOf(feed.resource)
      collections.noteReader(feed.resource)
      return collection && overviewOf(feed, profile, collection)
    },
    async read(feed, profile) {
      return overviewOf(feed, profile, await collections.read(feed.resource))
    },
  }
}

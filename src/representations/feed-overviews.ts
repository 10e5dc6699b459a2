import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import { noListOptions } from '../feeds/feed-options.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { Feed } from '../feeds/feed.ts'
import type { ChosenOptions } from '../options/option.ts'
import type { Profile } from '../records/profile.ts'
import type { OverviewJob, Rendering } from './rendering.ts'

/** Limit per site. */
const maxOverviews = 64

/** Summaries of feeds for pages, lists and boards, cached per version of their records. */
export type FeedOverviews = {
  /** Returns undefined while there is no copy of the records. */
  readonly of: (
    feed: Feed,
    profile: Profile,
    chosen?: ChosenOptions,
  ) => Promise<FeedOverview | undefined>
  /**
   * Waits for the first copy if necessary, or rejects with `CollectionUnavailable`.
   */
  readonly read: (feed: Feed, profile: Profile, chosen?: ChosenOptions) => Promise<FeedOverview>
  /** Returns true if the overview has been rendered before, even from older records. */
  readonly isKnown: (feed: Feed, profile: Profile, chosen: ChosenOptions) => boolean
}

type Made = { readonly ledger: Collection['ledger']; readonly overview: Promise<FeedOverview> }

export function createFeedOverviews(
  collections: Pick<Collections, 'copyOf' | 'recordRead' | 'read'>,
  {
    rendering,
    clock,
  }: { readonly rendering: Pick<Rendering, 'overview'>; readonly clock: Pick<Clock, 'now'> },
): FeedOverviews {
  const made = new LRUCache<string, Made>({ max: maxOverviews })

  function make(name: string, job: Omit<OverviewJob, 'now'>, collection: Collection) {
    const overview = rendering.overview({ ...job, now: clock.now() }, collection)
    const latest = { ledger: collection.ledger, overview }
    made.set(name, latest)
    overview.catch(() => {
      if (made.peek(name) === latest) made.delete(name)
    })
    return overview
  }

  async function overviewOf(job: Omit<OverviewJob, 'now'>, collection: Collection) {
    const name = nameOf(job.feed, job.profile, job.chosen)
    const known = made.get(name)
    if (known?.ledger === collection.ledger) {
      const overview = await known.overview
      if (clock.now() < overview.validUntil) return overview
    }
    return make(name, job, collection)
  }

  return {
    async of(feed, profile, chosen = noListOptions(feed)) {
      const collection = collections.copyOf(feed.resource)
      collections.recordRead(feed.resource)
      return collection && overviewOf({ feed, profile, chosen }, collection)
    },
    async read(feed, profile, chosen = noListOptions(feed)) {
      return overviewOf({ feed, profile, chosen }, await collections.read(feed.resource))
    },
    isKnown: (feed, profile, chosen) => made.has(nameOf(feed, profile, chosen)),
  }
}

function nameOf({ id }: Feed, profile: Profile, { query }: ChosenOptions): string {
  return `${profile} ${id}?${query}`
}

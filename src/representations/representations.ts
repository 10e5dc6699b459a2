import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, FeedFormat, Site } from '../feeds.ts'
import { representationOf, type Representation } from './representation.ts'

export type Representations = {
  /** Made once per change. Rejects with `CollectionUnavailable` while there is nothing to show. */
  readonly get: (feed: Feed, format: FeedFormat) => Promise<Representation>
}

type Made = {
  readonly version: string
  readonly validUntil: number
  readonly representation: Representation
}

/** One representation per feed and format, so their number is bounded by the catalogue. */
export function createRepresentations(
  collections: Pick<Collections, 'read'>,
  site: Site,
  clock: Pick<Clock, 'now'>,
): Representations {
  const kept = new Map<string, Made>()

  function make(feed: Feed, format: FeedFormat, collection: Collection, previous?: Made): Made {
    const now = clock.now()
    const { text, validUntil } = feed.render(collection.records, { format, site, now })
    const fresh = representationOf(text, format, previous ? now : collection.changedAt)
    return {
      version: collection.version,
      validUntil: validUntil ?? Infinity,
      representation:
        previous?.representation.etag === fresh.etag ? previous.representation : fresh,
    }
  }

  return {
    async get(feed, format) {
      const name = `${feed.id}.${format}`
      const collection = await collections.read(feed.resource)
      const previous = kept.get(name)
      if (previous?.version === collection.version && clock.now() < previous.validUntil) {
        return previous.representation
      }
      const made = make(feed, format, collection, previous)
      kept.set(name, made)
      return made.representation
    },
  }
}

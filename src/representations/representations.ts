import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, FeedFormat, FeedRequest, Renderers, Variant } from '../feeds/feed.ts'
import type { FeedReviews } from './feed-reviews.ts'
import { representationOf, sizeOf, type Representation } from './representation.ts'

/** Feed links are to come. */
const profile: FeedRequest['profile'] = 'public'

/** With options there are more than can be kept; those used last are. */
const maxKeptBytes = 64 * 1024 * 1024

export type Representations = {
  /** Made once per change. Rejects with `CollectionUnavailable` while there is nothing to show. */
  readonly get: (feed: Feed, variant: Variant, format: FeedFormat) => Promise<Representation>
}

type Made = {
  readonly version: string
  readonly validUntil: number
  readonly representation: Representation
}

export function createRepresentations(
  collections: Pick<Collections, 'read'>,
  {
    renderers,
    reviews,
    clock,
  }: {
    readonly renderers: Renderers
    readonly reviews: Pick<FeedReviews, 'tell'>
    readonly clock: Pick<Clock, 'now'>
  },
): Representations {
  const kept = new Map<string, Made>()
  let keptBytes = 0

  function make(
    variant: Variant,
    format: FeedFormat,
    collection: Collection,
    previous: Made | undefined,
  ): Made {
    const request = { format, profile, now: clock.now() }
    const { body, validFrom, validUntil } = variant.render(collection, request, renderers)
    const representation = previous?.representation.identity.bytes.equals(body)
      ? previous.representation
      : representationOf(body, format, Math.max(collection.changedAt, validFrom))
    return { version: collection.version, validUntil, representation }
  }

  function forget(name: string): void {
    const made = kept.get(name)
    if (made) keptBytes -= sizeOf(made.representation)
    kept.delete(name)
  }

  function keep(name: string, made: Made): void {
    forget(name)
    kept.set(name, made)
    keptBytes += sizeOf(made.representation)
    for (const oldest of kept.keys()) {
      if (keptBytes <= maxKeptBytes || oldest === name) return
      forget(oldest)
    }
  }

  return {
    async get(feed, variant, format) {
      const name = `${profile} ${feed.id}.${format}?${variant.query}`
      const collection = await collections.read(feed.resource)
      reviews.tell(feed, collection)
      const previous = kept.get(name)
      const isValid = previous?.version === collection.version && clock.now() < previous.validUntil
      const made = isValid ? previous : make(variant, format, collection, previous)
      keep(name, made)
      return made.representation
    },
  }
}

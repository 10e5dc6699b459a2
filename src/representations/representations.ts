import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import {
  createRenderers,
  type Feed,
  type FeedFormat,
  type RenderedFeed,
  type Site,
  type Variant,
} from '../feeds.ts'
import type { Logger } from '../log.ts'
import { feedStatus, type FeedStatus } from './feed-status.ts'
import { representationOf, type Representation } from './representation.ts'

/** With options there are more than can be kept; those used last are. */
const maxKeptBytes = 64 * 1024 * 1024

const maxRepairedLogged = 20

export type Representations = {
  /** Made once per change. Rejects with `CollectionUnavailable` while there is nothing to show. */
  readonly get: (feed: Feed, variant: Variant, format: FeedFormat) => Promise<Representation>
  /** What cannot be shown as it is, of the feeds that were asked for without options. */
  readonly states: () => readonly FeedStatus[]
}

type Made = Pick<RenderedFeed, 'repaired' | 'omitted'> & {
  readonly feed: Feed
  readonly variant: Variant
  readonly version: string
  readonly validUntil: number
  readonly representation: Representation
}

export function createRepresentations(
  collections: Pick<Collections, 'read'>,
  site: Site,
  { clock, log }: { readonly clock: Pick<Clock, 'now'>; readonly log: Logger },
): Representations {
  const renderers = createRenderers(site)
  const kept = new Map<string, Made>()
  let keptBytes = 0

  function make(
    feed: Feed,
    variant: Variant,
    format: FeedFormat,
    { collection, previous }: { readonly collection: Collection; readonly previous?: Made },
  ): Made {
    const now = clock.now()
    const request = { format, profile: 'public', now } as const
    const { body, validUntil, repaired, omitted } = variant.render(collection, request, renderers)
    const fresh = representationOf(body, format, previous ? now : collection.changedAt)
    return {
      ...{ feed, variant, repaired, omitted },
      version: collection.version,
      validUntil: validUntil ?? Infinity,
      representation:
        previous?.representation.etag === fresh.etag ? previous.representation : fresh,
    }
  }

  function tell({ feed, variant, repaired, omitted }: Made, previous: Made | undefined): void {
    const about = { feed: feed.id, options: variant.query }
    if (repaired.length > 0 && !isSame(repaired, previous?.repaired)) {
      const records = repaired.slice(0, maxRepairedLogged)
      log.warn({ ...about, count: repaired.length, records }, 'records shown with repaired times')
    }
    if (omitted > 0 && omitted !== previous?.omitted) {
      log.warn({ ...about, omitted }, 'entries beyond the limit of a calendar left out')
    }
  }

  function forget(name: string): void {
    keptBytes -= kept.get(name)?.representation.body.length ?? 0
    kept.delete(name)
  }

  function keep(name: string, made: Made): void {
    forget(name)
    kept.set(name, made)
    keptBytes += made.representation.body.length
    for (const oldest of kept.keys()) {
      if (keptBytes <= maxKeptBytes || oldest === name) return
      forget(oldest)
    }
  }

  return {
    async get(feed, variant, format) {
      const name = `${feed.id}.${format}?${variant.query}`
      const collection = await collections.read(feed.resource)
      const previous = kept.get(name)
      const isValid = previous?.version === collection.version && clock.now() < previous.validUntil
      const made = isValid
        ? previous
        : make(feed, variant, format, { collection, ...(previous ? { previous } : {}) })
      if (!isValid) tell(made, previous)
      keep(name, made)
      return made.representation
    },
    states: () =>
      [...kept.values()].flatMap(({ feed, variant, repaired, omitted }) =>
        variant.query === '' && feed.formats.includes('ics')
          ? [feedStatus(feed.id, { repaired, omitted })]
          : [],
      ),
  }
}

function isSame(a: Made['repaired'], b: Made['repaired'] = []): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

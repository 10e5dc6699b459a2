import type { DuplicateGroups } from '../feeds/shared-duplicates.ts'
import { isCombined } from '../feeds/combined-feed.ts'
import type { RenderedFeed, Renderers } from '../feeds/feed.ts'
import type { Rendered } from './render-state.ts'
import { etagOf } from './encoded-body.ts'
import { representationOf } from './representation.ts'
import { ledgersOf, type SourceCopies } from './source-copies.ts'
import type { Target } from './target.ts'

/**
 * Renders a target from its copies. Returns the previous representation if its bytes have not changed.
 */
export async function renderTarget(
  target: Target,
  { copies, previous }: { readonly copies: SourceCopies; readonly previous: Rendered | undefined },
  options: {
    readonly renderers: Renderers
    /** Entries of several calendars that describe the same event, for a combined feed. */
    readonly duplicates: DuplicateGroups
    /** When the feeds' appearance last changed, in milliseconds since the epoch. */
    readonly presentationChangedAt: number
    readonly now: number
  },
): Promise<Rendered> {
  const { presentationChangedAt, now } = options
  const { body, title, validFrom, validUntil } = renderedFeed(target, copies, options)
  const isSame = previous?.representation.encodings.identity.etag === etagOf(body)
  const recordsChangedAt = copies.collections.map(({ changedAt }) => changedAt)
  const changedAt = Math.max(...recordsChangedAt, validFrom, presentationChangedAt)
  const representation = isSame
    ? previous.representation
    : await representationOf(body, {
        format: target.format,
        title,
        // Last-Modified must not be in the future (RFC 9110 8.8.2.1), even if another replica's clock is
        // ahead, or this one's was.
        lastModified: Math.min(
          now,
          Math.max(previous?.representation.lastModified ?? 0, changedAt),
        ),
      })
  return { representation, ledgers: ledgersOf(copies), madeAt: now, validUntil }
}

function renderedFeed(
  target: Target,
  copies: SourceCopies,
  { now, renderers, duplicates }: Parameters<typeof renderTarget>[2],
): RenderedFeed {
  const { feed, format, profile, chosen } = target
  const request = { format, profile, chosen, now }
  const [first] = copies.feeds
  // A combined feed whose sources are no longer available says so.
  if (!first && target.sources.length > 0) {
    throw new TypeError(`no records to render ${feed.id} from`)
  }
  if (isCombined(feed)) {
    const sources = copies.feeds.map((copy) => ({ feed: copy.feed, source: copy.collection }))
    return feed.render(sources, { ...request, personal: copies.personal, duplicates }, renderers)
  }
  if (!first) throw new TypeError(`${feed.id} has no source`)
  return feed.render(first.collection, request, renderers)
}

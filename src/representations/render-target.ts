import type { TimeSource } from '../clock.ts'
import { nextChangeAt } from '../collections/copy/ledger.ts'
import type { TopicReplies } from '../collections/topic-replies.ts'
import type { RenderedFeed, Renderers } from '../feeds/feed.ts'
import type { DuplicateGroups } from '../feeds/duplicates.ts'
import { contentTypeOf } from '../feeds/formats.ts'
import { renderTopic } from '../feeds/topic-feed.ts'
import { wholeSeconds } from '../records/recorded-change.ts'
import { atOnce, inTurns, type Steps, type Turns } from '../steps.ts'
import { encodingsOf, etagOf, type Representation } from './encodings.ts'
import type { Rendered } from './representation-cache.ts'
import { ledgersOf, type SourceCopies, type Target } from './target.ts'

export type FeedAppearance = {
  readonly renderers: Renderers
  /** When settings or code last changed the appearance, in milliseconds since the epoch. */
  readonly presentationChangedAt: number
}

/**
 * Renders a target from its copies. Returns the previous representation if its bytes have not
 * changed. A combined feed shows each event only once, even if several calendars describe it.
 */
export async function renderTarget(
  target: Target,
  { copies, previous }: { readonly copies: SourceCopies; readonly previous: Rendered | undefined },
  options: FeedAppearance &
    Turns & { readonly duplicates: () => DuplicateGroups; readonly now: number },
): Promise<Rendered> {
  const { presentationChangedAt, now } = options
  const rendered = await inTurns(renderedFeed(target, copies, options), options)
  const {
    body,
    title,
    contentType = contentTypeOf(target.format),
    validFrom,
    validUntil,
  } = rendered
  const made = { ledgers: ledgersOf(copies), madeAt: now, validUntil }
  const before = previous?.representation
  if (before?.encodings.identity.etag === etagOf(body)) return { ...made, representation: before }
  const latest = Math.max(
    ...copies.collections.map((collection) => collection.changedAt),
    validFrom,
    presentationChangedAt,
  )
  // The previous bytes may have been sent as modified in the same second, or by a clock that was
  // ahead.
  const sentAt = wholeSeconds(before?.lastModified ?? -Infinity)
  const isLater = wholeSeconds(latest) > sentAt
  const lastModified = isLater ? latest : nextChangeAt({ changedAt: sentAt }, now)
  const encodings = await encodingsOf(body)
  return { ...made, representation: { contentType, title, lastModified, encodings } }
}

function renderedFeed(
  { feed, format, profile, chosen, sources, language, entriesChangedAt }: Target,
  copies: SourceCopies,
  { now, duplicates, ...options }: Parameters<typeof renderTarget>[2],
): Steps<RenderedFeed> {
  const renderers = options.renderers.inLanguage(language)
  const { personal } = copies
  if (copies.sources.length === 0 && sources.length > 0) {
    throw new TypeError(`no records to render ${feed.id} from`)
  }
  const request = { format, profile, chosen, now, entriesChangedAt, personal, duplicates }
  return feed.render(copies.sources, request, renderers)
}

/** Renders replies to topics in the forum for each request, because few people read them. */
export type TopicRepresentations = {
  /** Rejects with `CollectionUnavailable` if the replies have not been read. */
  readonly get: (target: Target, topicId: number) => Promise<Representation>
}

export function createTopicRepresentations(
  replies: TopicReplies,
  { renderers, presentationChangedAt, clock }: FeedAppearance & { readonly clock: TimeSource },
): TopicRepresentations {
  return {
    async get({ format, profile, chosen, language }, topicId) {
      const topic = await replies.read(topicId)
      const now = clock.now()
      const request = { format, profile, chosen, now }
      const rendering = renderTopic(topic, request, renderers.inLanguage(language))
      const { body, title, validFrom } = atOnce(rendering)
      const lastModified = Math.max(topic.replies.changedAt, validFrom, presentationChangedAt)
      const encodings = await encodingsOf(body)
      return { contentType: contentTypeOf(format), title, lastModified, encodings }
    },
  }
}

import type { TimeSource } from '../clock.ts'
import type { TopicReplies } from '../collections/topic-replies.ts'
import type { Renderers } from '../feeds/feed.ts'
import { renderTopic } from '../feeds/topic-feed.ts'
import { representationOf, type Representation } from './representation.ts'
import type { Target } from './target.ts'

/** Replies to topics in the forum, as feeds. They are rendered for each request, because few people read them. */
export type TopicRepresentations = {
  /** Rejects with `CollectionUnavailable` if the replies have not been read. */
  readonly get: (target: Target, topicId: number) => Promise<Representation>
}

export function createTopicRepresentations(
  replies: TopicReplies,
  options: {
    readonly renderers: Renderers
    /** When the feeds' appearance last changed, in milliseconds since the epoch. */
    readonly presentationChangedAt: number
    readonly clock: TimeSource
  },
): TopicRepresentations {
  const { renderers, presentationChangedAt, clock } = options
  return {
    async get({ format, profile, chosen }, topicId) {
      const topic = await replies.read(topicId)
      const now = clock.now()
      const request = { format, profile, chosen, now }
      const { body, title, validFrom } = renderTopic(topic, request, renderers)
      const changedAt = Math.max(topic.replies.changedAt, validFrom, presentationChangedAt)
      return representationOf(body, { format, title, lastModified: Math.min(now, changedAt) })
    },
  }
}

import type { OptionValues } from '../options/option.ts'
import type { Steps } from '../steps.ts'
import { oneLine } from '../text/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { RepliesResource } from '../records/resources.ts'
import { draftFromReply } from '../syndication/forum-items.ts'
import { forum } from './catalog/news-feeds.ts'
import type { FeedRequest, FeedSource, RenderedFeed, Renderers } from './feed.ts'
import { feedMessages } from './messages.ts'
import { newsFeed } from './news-feed.ts'

/** Returns the topic whose replies a feed shows with these options, if any. */
export function topicIdIn(feedId: string, { topicId }: OptionValues): number | undefined {
  return feedId === forum.id && typeof topicId === 'number' ? topicId : undefined
}

type TopicSource = {
  readonly id: number
  /** Undefined if the forum does not show the topic. */
  readonly topic: RecordOf['discuss'] | undefined
  readonly replies: FeedSource<RepliesResource>
}

export function renderTopic(
  { id, topic, replies }: TopicSource,
  request: FeedRequest,
  renderers: Renderers,
): Steps<RenderedFeed> {
  const title = topic && oneLine(topic.title)
  const feed = newsFeed<RepliesResource>(
    {
      ...forum,
      resource: 'discuss/replies',
      textIn: (language) => {
        const { summary, unavailable } = feedMessages(language).topic
        return {
          title: title || forum.textIn(language).title,
          summary: topic ? summary : unavailable,
        }
      },
    },
    {
      draftsFrom: (reply, source) => draftFromReply(reply, id, source),
      isShown: ({ status }, profile) => profile !== 'public' && status !== 'offline',
    },
  )
  return feed.renderSource(replies, request, renderers)
}

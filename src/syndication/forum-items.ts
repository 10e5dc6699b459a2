import { timeInWords } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { siteTimeAt, type SiteDateTime } from '../records/site-time.ts'
import { instantOrFirstSeen, itemDraft, summaryOf, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, linkHtml, paragraphsFrom } from './html.ts'

type Topic = RecordOf['discuss']

/** Returns true for topics that members may see. The forum is never public. */
export function isTopicShown({ status }: Topic, profile: Profile): boolean {
  return profile !== 'public' && status !== 'offline'
}

/** Converts a topic to an item, dated by its last post. */
export function draftFromTopic(topic: Topic, source: ItemSource) {
  const { id, title, created, createdBy, lastPost = created } = topic
  const publishedAt = instantOrFirstSeen(lastPost, id, source)
  return itemDraft(topic, source, {
    idPrefix: 'forum',
    publishedAt,
    title: () => titleOf(title),
    contents: () => {
      const summary = stateInWords(topic, siteTimeAt(publishedAt, source.timeZone), source.language)
      const link = linkHtml(source.websiteUrlOf(id), 'website')
      const advice = `To follow the replies, add ?topic=${id} to the address of the forum’s feed.`
      return {
        summary,
        html: [paragraphsFrom(summary), `<p>Read the topic on the ${link}. ${advice}</p>`],
        author: oneLine(createdBy),
      }
    },
  })
}

function stateInWords(
  { replyCount, status, locked }: Topic,
  lastPostAt: SiteDateTime,
  language: string,
): string {
  const lastPost = `last post on ${timeInWords({ allDay: false, start: lastPostAt }, language)}`
  const state = locked || status === 'locked' ? ' The topic is locked.' : ''
  return `${repliesInWords(replyCount, lastPost)}.${state}`
}

function repliesInWords(count: number | undefined, lastPost: string): string {
  if (count === undefined) return lastPost.replace('last', 'Last')
  if (count === 0) return `No replies yet, ${lastPost}`
  return `${count === 1 ? '1 reply' : `${count} replies`}, ${lastPost}`
}

/** Converts a reply to a forum topic to an item, which links to the topic. */
export function draftFromReply(
  reply: RecordOf['discuss/replies'],
  topicId: number,
  source: ItemSource,
) {
  return itemDraft(
    reply,
    { ...source, urlOf: () => source.urlOf(topicId) },
    {
      idPrefix: 'reply',
      title: () => titleOf(reply.title),
      contents: () => ({
        summary: summaryOf(reply.text),
        html: [cleanHtml(reply.text, source.siteUrl)],
        author: oneLine(reply.createdBy),
      }),
    },
  )
}

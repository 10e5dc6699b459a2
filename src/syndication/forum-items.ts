import { timeInWords } from '../records/date-words.ts'
import { oneLine } from '../text/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime, siteTimeAt, type SiteDateTime } from '../records/site-time.ts'
import { urlOfPart } from './channel.ts'
import { asSentence, itemDraft, summaryOf, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, linkHtml, paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'

type Topic = RecordOf['discuss']

/** Returns true for topics that members may see. The forum is never public. */
export function isTopicShown({ status }: Topic, profile: Profile): boolean {
  return profile !== 'public' && status !== 'offline'
}

/** Converts a topic to an item, dated by its last post, or later if the topic appeared later. */
export function draftFromTopic(topic: Topic, source: ItemSource) {
  const { id, title, created, createdBy, lastPost = created } = topic
  const { revision, firstSeenAt, changedAt, appearedAt = -Infinity } = source.knownOf(id)
  const seenAt = revision > 0 ? changedAt : firstSeenAt
  const lastPostAt =
    lastPost === undefined
      ? firstSeenAt
      : Math.min(instantFromSiteTime(lastPost, source.timeZone), seenAt)
  return itemDraft(topic, source, {
    idPrefix: 'forum',
    publishedAt: Math.max(lastPostAt, appearedAt),
    title: () => titleOf(title, source),
    contents: () => {
      const summary = stateInWords(topic, siteTimeAt(lastPostAt, source.timeZone), source.language)
      const { read, follow } = itemMessages(source.language).forum
      const link = (text: string) => linkHtml(source.websiteUrlOf(id), text)
      return {
        summary: () => summary,
        html: [paragraphsFrom(summary), `<p>${read(link)} ${follow(`?topic=${id}`)}</p>`],
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
  const messages = itemMessages(language).forum
  const time = timeInWords({ allDay: false, start: lastPostAt }, language)
  const state = locked || status === 'locked' ? [messages.locked] : []
  return [asSentence(messages.lastPost(replyCount, time)), ...state].join(' ')
}

/** Converts a reply to a forum topic to an item, which links to the topic. */
export function draftFromReply(
  reply: RecordOf['discuss/replies'],
  topicId: number,
  source: ItemSource,
) {
  const idPrefix = 'reply'
  return itemDraft(
    reply,
    { ...source, urlOf: (id) => urlOfPart(source.urlOf(topicId), `${idPrefix}-${id}`) },
    {
      idPrefix,
      title: () => titleOf(reply.title, source),
      contents: () => ({
        summary: () => summaryOf(reply.text),
        html: [cleanHtml(reply.text, source.siteUrl)],
        author: oneLine(reply.createdBy),
      }),
    },
  )
}

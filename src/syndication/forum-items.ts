import { DateTime } from 'luxon'
import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import {
  itemDraft,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
  instantOrFirstSeen,
} from './feed-item.ts'
import { escapeHtml } from './html.ts'

type Topic = RecordOf['discuss']

/** Returns true for topics that members may see. The forum is never public. */
export function isTopicShown({ status }: Topic, profile: Profile): boolean {
  return profile !== 'public' && status !== 'offline'
}

/** Converts topics to items, dated by their last posts. */
export function itemsFromForum(topics: readonly Topic[], source: ItemSource): readonly ItemDraft[] {
  return topics.map((topic) => {
    const publishedAt = instantOrFirstSeen(topic.lastPost ?? topic.created, topic.id, source)
    return itemDraft(
      {
        idPrefix: 'forum',
        recordId: topic.id,
        publishedAt,
        title: () => titleOf(topic.title),
        contents: () => contentsOf(topic, { publishedAt, source }),
      },
      source,
    )
  })
}

function contentsOf(
  { id, createdBy, replyCount, status, locked }: Topic,
  { publishedAt, source }: { readonly publishedAt: number; readonly source: ItemSource },
): ItemContents {
  const day = DateTime.fromMillis(publishedAt, { zone: source.timeZone, locale: 'en' })
  const state = locked || status === 'locked' ? ' The topic is locked.' : ''
  const lastPost = `last post on ${day.toFormat('cccc, LLLL d, yyyy, h:mm a')}`
  const summary = `${repliesInWords(replyCount, lastPost)}.${state}`
  const link = `<a href="${escapeHtml(source.websiteUrlOf(id))}" rel="noopener noreferrer nofollow">website</a>`
  return {
    summary,
    contentHtml: `<p>${escapeHtml(summary)}</p>\n<p>Read the topic on the ${link}. To follow the replies, add ?topic=${id} to the address of the forum’s feed.</p>`,
    author: oneLine(createdBy),
  }
}

function repliesInWords(count: number | undefined, lastPost: string): string {
  if (count === undefined) return lastPost.replace('last', 'Last')
  if (count === 0) return `No replies yet, ${lastPost}`
  return `${count === 1 ? '1 reply' : `${count} replies`}, ${lastPost}`
}

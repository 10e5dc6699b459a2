import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import {
  itemDraft,
  summaryOf,
  titleOf,
  type ItemDraft,
  type ItemSource,
  instantOrFirstSeen,
} from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'

type Reply = RecordOf['discuss/replies']

/** Converts the replies to a forum topic to items, which link to the topic. */
export function itemsFromReplies(
  replies: readonly Reply[],
  topicId: number,
  source: ItemSource,
): readonly ItemDraft[] {
  const inTopic = { ...source, urlOf: () => source.urlOf(topicId) }
  return replies.map(({ id, title, text, created, createdBy }) =>
    itemDraft(
      {
        idPrefix: 'reply',
        recordId: id,
        publishedAt: instantOrFirstSeen(created, id, source),
        title: () => titleOf(title),
        contents: (shownTitle) => ({
          summary: summaryOf(text),
          contentHtml: cleanHtml(text, source.siteUrl) || `<p>${escapeHtml(shownTitle)}</p>`,
          author: oneLine(createdBy),
        }),
      },
      inTopic,
    ),
  )
}

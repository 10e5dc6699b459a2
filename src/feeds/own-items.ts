import { ownEntries, ownTitle, type PersonalSource } from '../calendar/personal-sections.ts'
import { timeInWords } from '../records/date-words.ts'
import { timedItem } from '../syndication/event-items.ts'
import { itemDraft, type ItemDraft } from '../syndication/feed-item.ts'
import { paragraphsFrom } from '../syndication/html.ts'
import type { PageContext } from './feed.ts'
import { itemSource } from './news-feed.ts'

/** Kinds of own entries, as in the ids of their calendar entries. */
const idParts = { signup: 'signup', training: 'certification' }

/** Converts a member's own entries to items, soonest first. Items disappear when the entry ends. */
export function ownItems(
  source: PersonalSource,
  request: Pick<PageContext, 'site' | 'profile'>,
): readonly ItemDraft[] {
  return ownEntries(source).flatMap((entry) => {
    const { resource, recordId, time } = entry
    const copy = source[resource]
    if (!copy) return []
    return itemDraft({ id: recordId }, itemSource(resource, copy, request), {
      idPrefix: `member-${source.memberId}-${idParts[resource]}`,
      ...timedItem(time, request.site.timeZone, () => ownTitle(entry)),
      contents: () => ({
        summary: timeInWords(time),
        html: [paragraphsFrom(timeInWords(time))],
        category: 'Personal',
      }),
    })
  })
}

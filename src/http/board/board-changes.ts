import { DateTime } from 'luxon'
import type { DuplicateGroups } from '../../feeds/shared-duplicates.ts'
import { changesOf, type FeedChange } from '../../feeds/changes.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import { siteTimeAt } from '../../signage/board-view.js'
import type { SiteContext } from '../context.ts'
import type { ListFilters } from '../feeds/list-filters.ts'

const shownMs = 24 * 60 * 60 * 1000

/** Returns the changes of the last 24 hours in these feeds, latest first. */
export function recentChanges(
  feeds: readonly Feed[],
  { site, collections }: SiteContext,
  {
    filters,
    duplicates,
    now,
  }: {
    readonly filters: ListFilters
    readonly duplicates: DuplicateGroups
    readonly now: number
  },
): readonly FeedChange[] {
  const sources = feeds.flatMap((feed) => {
    const source = collections.copyOf(feed.resource)
    return source ? [{ feed, source }] : []
  })
  const isChosen = (feed: Feed, part: number | undefined) =>
    isChosenPart(filters.get(feed)?.values['parts'], part)
  return changesOf(sources, site, { duplicates, isChosen })
    .filter(({ at }) => at <= now && now < at + shownMs)
    .toSorted((a, b) => b.at - a.at || b.recordId - a.recordId)
}

export function changeItems(
  changes: readonly FeedChange[],
  { timeZone }: Site,
): readonly BoardItem[] {
  return changes.map(({ feed, id, text, details, at }) =>
    boardItem({
      id: `changes-${feed.id}-${id}`,
      kind: 'changes',
      role: 'changes',
      title: text,
      text: details.join('. '),
      category: feed.title,
      when: dateInWords(at, timeZone),
      start: siteTimeAt(at, timeZone),
      end: siteTimeAt(at + shownMs, timeZone),
    }),
  )
}

/** Adds to each item when it last changed. `changes` starts with the latest. */
export function withChangeTimes(
  items: readonly BoardItem[],
  changes: readonly FeedChange[],
  { timeZone }: Site,
): readonly BoardItem[] {
  const times = new Map<string, string>(
    changes
      .toReversed()
      .flatMap(({ feed, recordIds, at }) =>
        recordIds.map((recordId) => [`${feed.id}-${recordId}`, siteTimeAt(at, timeZone)] as const),
      ),
  )
  return items.map((item) => ({ ...item, changedAt: times.get(item.id) ?? null }))
}

/** Returns true for a change in one of the calendars or rental types that the URL names, if any. */
function isChosenPart(parts: unknown, part: number | undefined): boolean {
  return !Array.isArray(parts) || parts.length === 0 || parts.includes(part ?? 0)
}

function dateInWords(instant: number, timeZone: string): string {
  const time = DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' })
  return time.toFormat('cccc, LLLL d, yyyy')
}

import { DateTime } from 'luxon'
import type { KnownOccasions } from '../../feeds/shared-occasions.ts'
import type { Collections } from '../../collections/collections.ts'
import { changesOf } from '../../feeds/changes.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import { siteTimeAt } from '../../signage/board-view.js'
import type { ListFilters } from '../feeds/list-filters.ts'

const shownMs = 24 * 60 * 60 * 1000

/** Returns the changes of the last 24 hours in these feeds, latest first. */
export function boardChanges(
  feeds: readonly Feed[],
  collections: Pick<Collections, 'copyOf'>,
  options: {
    readonly site: Site
    readonly filters: ListFilters
    readonly occasions: KnownOccasions
    /** Maximum number of changes. */
    readonly limit: number
    readonly now: number
  },
): readonly BoardItem[] {
  const { site, filters, occasions, limit, now } = options
  const sources = feeds.flatMap((feed) => {
    const source = collections.copyOf(feed.resource)
    return source ? [{ feed, source }] : []
  })
  const isChosen = (feed: Feed, part: number | undefined) =>
    isChosenPart(filters.get(feed)?.values['parts'], part)
  return changesOf(sources, site, { occasions, isChosen })
    .filter(({ at }) => at <= now && now < at + shownMs)
    .toSorted((a, b) => b.at - a.at || b.recordId - a.recordId)
    .slice(0, limit)
    .map(({ feed, id, text, details, at }) =>
      boardItem({
        id: `changes-${feed.id}-${id}`,
        kind: 'changes',
        role: 'changes',
        title: text,
        text: details.join('. '),
        category: feed.title,
        when: dateInWords(at, site.timeZone),
        start: siteTimeAt(at, site.timeZone),
        end: siteTimeAt(at + shownMs, site.timeZone),
      }),
    )
}

/** Returns true for a change in one of the calendars or rental types that the URL names, if any. */
function isChosenPart(parts: unknown, part: number | undefined): boolean {
  return !Array.isArray(parts) || parts.length === 0 || parts.includes(part ?? 0)
}

function dateInWords(instant: number, timeZone: string): string {
  const time = DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' })
  return time.toFormat('cccc, LLLL d, yyyy')
}

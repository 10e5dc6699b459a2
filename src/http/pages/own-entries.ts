import { ownEntries } from '../../calendar/personal-sections.ts'
import { isWithin } from '../../calendar/date-window.ts'
import type { ListedEntry } from '../../feeds/feed.ts'
import { personalCopies } from '../../representations/source-copies.ts'
import { bySoonest } from '../../records/date-words.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'

const comingDays = 90
const maxComing = 5

export const isForMember = ({ link }: Viewer) => link?.link.memberId !== undefined

type Days = { readonly from: SiteDate; readonly to: SiteDate }

/** Returns the member's own entries if the viewer's link is for a member, or an empty list. */
export function ownEntriesFor(
  { catalog, collections }: SiteContext,
  { link, feeds }: Viewer,
  days: Days,
): readonly ListedEntry[] {
  const memberId = link?.link.memberId
  if (memberId === undefined) return []
  const own = ownEntries(personalCopies(memberId, collections.copyOf))
  return own
    .filter(({ time }) => isWithin(time, days))
    .flatMap(({ resource, role, ...entry }) => {
      const feed = catalog.feeds.find((each) => each.resource === resource)
      if (!feed) return []
      const hasPage = feeds.includes(feed)
      const { start, allDay } = entry.time
      const more = { location: '', category: '', places: undefined, own: { role, hasPage } }
      return [{ ...entry, ...more, kind: feed.id, start, allDay }]
    })
}

/** Returns the member's next entries, soonest first. */
export function comingOwnEntries(context: SiteContext, viewer: Viewer, today: SiteDate) {
  const days = { from: today, to: daysAfter(today, comingDays) }
  const own = ownEntriesFor(context, viewer, days)
  return own.toSorted((a, b) => bySoonest(today)(a.time, b.time)).slice(0, maxComing)
}

/** Returns entries with the member's own ones, which replace the same ones of a feed. */
export function withOwn(
  entries: readonly ListedEntry[],
  own: readonly ListedEntry[],
): readonly ListedEntry[] {
  const keyOf = ({ kind, recordId }: ListedEntry) => `${kind}/${recordId}`
  const ownBy = new Map(own.map((entry) => [keyOf(entry), entry]))
  const marked = entries.map((entry) => ({ ...entry, own: ownBy.get(keyOf(entry))?.own }))
  const known = new Set(entries.map(keyOf))
  return [...marked, ...own.filter((entry) => !known.has(keyOf(entry)))]
}

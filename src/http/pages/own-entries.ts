import type { Feed, ListedEntry, ListRange } from '../../feeds/feed.ts'
import { listedOwnEntries } from '../../feeds/listed-own-entries.ts'
import { bySoonest, firstDayOf, lastDayOf, type TimeSpan } from '../../records/date-words.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import { personalCopies } from '../../representations/source-copies.ts'
import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'

const comingDays = 90
const maxComing = 5

export const isForMember = ({ link }: Viewer) => link?.link.memberId !== undefined

/** Returns the member's own entries if the viewer's link is for a member, or an empty list. */
export function ownEntriesFor(
  { catalog, collections }: SiteContext,
  { link, feeds }: Viewer,
  range: Pick<ListRange, 'from' | 'to'>,
): readonly ListedEntry[] {
  const memberId = link?.link.memberId
  if (memberId === undefined) return []
  const source = personalCopies(memberId, collections.copyOf)
  return listedOwnEntries(source, { all: catalog.feeds, readable: feeds }, range)
}

/** Returns the member's next entries, soonest first. */
export function comingOwnEntries(context: SiteContext, viewer: Viewer, today: SiteDate) {
  const range = { from: today, to: daysAfter(today, comingDays) }
  const own = ownEntriesFor(context, viewer, range)
  return own.toSorted((a, b) => bySoonest(today)(a.time, b.time)).slice(0, maxComing)
}

/** Returns the member's role in an entry, or undefined if the member is not involved. */
export function ownRoleIn(
  context: SiteContext,
  viewer: Viewer,
  { feed, id, time }: { readonly feed: Feed; readonly id: number; readonly time: TimeSpan },
): string | undefined {
  const range = { from: firstDayOf(time), to: lastDayOf(time) }
  const own = ownEntriesFor(context, viewer, range)
  return own.find(({ kind, recordId }) => kind === feed.id && recordId === id)?.own?.role
}

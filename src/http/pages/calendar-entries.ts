import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Feed, ListedEntry, ListRange } from '../../feeds/feed.ts'
import { listedOwnEntries, withOwn } from '../../feeds/listed-own-entries.ts'
import { bySoonest, firstDayOf, lastDayOf, type TimeSpan } from '../../records/date-words.ts'
import { prepareSearch } from '../../feeds/prepare-search.ts'
import type { Profile } from '../../records/profile.ts'
import { daysAfter, type SiteDate } from '../../records/site-time.ts'
import { personalCopies } from '../../representations/source-copies.ts'
import { boardOf } from '../../signage/board-item.ts'
import { readOptions } from '../../options/option.ts'
import { placeOptions, searchOptions } from '../../search/search-options.ts'
import type { SiteContext } from '../context.ts'
import { validOptions } from '../responses/errors.ts'
import type { Viewer } from '../feeds/viewer.ts'
import { readEntryFilter } from './calendar-chips.ts'

/** Maximum distance of a month shown on pages, before or after this month. */
export const maxMonthsAway = 120

const comingDays = 90
const maxComing = 5

/** Options that filter the entries on pages. */
const filterOptions = { ...searchOptions, ...placeOptions }

type Days = Pick<ListRange, 'from' | 'to'>

/** Resolves to undefined if the feed's records are unavailable. */
export async function overviewIfAny({ overviews }: SiteContext, feed: Feed, profile: Profile) {
  try {
    return await overviews.read(feed, profile)
  } catch (error) {
    if (!(error instanceof CollectionUnavailable)) throw error
    return undefined
  }
}

/**
 * Returns the entries of a viewer's calendars in a date range, or undefined if there are no
 * calendars. With `isPersonal`, also returns the member's own entries if the viewer's link is for a
 * member.
 */
export async function entriesFor(
  context: SiteContext,
  viewer: Viewer,
  query: URLSearchParams,
  {
    from,
    to,
    now,
    isPersonal = false,
  }: Days & { readonly now: number; readonly isPersonal?: boolean },
) {
  const { site, catalog, collections, isOffered } = context
  const { feeds, profile } = viewer
  const hasOwn = isPersonal && isForMember(viewer)

  async function withParts(feed: Feed) {
    const overview = await overviewIfAny(context, feed, profile)
    return overview ? [{ feed, parts: overview.parts }] : []
  }

  const calendars = feeds.filter((feed) => feed.formats.includes('ics') && isOffered(feed))
  if (calendars.length === 0) return undefined
  const available = (await Promise.all(calendars.map(withParts))).flat()
  const filter = readEntryFilter(available, query, { hasOwn, language: site.language })
  const searched = validOptions(readOptions(filterOptions, query))
  const lists = await Promise.all(
    available.map(async ({ feed }) => {
      const choice = filter.chosen.find(({ feedId }) => feedId === feed.id)
      if (!choice) return []
      const source = await collections.read(feed.resource)
      const pageContext = { site, profile, now }
      if (searched.hasText) await prepareSearch(feed, source, pageContext)
      const range = { from, to, parts: choice.parts, ...searched.values }
      return feed.listed?.(source, range, pageContext) ?? []
    }),
  )
  const entries = boardOf(lists.flat(), catalog.feeds)
  const own = hasOwn ? ownEntriesFor(context, viewer, { from, to }) : []
  return { entries: withOwn(entries, own, searched.values), filter, searched }
}

export const isForMember = ({ link }: Pick<Viewer, 'link'>) => link?.link.memberId !== undefined

/** Returns the member's own entries if the viewer's link is for a member, or an empty list. */
export function ownEntriesFor(
  { catalog, collections, site }: SiteContext,
  { link, feeds }: Viewer,
  days: Days,
): readonly ListedEntry[] {
  const memberId = link?.link.memberId
  if (memberId === undefined) return []
  const source = personalCopies(memberId, collections.copyOf)
  return listedOwnEntries(
    source,
    { all: catalog.feeds, readable: feeds },
    {
      ...days,
      language: site.language,
    },
  )
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

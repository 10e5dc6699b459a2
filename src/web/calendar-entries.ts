import { CollectionUnavailable } from '../collections/collection.ts'
import { isCalendar, type Feed, type DayRange } from '../feeds/feed.ts'
import { listedOwnEntries, withOwn } from '../feeds/listed-own-entries.ts'
import { firstDayOf, lastDayOf, soonestFirst, type TimeSpan } from '../records/date-words.ts'
import { prepareSearch } from '../feeds/prepare-search.ts'
import { daysAfter } from '../records/site-time.ts'
import { personalCopies } from '../representations/target.ts'
import { boardOf } from '../signage/board-item.ts'
import { readOptions } from '../options/option.ts'
import { filterOptions } from '../search/search-options.ts'
import { validOptions } from './errors.ts'
import { inSteps, inTurns } from '../steps.ts'
import { takeTurn } from './turns.ts'
import { isForMember } from './viewer.ts'
import { readEntryFilter } from './calendar-chips.ts'
import type { ItemRequest, PageRequest } from './page-handler.ts'

/** Maximum distance of a month shown on pages, before or after this month. */
export const maxMonthsAway = 120

const comingDays = 90
const maxComing = 2

/** Resolves to undefined if the records to read are unavailable. */
export async function ifAvailable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof CollectionUnavailable)) throw error
    return undefined
  }
}

/**
 * Returns the entries of a page's calendars in a date range, in any order, or undefined if there are
 * no calendars. With `isPersonal`, also returns the member's own entries if the viewer's link is for a
 * member.
 */
export async function entriesFor(page: PageRequest, days: DayRange, { isPersonal = false } = {}) {
  const { context, viewer, query, now } = page
  const { site, catalog, collections, overviews } = context
  const { profile } = viewer
  const hasOwn = isPersonal && isForMember(viewer.link)
  const wait = () => takeTurn(page.request)

  async function withParts(feed: Feed) {
    const overview = await ifAvailable(overviews.read(feed, profile))
    return overview ? [{ feed, parts: overview.parts }] : []
  }

  const calendars = page.offered.filter(isCalendar)
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
      await wait()
      const range = { ...days, parts: choice.parts, ...searched.values }
      const entries = feed.listed?.(source, range, pageContext) ?? []
      return inTurns(
        inSteps(entries, (entry) => entry),
        { takeTurn: wait },
      )
    }),
  )
  await wait()
  const entries = boardOf(lists.flat(), catalog.feeds)
  const own = hasOwn ? ownEntriesFor(page, days) : []
  return { entries: withOwn(entries, own, searched.values), filter, searched }
}

/** Returns the member's own entries if the viewer's link is for a member, or an empty list. */
export function ownEntriesFor({ context, viewer }: PageRequest, days: DayRange) {
  const { collections, site } = context
  const memberId = viewer.link?.link.memberId
  if (memberId === undefined) return []
  const source = personalCopies(memberId, collections.copyOf)
  return listedOwnEntries(source, viewer.feeds, { ...days, language: site.language })
}

/** Returns the member's next entries, soonest first. */
export function comingOwnEntries(page: PageRequest) {
  const { today } = page
  const own = ownEntriesFor(page, { from: today, to: daysAfter(today, comingDays) })
  return soonestFirst(own, today, ({ time }) => time).slice(0, maxComing)
}

/** Returns the member's role in an entry, or undefined if the member is not involved. */
export function ownRoleIn(page: ItemRequest, time: TimeSpan): string | undefined {
  const own = ownEntriesFor(page, { from: firstDayOf(time), to: lastDayOf(time) })
  return own.find(({ kind, recordId }) => kind === page.feed.id && recordId === page.id)?.own?.role
}

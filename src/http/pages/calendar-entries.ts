import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Feed, ListedEntry } from '../../feeds/feed.ts'
import { withOwn } from '../../feeds/listed-own-entries.ts'
import { bySoonest, isLong, isOnDay } from '../../records/date-words.ts'
import { weeksOf, type GridDay, type SiteMonth } from '../../records/month-grid.ts'
import type { Profile } from '../../records/profile.ts'
import type { SiteDate } from '../../records/site-time.ts'
import { boardOf } from '../../signage/board-item.ts'
import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'
import { readEntryFilter } from './calendar-chips.ts'
import { isForMember, ownEntriesFor } from './own-entries.ts'

/** Farthest month that pages show, before and after this one. */
export const maxMonthsAway = 120

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
 * Returns the entries of a viewer's calendars in a range of days; undefined without calendars. With
 * `isPersonal`, also returns the own entries of the member whom the viewer's link is for.
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
  }: {
    readonly from: SiteDate
    readonly to: SiteDate
    readonly now: number
    readonly isPersonal?: boolean
  },
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
  const filter = readEntryFilter(available, query, hasOwn)
  const lists = await Promise.all(
    available.map(async ({ feed }) => {
      const choice = filter.chosen.find(({ feedId }) => feedId === feed.id)
      if (!choice) return []
      const source = await collections.read(feed.resource)
      return feed.listed?.(source, { from, to, parts: choice.parts }, { site, profile, now }) ?? []
    }),
  )
  const entries = boardOf(lists.flat(), catalog.feeds)
  const own = hasOwn ? ownEntriesFor(context, viewer, { from, to }) : []
  return { entries: withOwn(entries, own), filter }
}

/** Maximum number of bars one above the other. */
const maxLanes = 4

/**
 * Returns the weeks of a month with the entries of each day, and the entries that last for weeks. An entry
 * on several days of a week is a bar, which has the same position on each day.
 */
export function monthGrid(entries: readonly ListedEntry[], month: SiteMonth) {
  const inOrder = entries.toSorted((a, b) => bySoonest(`${month}-01`)(a.time, b.time))
  const daily = inOrder.filter(({ time }) => !isLong(time))
  return {
    weeks: weeksOf(month).map((week) => {
      const lanes = lanesOf(week, daily)
      const barred = new Set(lanes.flat().map((bar) => bar?.entry))
      return week.map((day, index) => {
        if (day === undefined) return undefined
        const entries = daily.filter(({ time }) => isOnDay(time, day))
        const others = entries.filter((entry) => !barred.has(entry))
        return { day, bars: barsOn(lanes, index), entries: others }
      })
    }),
    running: inOrder.filter(({ time }) => isLong(time)),
  }
}

/** Part of a bar on one day. `days` is the length of a bar that starts here, and otherwise 0. */
type Bar = { readonly entry: ListedEntry; readonly days: number }

/** Returns the bars of a week, from top to bottom, by day. */
function lanesOf(week: readonly GridDay[], entries: readonly ListedEntry[]) {
  const lanes: (Bar | undefined)[][] = []
  for (const entry of entries) {
    const on = week.flatMap((day, index) => (day && isOnDay(entry.time, day) ? [index] : []))
    const isFree = (lane: readonly (Bar | undefined)[]) => on.every((index) => !lane[index])
    const lane = lanes.find(isFree) ?? []
    if (on.length < 2 || (!lanes.includes(lane) && lanes.length === maxLanes)) continue
    if (!lanes.includes(lane)) lanes.push(lane)
    for (const [part, index] of on.entries()) lane[index] = { entry, days: part ? 0 : on.length }
  }
  return lanes
}

/** Returns the bars on a day, with gaps below which there are others. */
function barsOn(lanes: readonly (readonly (Bar | undefined)[])[], index: number) {
  const bars = lanes.map((lane) => lane[index])
  return bars.slice(0, bars.findLastIndex((bar) => bar !== undefined) + 1)
}

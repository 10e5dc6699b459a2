import {
  dayInWords,
  firstDayOf,
  isLong,
  lastDayOf,
  monthInWords,
  soonestFirst,
} from '../records/date-words.ts'
import { feedUrl, type Feed } from '../feeds/feed.ts'
import { formats } from '../feeds/formats.ts'
import { sourceOf } from '../feeds/source-color.ts'
import { todayAt, withLanguage, type Site } from '../feeds/site.ts'
import { firstWeekday } from '../records/language.ts'
import { daysAfter, daysBetween, type SiteDate } from '../records/site-time.ts'
import type { BoardItem } from '../signage/board-item.ts'
import type { SiteContext } from './context.ts'
import type { Chip } from './calendar-chips.ts'
import { pageMessages } from './messages.ts'

/** Maximum number of entries, most of which are hidden until people select other calendars. */
const maxEntries = 34

/** Number of entries shown by default. */
export const shownEntries = 6

const minPerChip = 2

/** The site's date. `today` is undefined for pages that may be read days later. */
type Days = {
  readonly today: SiteDate | undefined
  readonly firstDay: SiteDate
  readonly language: string
}

/** An item from another site has a URL and a color. */
export type ListItem = BoardItem & { readonly url?: string; readonly source?: string }

type Candidate = { readonly item: ListItem; readonly chips: readonly Chip[] }

type Shown = Candidate & { readonly isShown: boolean }

export type AgendaEntry = {
  readonly item: ListItem
  readonly source: string
  readonly path: string
  readonly date: SiteDate
  /** The entry is shown if one of these chips is selected. */
  readonly chips: readonly string[]
  readonly isShown: boolean
}

/** Entries under one title. */
export type AgendaGroup = { readonly title: string; readonly entries: readonly AgendaEntry[] }

/**
 * Groups upcoming items by week and month, soonest first. Shows an item of several feeds only once.
 * Without `isGrouped`, there is one group without a title, for which pages show full dates.
 */
export function agendaFrom(
  items: readonly ListItem[],
  chips: readonly Chip[],
  days: Days,
  { limit = shownEntries, isGrouped = true } = {},
): readonly AgendaGroup[] {
  const inOrder = soonestFirst(merged(items, chips), days.firstDay, ({ item }) => item)
  const groups = Map.groupBy(listed(inOrder, chips, limit), ({ item }) =>
    isGrouped ? groupTitle(item, days) : '',
  )
  return [...groups].map(([title, entries]) => ({
    title,
    entries: entries.map((each) => entryFrom(each, days)),
  }))
}

function merged(items: readonly ListItem[], chips: readonly Chip[]): readonly Candidate[] {
  const candidates = items.map((item) => ({ item, chips: chipsOf(item, chips) }))
  const groups = Map.groupBy(candidates, ({ item: { title, start, allDay } }) =>
    JSON.stringify([title.toLowerCase(), start, allDay]),
  )
  return [...groups.values()].flatMap((twins) => {
    const kinds = new Set(twins.map(({ item }) => item.kind))
    // Entries of the same feed are never duplicates.
    if (kinds.size < twins.length) return twins
    const [first] = twins.toSorted((a, b) => rankOf(a) - rankOf(b))
    return first ? [{ item: first.item, chips: twins.flatMap((twin) => twin.chips) }] : []
  })
}

/** Public events have more details than the same entries in members' calendars. */
function rankOf({ item }: Candidate): number {
  return item.kind === 'events' ? 0 : 1
}

/**
 * Returns an item's chips: the one for its calendar, or all of its feed's chips if the calendar has
 * none.
 */
function chipsOf({ kind, category }: BoardItem, chips: readonly Chip[]): readonly Chip[] {
  const own = chips.filter(({ feedId }) => feedId === kind)
  const named = own.filter(({ part, label }) => part !== undefined && label === category)
  return named.length > 0 ? named : own
}

/** Returns the first entries to show now, and each chip's first entries. */
function listed(candidates: readonly Candidate[], chips: readonly Chip[], limit: number) {
  const perChip = Math.max(minPerChip, Math.floor(maxEntries / Math.max(1, chips.length)))
  const counts = new Map<Chip, number>()
  let shown = 0
  return candidates.flatMap((candidate) => {
    const isChosen = candidate.chips.some((chip) => chip.isChosen) || chips.length === 0
    const isShown = isChosen && shown < limit
    const isNeeded = candidate.chips.some((chip) => (counts.get(chip) ?? 0) < perChip)
    if (!isShown && !isNeeded) return []
    if (isShown) shown += 1
    for (const chip of candidate.chips) counts.set(chip, (counts.get(chip) ?? 0) + 1)
    return [{ ...candidate, isShown }]
  })
}

/** `Earlier`, `This week`, `Later in November`, `December`, `January 2027`, or `Also running`. */
function groupTitle(item: BoardItem, { today, firstDay, language }: Days): string {
  const { entries } = pageMessages(language)
  if (lastDayOf(item) < firstDay) return entries.earlier
  if (isLong(item) && firstDayOf(item) < firstDay) return entries.alsoRunning
  const day = dayOf(item, firstDay)
  if (today !== undefined && day <= lastDayOfWeek(today, language)) return entries.thisWeek
  const month = monthInWords(day.slice(0, 7), today, language)
  return today?.slice(0, 7) === day.slice(0, 7) ? entries.laterIn(month) : month
}

function entryFrom({ item, chips, isShown }: Shown, { firstDay }: Days): AgendaEntry {
  const { source = sourceOf(item.kind, item.color), url: path = pathOf(item) } = item
  const values = chips.map(({ value }) => value)
  return { item, source, path, date: dayOf(item, firstDay), chips: values, isShown }
}

export function pathOf({ kind, id }: BoardItem): string {
  return `${kind}/${id.split('-').at(-1) ?? ''}`
}

/** Returns the day under which an item is listed, which is today for items in progress. */
function dayOf(item: BoardItem, firstDay: SiteDate): SiteDate {
  const day = firstDayOf(item)
  return day < firstDay && lastDayOf(item) >= firstDay ? firstDay : day
}

/** Returns the last day of a day's week, which begins on the first weekday of the language's region. */
function lastDayOfWeek(day: SiteDate, language: string): SiteDate {
  // January 1, 2024 is a Monday.
  const weekday = daysBetween('2024-01-01', day) + 8 - firstWeekday(language)
  return daysAfter(day, 6 - (weekday % 7))
}

/** Returns the latest items as stories, with pictures sized for thumbnails or cards. */
export function storiesFrom(
  { site, basePath, pictures, clock }: SiteContext,
  items: readonly BoardItem[],
  limit: number,
  use: 'thumbnail' | 'phone',
) {
  const latest = items.toSorted((a, b) => Number(a.start < b.start) - Number(a.start > b.start))
  // Browsers may be at a URL other than the public one, so URLs have only a path.
  return pictures.hosted(latest.slice(0, limit), basePath, use).map((item) => ({
    ...item,
    path: pathOf(item),
    day: dayInWords(item.start.slice(0, 10), todayAt(site, clock.now()), site.language),
  }))
}

/** Returns the feed URLs to list in a page's head element. */
export function linksOf(feed: Feed, base: string, site: Site) {
  return feed.formats.map((format) => ({
    type: formats[format].mediaType,
    format: formats[format].label ?? pageMessages(site.language).site.calendarFormat,
    title: feed.textIn(site.language).title,
    url: feedUrl(base, feed, format, withLanguage('', site)),
  }))
}

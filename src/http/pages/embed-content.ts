import type { Feed } from '../../feeds/feed.ts'
import type { ListedEntry } from '../../feeds/listed-entries.ts'
import { todayAt } from '../../feeds/site.ts'
import { partKeyOf, textFrom } from '../../feeds/source-list.ts'
import type { ChosenOptions } from '../../options/option.ts'
import { endOfSpan } from '../../records/date-words.ts'
import { lastDayIn, monthsAfter, monthsBetween, type SiteMonth } from '../../records/month-grid.ts'
import { daysAfter, siteDateAt, siteTimeAt } from '../../records/site-time.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import type { SiteContext } from '../context.ts'
import { createListLimit, readListFilters } from '../feeds/list-filters.ts'
import type { Viewer } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { BadOption, TooManyRequests, Unavailable } from '../server/errors.ts'
import { createCalendarEntries, maxMonthsAway, monthGrid } from './calendar-entries.ts'
import {
  embedOptionsFor,
  readEmbedOptions,
  type Embed,
  type EmbedOptions,
} from './embed-options.ts'
import { groupsFrom, ungroupedFrom, type AgendaGroup } from './home-agenda.ts'
import { storiesFrom, type Story } from './home-news.ts'

/** Number of days in which the next entries are searched. */
const nextDays = 365

/** Options with many values. */
const varied = ['show', 'month', 'accent']

/** Burst and refill interval for requests with those options, per client. */
const variants = { maxConcurrent: 60, oneMoreMs: 1_000 }

const unreadText = 'The website has not been read yet. Please try again shortly.'
const unreadRetryMs = 10_000

export type EmbedRequest = {
  readonly viewer: Viewer
  readonly query: URLSearchParams
  /** The client's IP address. */
  readonly ip: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What an embed shows. One of the lists, or the month, is defined. */
export type EmbedContent = {
  readonly chosen: EmbedOptions
  readonly groups?: readonly AgendaGroup[]
  readonly stories?: readonly Story[]
  readonly month?: EmbedMonth
}

type EmbedMonth = ReturnType<typeof monthGrid> & {
  readonly month: SiteMonth
  readonly today: string | undefined
  readonly previous: NeighborMonth | undefined
  readonly next: NeighborMonth | undefined
}

/** A month with its relative URL. */
type NeighborMonth = { readonly month: SiteMonth; readonly url: string }

/** Creates a function that returns what an embed shows. It throws `BadOption` for invalid options. */
export function createEmbedContent(context: SiteContext) {
  const { site, overviews, clock } = context
  const entriesFor = createCalendarEntries(context)
  const limitLists = createListLimit(context)
  const limit = createClientLimit(clock, variants)

  function limitVariants({ query, ip }: EmbedRequest): void {
    if (!varied.some((name) => query.has(name))) return
    const waitMs = limit.take(ip)
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  function groupsOf(
    items: readonly BoardItem[],
    shown: EmbedOptions,
    isGrouped: boolean,
    now: number,
  ) {
    const days = { today: todayAt(site, now), firstDay: siteDateAt(now, site.timeZone) }
    const groups = isGrouped ? groupsFrom : ungroupedFrom
    return { chosen: shown, groups: groups(items, shown.limit, days) }
  }

  async function feedContent(
    feed: Feed,
    filter: ChosenOptions | undefined,
    shown: EmbedOptions,
    { viewer, now }: EmbedRequest,
  ): Promise<EmbedContent> {
    const { board } = await overviews.read(feed, viewer.profile, filter)
    if (feed.formats.includes('ics')) return groupsOf(board, shown, shown.layout === 'list', now)
    const use = shown.layout === 'cards' ? 'phone' : 'thumbnail'
    const stories = storiesFrom(context, board, { limit: shown.limit, use, now })
    return { chosen: shown, stories }
  }

  /** Returns the entries of the viewer's calendars that the option `show` selects. */
  async function entriesIn(
    { viewer, query, now }: EmbedRequest,
    [from, to]: readonly [from: string, to: string],
  ): Promise<readonly ListedEntry[] | undefined> {
    const found = await entriesFor(viewer, query, { from, to, now })
    // An embed must not replace entries with nothing only because the website cannot be read.
    if (found?.filter.chosen.length === 0) throw new Unavailable(unreadText, unreadRetryMs)
    return found?.entries
  }

  async function nextContent(
    request: EmbedRequest,
    shown: EmbedOptions,
  ): Promise<EmbedContent | undefined> {
    const today = siteDateAt(request.now, site.timeZone)
    const entries = await entriesIn(request, [today, daysAfter(today, nextDays)])
    if (!entries) return undefined
    const time = siteTimeAt(request.now, site.timeZone)
    const coming = entries.filter((entry) => endOfSpan(entry.time) > time)
    return groupsOf(coming.map(itemFrom), shown, false, request.now)
  }

  /** `show` replaces the option with that name, which an embed of one feed does not have. */
  async function monthContent(
    request: EmbedRequest,
    shown: EmbedOptions,
    show: string | undefined,
  ): Promise<EmbedContent | undefined> {
    const { query, now } = request
    const today = siteDateAt(now, site.timeZone)
    const current = today.slice(0, 7)
    const month = shown.month ?? current
    const isInRange = (each: SiteMonth) => Math.abs(monthsBetween(current, each)) <= maxMonthsAway
    if (!isInRange(month)) throw new BadOption('month must be within ten years.')
    const selecting = show === undefined ? query : new URLSearchParams({ show })
    const entries = await entriesIn({ ...request, query: selecting }, [
      `${month}-01`,
      lastDayIn(month),
    ])
    if (!entries) return undefined
    const linkTo = (each: SiteMonth) => {
      if (site.isStatic || !isInRange(each)) return undefined
      const changed = new URLSearchParams(query)
      changed.set('month', each)
      return { month: each, url: `?${changed.toString()}` }
    }
    return {
      chosen: shown,
      month: {
        ...monthGrid(entries, month),
        month,
        today: site.isStatic ? undefined : today,
        previous: linkTo(monthsAfter(month, -1)),
        next: linkTo(monthsAfter(month, 1)),
      },
    }
  }

  return async (embed: Embed, request: EmbedRequest): Promise<EmbedContent | undefined> => {
    const { viewer, query, ip } = request
    const { feed } = embed
    const shown = readEmbedOptions(embed, query)
    limitVariants(request)
    if (!feed) {
      return shown.layout === 'month'
        ? monthContent(request, shown, undefined)
        : nextContent(request, shown)
    }
    const filters = readListFilters([feed], query, embedOptionsFor(embed))
    limitLists(ip, viewer.profile, filters)
    const filter = filters.get(feed)
    if (shown.layout !== 'month') return feedContent(feed, filter, shown, request)
    const show = textFrom(feed.id, partsIn(feed, filter))
    return monthContent({ ...request, viewer: { ...viewer, feeds: [feed] } }, shown, show)
  }
}

/** Returns the ids of the parts that the feed's own option selects. */
function partsIn(feed: Feed, filter: ChosenOptions | undefined): readonly number[] {
  const parts = filter?.values[partKeyOf(feed, 'ics') ?? '']
  return Array.isArray(parts) ? parts.map(Number) : []
}

function itemFrom({ kind, recordId, title, time, location, category, places }: ListedEntry) {
  const { allDay, start, end = null } = time
  return boardItem({
    id: `${kind}-${recordId}`,
    kind,
    role: 'agenda',
    title,
    when: '',
    start,
    end,
    allDay,
    location,
    category,
    open: places?.open ?? null,
    places: places?.places ?? null,
  })
}

import { Router } from 'express'
import type { Clock } from '../../clock.ts'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Collections } from '../../collections/collections.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { ListedEntry } from '../../feeds/listed-entries.ts'
import type { Site } from '../../feeds/site.ts'
import {
  lastDayIn,
  monthsAfter,
  monthsBetween,
  readSiteMonth,
  weeksOf,
  type SiteMonth,
} from '../../records/month-grid.ts'
import { bySoonest, isLong, isOnDay } from '../../records/date-words.ts'
import {
  daysAfter,
  daysBetween,
  readSiteDate,
  siteDateAt,
  type SiteDate,
} from '../../records/site-time.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import { boardOf } from '../../signage/board.ts'
import { prefixes, type Viewer } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { BadOption, TooManyRequests } from '../server/errors.ts'
import { allowForms } from '../server/security-headers.ts'
import type { RenderPage } from '../templates.ts'
import { readEntryFilter, type EntryFilter, type FilteredFeed } from './entry-filter.ts'
import type { PageHandler, PageRequest } from './page-handler.ts'

/** Number of days on a page of the agenda. */
const agendaDays = 60

/** Farthest month that has a page, before and after this one. A static host has fewer. */
const maxMonthsAway = 120
const maxStaticMonthsAway = 12

/** Burst and refill interval for pages other than the first, per client. */
const variants = { maxConcurrent: 60, oneMoreMs: 1_000 }

type AgendaOptions = {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly collections: Pick<Collections, 'read' | 'isSwitchedOff'>
  readonly overviews: Pick<FeedOverviews, 'read'>
  readonly render: RenderPage
  readonly pageHandler: PageHandler
  readonly clock: Pick<Clock, 'now'>
}

/** Serves `/agenda` and `/month/{yyyy-mm}`, publicly and under feed links. */
export function agendaRoutes(options: AgendaOptions): Router {
  const { site, render, pageHandler, clock } = options
  const limit = createClientLimit(clock, variants)
  const router = Router({ caseSensitive: true, strict: true })
  const entriesFor = createEntryReader(options)
  const monthsAway = site.isStatic ? maxStaticMonthsAway : maxMonthsAway
  // A static host has no page for each choice.
  const filterChips: typeof chipsOf = (...filter) => (site.isStatic ? [] : chipsOf(...filter))

  function limitVariants({ request, query }: PageRequest): void {
    if (query.size === 0) return
    const waitMs = limit.take(request.ip ?? '')
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  /** Returns the month if it has a page. */
  const inRange = (month: SiteMonth, today: SiteDate) =>
    Math.abs(monthsBetween(today.slice(0, 7), month)) <= monthsAway ? month : undefined

  async function showAgenda(pageRequest: PageRequest): Promise<string | undefined> {
    const { viewer, query, now } = pageRequest
    limitVariants(pageRequest)
    const today = siteDateAt(now, site.timeZone)
    const from = startFrom(query, today)
    const to = daysAfter(from, agendaDays - 1)
    const found = await entriesFor(viewer, query, { from, to, now })
    if (!found) return undefined
    const { entries, filter } = found
    const reference = from > today ? from : today
    const inOrder = entries.toSorted((a, b) => bySoonest(reference)(a.time, b.time))
    const isRunning = ({ time }: ListedEntry) => isLong(time) && time.start.slice(0, 10) < from
    const coming = inOrder.filter((entry) => !isRunning(entry))
    const monthOf = ({ start }: ListedEntry) => (start < from ? from : start).slice(0, 7)
    const linkTo = (day: SiteDate) =>
      inRange(day.slice(0, 7), today) && !site.isStatic
        ? addressOf('agenda', { from: day === today ? '' : day, show: filter.show })
        : undefined
    return render('agenda', {
      filter,
      chips: filterChips(filter, (show) =>
        addressOf('agenda', { from: from === today ? '' : from, show }),
      ),
      from,
      to,
      isToday: from === today,
      months: [...Map.groupBy(coming, monthOf)].map(([month, listed]) => ({ month, listed })),
      running: inOrder.filter(isRunning),
      previous: linkTo(daysAfter(from, -agendaDays)),
      next: linkTo(daysAfter(from, agendaDays)),
      today: linkTo(today),
      monthUrl: addressOf(`month/${from.slice(0, 7)}`, { show: filter.show }),
      isPrivate: viewer.link !== undefined,
    })
  }

  async function showMonth(pageRequest: PageRequest): Promise<string | undefined> {
    const { request, viewer, query, now } = pageRequest
    limitVariants(pageRequest)
    const today = siteDateAt(now, site.timeZone)
    const month = readSiteMonth(String(request.params['month']))
    if (month === undefined)
      throw new BadOption(`A month is a year and a number, like /month/${today.slice(0, 7)}.`)
    if (!inRange(month, today))
      throw new BadOption(
        `There are pages for the months from ${monthsAfter(today.slice(0, 7), -monthsAway)} to ${monthsAfter(today.slice(0, 7), monthsAway)}.`,
      )
    const [from, to] = [`${month}-01`, lastDayIn(month)]
    const found = await entriesFor(viewer, query, { from, to, now })
    if (!found) return undefined
    const { entries, filter } = found
    const inOrder = entries.toSorted((a, b) => bySoonest(from)(a.time, b.time))
    const linkTo = (other: SiteMonth) =>
      inRange(other, today) && addressOf(other, { show: filter.show })
    const daily = inOrder.filter(({ time }) => !isLong(time))
    return render('month', {
      filter,
      month,
      chips: filterChips(filter, (show) => addressOf(month, { show })),
      today: site.isStatic ? undefined : today,
      weeks: weeksOf(month).map((week) =>
        week.map((day) => day && { day, entries: daily.filter(({ time }) => isOnDay(time, day)) }),
      ),
      running: inOrder.filter(({ time }) => isLong(time)),
      previous: linkTo(monthsAfter(month, -1)),
      next: linkTo(monthsAfter(month, 1)),
      thisMonth: linkTo(today.slice(0, 7)),
      isThisMonth: month === today.slice(0, 7),
      agendaUrl: addressOf('../agenda', { show: filter.show }),
    })
  }

  for (const prefix of prefixes) {
    router.get(`${prefix}/agenda`, allowForms, pageHandler(showAgenda))
    router.get(`${prefix}/month/:month`, allowForms, pageHandler(showMonth))
    router.get(`${prefix}/month`, ({ originalUrl }, response) => {
      const month = siteDateAt(clock.now(), site.timeZone).slice(0, 7)
      response.redirect(302, `month/${month}${/\?.*/s.exec(originalUrl)?.[0] ?? ''}`)
    })
  }
  return router
}

/** Returns the months that have a page on a static host. */
export function staticMonths(today: SiteDate): readonly SiteMonth[] {
  return Array.from({ length: 2 * maxStaticMonthsAway + 1 }, (_, index) =>
    monthsAfter(today.slice(0, 7), index - maxStaticMonthsAway),
  )
}

/** Creates a function that returns the entries of a viewer's calendars; undefined without calendars. */
function createEntryReader({ site, feeds, collections, overviews }: AgendaOptions) {
  /** Returns the feed with its parts; undefined if its records are unavailable. */
  async function available(feed: Feed, { profile }: Viewer): Promise<FilteredFeed | undefined> {
    try {
      const { parts } = await overviews.read(feed, profile)
      return { feed, parts }
    } catch (error) {
      if (!(error instanceof CollectionUnavailable)) throw error
      return undefined
    }
  }

  return async (
    viewer: Viewer,
    query: URLSearchParams,
    { from, to, now }: { readonly from: SiteDate; readonly to: SiteDate; readonly now: number },
  ): Promise<
    { readonly entries: readonly ListedEntry[]; readonly filter: EntryFilter } | undefined
  > => {
    const { profile } = viewer
    const calendars = viewer.feeds.filter(
      ({ formats, resource }) => formats.includes('ics') && !collections.isSwitchedOff(resource),
    )
    if (calendars.length === 0) return undefined
    const shown = await Promise.all(calendars.map((feed) => available(feed, viewer)))
    const filtered = shown.filter((each) => each !== undefined)
    const filter = readEntryFilter(filtered, query)
    const lists = await Promise.all(
      filtered.map(async ({ feed }) => {
        const choice = filter.chosen.find(({ feedId }) => feedId === feed.id)
        if (!choice) return []
        const range = { from, to, parts: choice.parts }
        const source = await collections.read(feed.resource)
        return feed.listed?.(source, range, { site, profile, now }) ?? []
      }),
    )
    return { entries: boardOf(lists.flat(), feeds), filter }
  }
}

/** Reads the first day of the agenda, which is today by default. */
function startFrom(query: URLSearchParams, today: SiteDate): SiteDate {
  const text = query.get('from')
  if (text === null) return today
  const from = readSiteDate(text)
  if (from === undefined) throw new BadOption(`from must be a date, like from=${today}.`)
  if (Math.abs(daysBetween(today, from)) > maxMonthsAway * 30) {
    throw new BadOption('from must be a date within ten years.')
  }
  return from
}

function chipsOf({ chips }: EntryFilter, urlFor: (show: string) => string) {
  return chips.length < 2 ? [] : chips.map((chip) => ({ ...chip, url: urlFor(chip.show) }))
}

/** Returns a relative address. Leaves out empty parameters, and keeps commas and colons readable. */
function addressOf(path: string, parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== '')
  return pairs.length === 0
    ? path
    : `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
}

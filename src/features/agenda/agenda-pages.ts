import { training } from '../../feeds/catalog/training.ts'
import { withText, type ListedEntry } from '../../feeds/feed.ts'
import { readOptions, type ChosenOptions } from '../../options/option.ts'
import { wholeNumber } from '../../options/value-types.ts'
import {
  lastDayIn,
  lastShownIn,
  monthsAfter,
  monthsBetween,
  readSiteMonth,
  type SiteMonth,
} from '../../records/site-month.ts'
import { firstDayOf, isLong, soonestFirst } from '../../records/date-words.ts'
import { firstWeekday } from '../../records/language.ts'
import { readSiteDate } from '../../records/read-site-time.ts'
import { daysAfter, daysBetween, type SiteDate } from '../../records/site-time.ts'
import { textOfFilter, textOfSearch, type SearchFilter } from '../../search/search.ts'
import type { SiteContext } from '../../web/context.ts'
import { BadOption, validOptions } from '../../web/errors.ts'
import type { EntryFilter } from '../../web/calendar-chips.ts'
import { entriesFor, maxMonthsAway } from '../../web/calendar-entries.ts'
import { keptLinks, savedEntries } from '../../web/kept-entries.ts'
import { monthGrid } from '../../web/month-grid.ts'
import { isForVolunteers } from './roster-page.ts'
import type { PageRequest } from '../../web/page-handler.ts'

const agendaDays = 60

/** Longer pages would delay other requests, and are hard to read on a phone. */
const entriesPerPage = 200

const maxPages = 500

const agendaOptions = { page: { name: 'page', type: wholeNumber(1, maxPages), defaultValue: 1 } }

/** A static host has fewer months than `maxMonthsAway`. */
const maxStaticMonthsAway = 12

const monthsAwayOn = ({ site }: SiteContext) =>
  site.isStatic ? maxStaticMonthsAway : maxMonthsAway

const isInRange = (month: SiteMonth, { context, today }: PageRequest) =>
  Math.abs(monthsBetween(today.slice(0, 7), month)) <= monthsAwayOn(context)

/** Returns the links that show or hide calendars. A static host has no pages for selections. */
const chipsOf = (
  { context: { site } }: PageRequest,
  { chips }: EntryFilter,
  urlFor: (show: string) => string,
) =>
  site.isStatic || chips.length < 3
    ? []
    : chips.map((chip) => ({ ...chip, url: urlFor(chip.show) }))

export async function showAgenda(page: PageRequest) {
  const { context, query, today, render } = page
  const from = startFrom(query, today)
  const to = daysAfter(from, agendaDays - 1)
  const found = await entriesFor(page, { from, to }, { isPersonal: true })
  if (!found) return undefined
  const { entries, filter, searched } = found
  const reference = from > today ? from : today
  const isRunning = ({ time }: ListedEntry) => firstDayOf(time) < from && isLong(time)
  const { pages, ...listed } = onePage(page, runningLast(entries, reference, isRunning))
  const coming = listed.entries.filter((entry) => !isRunning(entry))
  const monthOf = ({ start }: ListedEntry) => (start < from ? from : start).slice(0, 7)
  const urlFrom = (day: SiteDate, show: string, number = 1) =>
    urlWith(
      'agenda',
      { from: day === today ? '' : day, page: number === 1 ? '' : `${number}`, show },
      searched,
    )
  const linkTo = (day: SiteDate) =>
    isInRange(day.slice(0, 7), page) && !context.site.isStatic
      ? urlFrom(day, filter.show)
      : undefined
  const certifications = page.offered.find(({ id }) => id === training.id)
  return render('agenda/agenda', {
    chips: chipsOf(page, filter, (show) => urlFrom(from, show)),
    from,
    to,
    isToday: from === today,
    months: [...Map.groupBy(coming, monthOf)].map(([month, listed]) => ({ month, listed })),
    running: listed.entries.filter(isRunning),
    rest: listed.rest,
    earlierPage: pages.previous && urlFrom(from, filter.show, pages.previous),
    laterPage: pages.next && urlFrom(from, filter.show, pages.next),
    kept: keptLinks(page, savedEntries),
    previous: linkTo(daysAfter(from, -agendaDays)),
    next: linkTo(daysAfter(from, agendaDays)),
    today: linkTo(today),
    certifications: certifications && withText(certifications, context.site.language).title,
    hasRoster: !context.site.isStatic && page.offered.some(isForVolunteers),
    monthUrl: urlWith(`month/${from.slice(0, 7)}`, { show: filter.show }, searched),
    ...searchForm('agenda', { from: from === today ? '' : from, show: filter.show }, found),
  })
}

function runningLast(
  entries: readonly ListedEntry[],
  reference: SiteDate,
  isRunning: (entry: ListedEntry) => boolean,
): readonly ListedEntry[] {
  const inOrder = soonestFirst(entries, reference, ({ time }) => time)
  return [...inOrder.filter((entry) => !isRunning(entry)), ...inOrder.filter(isRunning)]
}

/**
 * Returns the entries of the requested page, or of the last one if there are fewer pages, and the
 * number of entries after them. A static host has only one page.
 */
function onePage({ context: { site }, query }: PageRequest, all: readonly ListedEntry[]) {
  const perPage = site.isStatic ? Infinity : entriesPerPage
  const { page } = validOptions(readOptions(agendaOptions, query)).values
  const number = Math.max(1, Math.min(page, Math.ceil(all.length / perPage)))
  const end = number * perPage
  const rest = Math.max(0, all.length - end)
  const previous = number > 1 ? number - 1 : undefined
  const next = rest > 0 ? number + 1 : undefined
  return { entries: all.slice(end - perPage, end), rest, pages: { previous, next } }
}

export async function showMonth(page: PageRequest) {
  const { context, request, today, render } = page
  const { site } = context
  const thisMonth = today.slice(0, 7)
  const month = readSiteMonth(String(request.params['month']))
  if (month === undefined)
    throw new BadOption(`A month is a year and a number, like /month/${thisMonth}.`)
  const monthsAway = monthsAwayOn(context)
  if (!isInRange(month, page))
    throw new BadOption(
      `There are pages for the months from ${monthsAfter(thisMonth, -monthsAway)} to ${monthsAfter(thisMonth, monthsAway)}.`,
    )
  const to = lastShownIn(month, firstWeekday(site.language))
  const found = await entriesFor(page, { from: `${month}-01`, to }, { isPersonal: true })
  if (!found) return undefined
  const { entries, filter, searched } = found
  const ofMonth = entries.filter(({ time }) => firstDayOf(time) <= lastDayIn(month))
  const linkTo = (other: SiteMonth) =>
    isInRange(other, page) && urlWith(other, { show: filter.show }, searched)
  const urlFrom = (day: SiteDate) =>
    urlWith('../agenda', { from: day, show: filter.show }, searched)
  return render('agenda/month', {
    month,
    chips: chipsOf(page, filter, (show) => urlWith(month, { show }, searched)),
    today: site.isStatic ? undefined : today,
    ...monthGrid(entries, month, site),
    urlFrom,
    previous: linkTo(monthsAfter(month, -1)),
    next: linkTo(monthsAfter(month, 1)),
    thisMonth: linkTo(thisMonth),
    isThisMonth: month === thisMonth,
    agendaUrl: urlWith('../agenda', { show: filter.show }, searched),
    ...searchForm(month, { show: filter.show }, { entries: ofMonth, searched }),
  })
}

export async function redirectToMonth({ request, response, today }: PageRequest) {
  const month = today.slice(0, 7)
  response.redirect(302, `month/${month}${/\?.*/s.exec(request.originalUrl)?.[0] ?? ''}`)
  return undefined
}

export function staticMonths(today: SiteDate): readonly SiteMonth[] {
  return Array.from({ length: 2 * maxStaticMonthsAway + 1 }, (_, index) =>
    monthsAfter(today.slice(0, 7), index - maxStaticMonthsAway),
  )
}

/** Reads the first day of the agenda, which is today by default. */
function startFrom(query: URLSearchParams, today: SiteDate): SiteDate {
  const text = query.get('from')
  if (text === null) return today
  const from = readSiteDate(text)
  if (from === undefined) throw new BadOption(`from must be a date, like from=${today}.`)
  if (Math.abs(daysBetween(today, from)) > maxMonthsAway * 31) {
    throw new BadOption('from must be a date within ten years.')
  }
  return from
}

type Searched = {
  readonly entries: readonly unknown[]
  readonly searched: ChosenOptions<Required<SearchFilter>>
}

/** Returns what the search form of a page shows. On a static host, there is none. */
function searchForm(
  path: string,
  parameters: Readonly<Record<string, string>>,
  { entries, searched: { values, query } }: Searched,
) {
  const feedQuery = urlWith('', { feed: 'all', show: parameters['show'] ?? '' }, { query })
  return {
    search: {
      path,
      kept: { ...parameters, place: values.place },
      text: textOfSearch(values.search),
      filter: textOfFilter(values),
      count: entries.length,
      allUrl: urlWith(path, parameters),
      followUrl: `feeds${feedQuery}`,
    },
  }
}

/** Returns a relative URL. Omits empty parameters, and keeps commas and colons readable. */
function urlWith(
  path: string,
  parameters: Readonly<Record<string, string>>,
  { query } = { query: '' },
): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === '' ? [] : `${name}=${value}`,
  )
  const all = [...pairs, ...(query === '' ? [] : [query])]
  return all.length === 0 ? path : `${path}?${all.join('&')}`
}

import { Router } from 'express'
import type { ListedEntry } from '../../feeds/listed-entries.ts'
import {
  lastDayIn,
  monthsAfter,
  monthsBetween,
  readSiteMonth,
  type SiteMonth,
} from '../../records/month-grid.ts'
import { bySoonest, isLong } from '../../records/date-words.ts'
import {
  daysAfter,
  daysBetween,
  readSiteDate,
  siteDateAt,
  type SiteDate,
} from '../../records/site-time.ts'
import type { SiteContext } from '../context.ts'
import { prefixes } from '../feeds/viewer.ts'
import { BadOption } from '../server/errors.ts'
import { allowForms } from '../server/security-headers.ts'
import { createCalendarEntries, maxMonthsAway, monthGrid } from './calendar-entries.ts'
import type { EntryFilter } from './entry-filter.ts'
import { pageHandler, type PageRequest } from './page-handler.ts'

/** Number of days on a page of the agenda. */
const agendaDays = 60

/** A static host has fewer months than `maxMonthsAway`. */
const maxStaticMonthsAway = 12

/** Serves `/agenda` and `/month/{yyyy-mm}`, publicly and under feed links. */
export function agendaRoutes(context: SiteContext): Router {
  const { site, render, clock } = context
  const router = Router({ caseSensitive: true, strict: true })
  const entriesFor = createCalendarEntries(context)
  const monthsAway = site.isStatic ? maxStaticMonthsAway : maxMonthsAway
  // A static host has no page for each choice.
  const filterChips: typeof chipsOf = (...filter) => (site.isStatic ? [] : chipsOf(...filter))

  /** Returns the month if it has a page. */
  const inRange = (month: SiteMonth, today: SiteDate) =>
    Math.abs(monthsBetween(today.slice(0, 7), month)) <= monthsAway ? month : undefined

  async function showAgenda(pageRequest: PageRequest): Promise<string | undefined> {
    const { viewer, query, now } = pageRequest
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
    const linkTo = (other: SiteMonth) =>
      inRange(other, today) && addressOf(other, { show: filter.show })
    return render('month', {
      filter,
      month,
      chips: filterChips(filter, (show) => addressOf(month, { show })),
      today: site.isStatic ? undefined : today,
      ...monthGrid(entries, month),
      previous: linkTo(monthsAfter(month, -1)),
      next: linkTo(monthsAfter(month, 1)),
      thisMonth: linkTo(today.slice(0, 7)),
      isThisMonth: month === today.slice(0, 7),
      agendaUrl: addressOf('../agenda', { show: filter.show }),
    })
  }

  for (const prefix of prefixes) {
    router.get(`${prefix}/agenda`, allowForms, pageHandler(context, showAgenda))
    router.get(`${prefix}/month/:month`, allowForms, pageHandler(context, showMonth))
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

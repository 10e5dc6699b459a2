import { DateTime } from 'luxon'
import { daysAfter, daysBetween, type SiteDate, type SiteDateTime } from './site-time.ts'

/*
 * Short dates and times for pages. `today` is the site's date. Pass undefined for text that is kept for
 * long, which then has a year and neither "Today" nor "Tomorrow".
 */

/** When an entry takes place: dates with an exclusive end, or wall-clock times at the site. */
export type TimeSpan = {
  readonly allDay: boolean
  readonly start: string
  readonly end?: string | null | undefined
}

/** An entry that lasts this long is a background to other entries, such as a permit or an exhibition. */
const longDays = 14

/** An entry that ends by then is not listed again on its last day. */
const endOfMorning = 'T12:00:00'

/** For longer periods, a date is easier to understand. */
const maxDaysInWords = 14

const range = ' – '

/** `Today`, `Tomorrow`, `Yesterday`, `Sat Nov 28` or `Fri Jan 1, 2027`. */
export function dayInWords(day: SiteDate, today: SiteDate | undefined): string {
  return nearDay(day, today) ?? `${weekday(day)} ${monthAndDay(day)}${yearUnless(today, day)}`
}

/** `Nov 28`, with the year unless it is this year. */
export function shortDayInWords(day: SiteDate, today: SiteDate | undefined): string {
  return `${monthAndDay(day)}${yearUnless(today, day)}`
}

/** `Saturday, November 28`, with the year unless it is this year. */
export function longDayInWords(day: SiteDate, today: SiteDate | undefined): string {
  return `${formatted(day, 'cccc, LLLL d')}${yearUnless(today, day)}`
}

/** `December`, or `January 2027` if it is not in this year. */
export function monthInWords(month: string, today: SiteDate | undefined): string {
  return formatted(`${month}-01`, today?.startsWith(month.slice(0, 4)) ? 'LLLL' : 'LLLL yyyy')
}

/** `10 AM`, `7:30 PM`, `noon` or `midnight`. */
export function clockInWords(time: SiteDateTime): string {
  const clock = time.slice(11, 16)
  if (clock === '12:00') return 'noon'
  return clock === '00:00' ? 'midnight' : formatted(time, 'h:mm a').replace(':00', '')
}

/**
 * Describes when an entry takes place: `Sat Nov 28, 10 AM – noon`, `Today, 7 PM`, `Nov 21 – 22`, or
 * `until Dec 3` for one that started before today.
 */
export function spanInWords(span: TimeSpan, today: SiteDate | undefined): string {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  if (today !== undefined && first < today && last >= today) return untilInWords(span, today)
  if (isOneDay(span)) return joined(dayInWords(first, today), clocksInWords(span))
  if (span.allDay || isLong(span)) return daysInWords(first, last, today)
  const from = joined(dayInWords(first, today), clockInWords(span.start))
  const until = endClock(span)
  if (last === daysAfter(first, 1)) return `${from}${range}${weekday(last)} ${until}`
  const [firstDay, lastDay] = [first, last].map(
    (day) => nearDay(day, today) ?? dayInWords(day, referenceFor(first, last, today)),
  )
  const start = joined(firstDay ?? '', clockInWords(span.start))
  return `${start}${range}${joined(lastDay ?? '', until)}`
}

/** Returns the day that determines which years are written, so that a range has both or none. */
const referenceFor = (first: SiteDate, last: SiteDate, today: SiteDate | undefined) =>
  first.slice(0, 4) === last.slice(0, 4) ? today : undefined

/**
 * Describes when an entry takes place on two lines: `Saturday, November 28` and `10 AM – noon`. The second
 * line is empty for an all-day entry, and for one on several days.
 */
export function spanOnTwoLines(
  span: TimeSpan,
  today: SiteDate | undefined,
): { readonly day: string; readonly clock: string } {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  if (first === last) return { day: longDayInWords(first, today), clock: clocksInWords(span) }
  const clocks = span.allDay ? ['', ''] : [clockInWords(span.start), endClock(span)]
  const [from, until] = [first, last].map((day, index) =>
    joined(longDayInWords(day, referenceFor(first, last, today)), clocks[index] ?? ''),
  )
  return { day: `${from}${range}${until}`, clock: '' }
}

const full = {
  day: (day: SiteDate) => formatted(day, 'cccc, LLLL d, yyyy'),
  clock: (time: SiteDateTime) => formatted(time, 'h:mm a'),
}

/** `Sunday, March 8, 2026, 8:00 AM – 11:30 AM`, or with other words for days and times. */
export function timeInWords(span: TimeSpan, { day, clock } = full): string {
  const { allDay, start, end } = span
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  if (allDay) return first === last ? day(first) : `${day(first)}${range}${day(last)}`
  const from = `${day(first)}, ${clock(start)}`
  if (typeof end !== 'string') return from
  const until = end.endsWith('T00:00:00') ? 'midnight' : clock(end)
  return `${from}${range}${first === last ? until : `${day(last)}, ${until}`}`
}

/** `Today`, `Tomorrow`, `Yesterday`, `In 5 days`, `In progress`, or an empty string for the past. */
export function distanceInWords(span: TimeSpan, today: SiteDate): string {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  if (first < today && last >= today) return 'In progress'
  const days = daysBetween(today, first)
  return nearDay(first, today) ?? (days > 0 && days <= maxDaysInWords ? `In ${days} days` : '')
}

/** Times on the day of an entry: `5 – 8 PM`, `10 AM – noon`. Empty for an all-day entry. */
export function clocksInWords(span: TimeSpan): string {
  if (span.allDay) return ''
  const from = clockInWords(span.start)
  if (typeof span.end !== 'string') return from
  const until = endClock(span)
  const [, half] = / ([AP]M)$/.exec(from) ?? []
  const isSameHalf = half !== undefined && until.endsWith(half) && isOneDay(span)
  return `${isSameHalf ? from.slice(0, -half.length - 1) : from}${range}${until}`
}

/**
 * Returns the time for an entry next to the day on which it is listed, such as `10 AM – noon` or `All day`.
 * It has dates for several days, and `Today` and `Tomorrow`.
 */
export function timeBesideDay(
  span: TimeSpan,
  today: SiteDate | undefined,
  firstListed: SiteDate,
): string {
  const day = firstDayOf(span)
  const isNear = nearDay(day, today) !== undefined
  if (day !== lastDayOf(span) || day < firstListed || isNear) return spanInWords(span, today)
  return clocksInWords(span) || 'All day'
}

/** The start on an entry's first day, `until 2 PM` on its last day, and otherwise an empty string. */
export function clockOn(span: TimeSpan, day: SiteDate): string {
  if (span.allDay) return ''
  if (firstDayOf(span) === day) return clockInWords(span.start)
  return lastDayOf(span) === day && typeof span.end === 'string' ? `until ${endClock(span)}` : ''
}

/** `Nov 21 – 22`, `Nov 28 – Dec 2`, or `Dec 30, 2026 – Jan 2, 2027`. */
export function daysInWords(first: SiteDate, last: SiteDate, today: SiteDate | undefined): string {
  if (first === last) return dayInWords(first, today)
  const isSameYear = first.slice(0, 4) === last.slice(0, 4)
  const isSameMonth = first.slice(0, 7) === last.slice(0, 7)
  const from = isSameYear ? monthAndDay(first) : shortDayInWords(first, undefined)
  const to = isSameMonth ? formatted(last, 'd') : monthAndDay(last)
  return `${from}${range}${to}${yearUnless(referenceFor(first, last, today), last)}`
}

/** Parts of a date for a tile: `Sat`, `Nov` and `28`. */
export function dayParts(day: SiteDate) {
  return { weekday: weekday(day), month: formatted(day, 'LLL'), number: formatted(day, 'd') }
}

/** `Nov 28`; months with at most four letters are not abbreviated. */
export function monthAndDay(day: SiteDate): string {
  return formatted(day, /-0[67]-/.test(day) ? 'LLLL d' : 'LLL d')
}

/** Returns true for an entry that lasts for weeks. Pages list it after entries that start soon. */
export function isLong(span: TimeSpan): boolean {
  return daysBetween(firstDayOf(span), lastDayOf(span)) >= longDays
}

/** Compares entries by start. Long entries that have already started sort last. */
export function bySoonest(today: SiteDate): (a: TimeSpan, b: TimeSpan) => number {
  const rank = (span: TimeSpan) => Number(isLong(span) && firstDayOf(span) < today)
  const key = (span: TimeSpan) => (rank(span) === 1 ? lastDayOf(span) : span.start)
  return (a, b) => rank(a) - rank(b) || Number(key(a) > key(b)) - Number(key(a) < key(b))
}

export function firstDayOf({ start }: TimeSpan): SiteDate {
  return start.slice(0, 10)
}

/** Returns the last day of an entry. An entry that ends at midnight ends on the day before. */
export function lastDayOf(span: TimeSpan): SiteDate {
  const { allDay, start, end } = span
  if (typeof end !== 'string' || end <= start) return firstDayOf(span)
  const day = end.slice(0, 10)
  return allDay || end.endsWith('T00:00:00') ? daysAfter(day, -1) : day
}

/** Returns true if an entry is on a day. A night that ends in the morning belongs to its first day. */
export function isOnDay(span: TimeSpan, day: SiteDate): boolean {
  const { allDay, start, end } = span
  const isMorning = !allDay && typeof end === 'string' && end <= `${day}${endOfMorning}`
  return firstDayOf(span) === day || (start < day && lastDayOf(span) >= day && !isMorning)
}

/** Returns the exclusive end of an entry. An entry without an end lasts until midnight. */
export function endOfSpan({ allDay, start, end }: TimeSpan): SiteDateTime {
  if (allDay) return `${end ?? daysAfter(start, 1)}T00:00:00`
  return end ?? `${daysAfter(start.slice(0, 10), 1)}T00:00:00`
}

/** `until Dec 3`, `until noon`, or `until Sun Nov 29, 2 PM` if it ends within days. */
function untilInWords(span: TimeSpan, today: SiteDate): string {
  const last = lastDayOf(span)
  const clock = span.allDay || typeof span.end !== 'string' ? '' : endClock(span)
  if (last === today && clock !== '') return `until ${clock}`
  const day = nearDay(last, today)?.toLowerCase() ?? shortDayInWords(last, today)
  return `until ${isLong(span) ? day : joined(day, clock)}`
}

function isOneDay(span: TimeSpan): boolean {
  return firstDayOf(span) === lastDayOf(span)
}

function endClock({ end }: TimeSpan): string {
  return typeof end === 'string' ? clockInWords(end) : ''
}

function nearDay(day: SiteDate, today: SiteDate | undefined): string | undefined {
  if (today === undefined) return undefined
  const words: Readonly<Record<number, string>> = { [-1]: 'Yesterday', 0: 'Today', 1: 'Tomorrow' }
  return words[daysBetween(today, day)]
}

function weekday(day: SiteDate): string {
  return formatted(day, 'ccc')
}

function yearUnless(today: SiteDate | undefined, day: SiteDate): string {
  const year = day.slice(0, 4)
  return today?.startsWith(year) ? '' : `, ${year}`
}

/** Joins the parts that are not empty. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

export function formatted(dateOrTime: string, format: string): string {
  return DateTime.fromISO(dateOrTime, { zone: 'utc', locale: 'en' }).toFormat(format)
}

import { dateFormatsOf } from './date-formats.ts'
import { recordMessages } from './record-messages.ts'
import { daysAfter, daysBetween, type SiteDate, type SiteDateTime } from './site-time.ts'

/*
 * Short dates and times for pages and feeds, as written in the region of `language`. `today` is the site's date. Pass undefined for text that is kept for
 * long, which then has a year and neither "Today" nor "Tomorrow".
 */

/** When an entry takes place: dates with an exclusive end, or wall-clock times at the site. */
export type TimeSpan = {
  readonly allDay: boolean
  readonly start: string
  readonly end?: string | null | undefined
  /** The times of an all-day entry, or otherwise its end, if they cannot be read. */
  readonly asWritten?: string | undefined
}

/** An entry that lasts this long is a background to other entries, such as a permit or an exhibition. */
const longDays = 14

/** An end this long after the start is probably a mistake, such as a mistyped year. */
const distantEndDays = 365

/** An entry that ends by then is not listed again on its last day. */
const endOfMorning = 'T12:00:00'

/** For longer periods, a date is easier to understand. */
const maxDaysInWords = 14

const range = ' – '

/** Returns a function that writes days or months, with the year unless it is this year. */
const daysIn =
  (kind: 'day' | 'fullDay' | 'longDay' | 'month') =>
  (dayOrMonth: string, today: SiteDate | undefined, language: string): string => {
    const isYearShown = !today?.startsWith(dayOrMonth.slice(0, 4))
    return dateFormatsOf(language)[kind](new Date(dayOrMonth), isYearShown)
  }

/** `Today`, `Tomorrow`, `Yesterday`, `Sat Nov 28` or `Fri Jan 1, 2027`. */
export function dayInWords(day: SiteDate, today: SiteDate | undefined, language: string): string {
  return (
    nearDay(day, today, language) ??
    `${weekday(day, language)} ${shortDayInWords(day, today, language)}`
  )
}

/** `Nov 28`, with the year unless it is this year. */
export const shortDayInWords = daysIn('day')

/** `Nov 28, 2026`; all months are abbreviated. */
export function mediumDay(day: SiteDate, language: string): string {
  return dateFormatsOf(language).mediumDay(new Date(day))
}

/** `November 28`, with the year unless it is this year. */
export const fullDayInWords = daysIn('fullDay')

/** `November 28, 7:30 PM`, with the year unless it is this year. */
export function momentInWords(
  time: SiteDateTime,
  today: SiteDate | undefined,
  language: string,
): string {
  return `${fullDayInWords(time.slice(0, 10), today, language)}, ${fullClock(time, language)}`
}

/** `Saturday, November 28`, with the year unless it is this year. */
export const longDayInWords = daysIn('longDay')

/** `December`, or `January 2027` if it is not in this year. */
export const monthInWords = daysIn('month')

/** `10 AM`, `7:30 PM`, `noon` or `midnight`, or `19:30` in regions with 24 hours. */
export function clockInWords(time: SiteDateTime, language: string): string {
  const clock = time.slice(11, 16)
  const { noon, midnight } = recordMessages(language)
  if (clock === '12:00') return noon
  return clock === '00:00' ? midnight : shortClock(time, language)
}

/** `7 PM`, `7:30 PM`, `19:00` or `19 h`. */
export function shortClock(time: SiteDateTime, language: string): string {
  return fullClock(time, language).replace(/:00(?= )/, '')
}

/** `7:00 PM` or `19:00`. */
export function fullClock(time: SiteDateTime, language: string): string {
  return dateFormatsOf(language).clock(new Date(`${time}Z`))
}

/**
 * Describes when an entry takes place: `Sat Nov 28, 10 AM – noon`, `Today, 7 PM`, `Nov 21 – 22`, or
 * `until Dec 3` for one that started before today.
 */
export function spanInWords(span: TimeSpan, today: SiteDate | undefined, language: string): string {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  if (today !== undefined && first < today && last >= today)
    return untilInWords(span, today, language)
  if (isOneDay(span))
    return joined(dayInWords(first, today, language), clocksInWords(span, language))
  if (span.allDay || isLong(span)) {
    return joined(daysInWords(first, last, today, language), span.asWritten ?? '')
  }
  const from = joined(dayInWords(first, today, language), clockInWords(span.start, language))
  const until = endClock(span, language)
  if (last === daysAfter(first, 1)) return `${from}${range}${weekday(last, language)} ${until}`
  const [firstDay, lastDay] = [first, last].map(
    (day) =>
      nearDay(day, today, language) ?? dayInWords(day, referenceFor(first, last, today), language),
  )
  const start = joined(firstDay ?? '', clockInWords(span.start, language))
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
  language: string,
): { readonly day: string; readonly clock: string } {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  if (first === last) {
    return { day: longDayInWords(first, today, language), clock: clocksInWords(span, language) }
  }
  const clocks = span.allDay
    ? ['', '']
    : [clockInWords(span.start, language), endClock(span, language)]
  const [from, until] = [first, last].map((day, index) =>
    joined(longDayInWords(day, referenceFor(first, last, today), language), clocks[index] ?? ''),
  )
  return { day: `${from}${range}${until}`, clock: '' }
}

const full = {
  day: (day: SiteDate, language: string) => longDayInWords(day, undefined, language),
  clock: fullClock,
}

/** `Sunday, March 8, 2026, 8:00 AM – 11:30 AM`, or with other words for days and times. */
export function timeInWords(span: TimeSpan, language: string, words = full): string {
  const day = (date: SiteDate) => words.day(date, language)
  const clock = (time: SiteDateTime) => words.clock(time, language)
  const { allDay, start, end } = span
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  const asWritten = span.asWritten ?? ''
  if (allDay) {
    return joined(first === last ? day(first) : `${day(first)}${range}${day(last)}`, asWritten)
  }
  const from = `${day(first)}, ${clock(start)}`
  if (typeof end !== 'string') return asWritten === '' ? from : `${from}${range}${asWritten}`
  const until = end.endsWith('T00:00:00') ? recordMessages(language).midnight : clock(end)
  return `${from}${range}${first === last ? until : `${day(last)}, ${until}`}`
}

/** `Today`, `Tomorrow`, `Yesterday`, `In 5 days`, `In progress`, or an empty string for the past. */
export function distanceInWords(span: TimeSpan, today: SiteDate, language: string): string {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  const { inProgress, inDays } = recordMessages(language)
  if (first < today && last >= today) return inProgress
  const days = daysBetween(today, first)
  return nearDay(first, today, language) ?? (days > 0 && days <= maxDaysInWords ? inDays(days) : '')
}

/** Times on the day of an entry: `5 – 8 PM`, `10 AM – noon`. Usually empty for an all-day entry. */
export function clocksInWords(span: TimeSpan, language: string): string {
  if (span.allDay) return span.asWritten ?? ''
  const from = clockInWords(span.start, language)
  const until = endClock(span, language)
  if (until === '') return from
  const [, half] = / ([ap]\.? ?m\.?)$/i.exec(from) ?? []
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
  { firstListed, language }: { readonly firstListed: SiteDate; readonly language: string },
): string {
  const day = firstDayOf(span)
  const isNear = nearDay(day, today, language) !== undefined
  if (day !== lastDayOf(span) || day < firstListed || isNear) {
    return spanInWords(span, today, language)
  }
  return clocksInWords(span, language) || recordMessages(language).allDay
}

/** The start on an entry's first day, `until 2 PM` on its last day, and otherwise an empty string. */
export function clockOn(span: TimeSpan, day: SiteDate, language: string): string {
  const isFirst = firstDayOf(span) === day
  if (span.allDay) return isFirst ? (span.asWritten ?? '') : ''
  if (isFirst) return clockInWords(span.start, language)
  const isLast = lastDayOf(span) === day && typeof span.end === 'string'
  return isLast ? recordMessages(language).untilClock(endClock(span, language)) : ''
}

/** `Nov 21 – 22` or `21 – 22 Nov`, `Nov 28 – Dec 2`, or `Dec 30, 2026 – Jan 2, 2027`. */
export function daysInWords(
  first: SiteDate,
  last: SiteDate,
  today: SiteDate | undefined,
  language: string,
): string {
  if (first === last) return dayInWords(first, today, language)
  const { isDayFirst, day } = dateFormatsOf(language)
  const isSameYear = first.slice(0, 4) === last.slice(0, 4)
  const isSameMonth = first.slice(0, 7) === last.slice(0, 7)
  const reference = referenceFor(first, last, today)
  const to = shortDayInWords(last, reference, language)
  if (!isSameYear) return `${shortDayInWords(first, undefined, language)}${range}${to}`
  const from = day(new Date(first))
  if (!isSameMonth) return `${from}${range}${to}`
  if (isDayFirst) return `${from.split(' ')[0]}${range}${to}`
  const year = reference?.startsWith(last.slice(0, 4)) ? '' : `, ${last.slice(0, 4)}`
  return `${from}${range}${numberOf(last)}${year}`
}

/** Parts of a date for a tile: `Sat`, `Nov` and `28`. */
export function dayParts(day: SiteDate, language: string) {
  const month = dateFormatsOf(language).shortMonth(new Date(day))
  return { weekday: weekday(day, language), month, number: numberOf(day) }
}

function numberOf(day: SiteDate): string {
  return `${Number(day.slice(8))}`
}

/** Returns true for an entry that lasts for weeks. Pages list it after entries that start soon. */
export function isLong(span: TimeSpan): boolean {
  return daysUntilEnd(span) >= longDays
}

/** Returns true for an entry that ends a year or more after it starts. */
export function hasDistantEnd(span: TimeSpan): boolean {
  return daysUntilEnd(span) >= distantEndDays
}

function daysUntilEnd(span: TimeSpan): number {
  const [first, last] = [firstDayOf(span), lastDayOf(span)]
  // Parsing dates is slow, and there are thousands of entries.
  return first === last ? 0 : daysBetween(first, last)
}

/** Sorts items by start. Long ones that have already started come last, by their last day. */
export function soonestFirst<T>(
  items: readonly T[],
  today: SiteDate,
  timeOf: (item: T) => TimeSpan,
): readonly T[] {
  return items
    .map((item) => ({ item, key: soonestKey(timeOf(item), today) }))
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
    .map(({ item }) => item)
}

function soonestKey(span: TimeSpan, today: SiteDate): string {
  const isRunning = firstDayOf(span) < today && isLong(span)
  return isRunning ? `running ${lastDayOf(span)}` : span.start
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

/** Days from `from` to `to`. Undefined means unlimited. */
export type DateWindow = { readonly from: SiteDate | undefined; readonly to: SiteDate | undefined }

export function isWithin(span: TimeSpan, { from, to }: DateWindow): boolean {
  return (
    (to === undefined || firstDayOf(span) <= to) && (from === undefined || lastDayOf(span) >= from)
  )
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
function untilInWords(span: TimeSpan, today: SiteDate, language: string): string {
  const last = lastDayOf(span)
  const clock = span.allDay || typeof span.end !== 'string' ? '' : endClock(span, language)
  const { untilClock, untilToday, untilTomorrow, untilDate } = recordMessages(language)
  if (last === today) return clock === '' ? untilToday : untilClock(clock)
  const day =
    last === daysAfter(today, 1) ? untilTomorrow : untilDate(shortDayInWords(last, today, language))
  return isLong(span) ? day : joined(day, clock)
}

function isOneDay(span: TimeSpan): boolean {
  return firstDayOf(span) === lastDayOf(span)
}

function endClock({ end, asWritten = '' }: TimeSpan, language: string): string {
  return typeof end === 'string' ? clockInWords(end, language) : asWritten
}

function nearDay(day: SiteDate, today: SiteDate | undefined, language: string): string | undefined {
  if (today === undefined) return undefined
  const messages = recordMessages(language)
  return [messages.yesterday, messages.today, messages.tomorrow][daysBetween(today, day) + 1]
}

export function weekday(day: SiteDate, language: string): string {
  return dateFormatsOf(language).shortWeekday(new Date(day))
}

/** `Sunday` */
export function weekdayInWords(day: SiteDate, language: string): string {
  return dateFormatsOf(language).longWeekday(new Date(day))
}

/** Joins the parts that are not empty. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

/* Dates and times in the words of a board's language. */
import type { SiteOffsets } from '../records/clock-changes.ts'
import type { BoardItem } from './board-item.ts'
import { filled, formatOf, type BoardLanguage } from './board-language.ts'
import { daysAfter, hasStarted, siteTimeAt, type ViewOptions } from './board-view.ts'
import type { BoardMessages } from './messages/en.ts'

/** Age of the website's data at which a board turns amber. */
export const amberAfterMs = 30 * 60_000
/** Age of the website's data at which a board shows a prominent warning. */
export const loudAfterMs = 6 * 60 * 60_000
/**
 * Minimum data age before each warning, expressed as a multiple of the read interval because some
 * websites are polled infrequently.
 */
const amberAfterIntervals = 2
const loudAfterIntervals = 4

/** Boards count down to entries that start within this time. */
const countdownMs = 2 * 60 * 60_000
const minuteMs = 60_000

/** Dates at least this many days ahead include the year. */
const farDays = 300

export type TimeOptions = ViewOptions & BoardLanguage

export type Span = {
  readonly start: string
  readonly end: string | null
  readonly allDay: boolean
}

/**
 * Returns the times of an item on the day under which it is listed: "7 PM" and "– 9 PM", "10 PM"
 * and "until 6 AM", or only "until 6 AM" after a start on an earlier day. Each may be empty.
 */
export function timesOf(
  { start, end, allDay }: Span,
  day: string,
  options: TimeOptions,
): { from: string; until: string } {
  if (allDay) return { from: '', until: '' }
  const { lang } = options
  const from = start.startsWith(day) ? clockTime(start, lang, true) : ''
  if (end === null || end <= start || !isSoon(end, day)) return { from, until: '' }
  const isSameDay = end.startsWith(day) || end === `${daysAfter(day, 1)}T00:00:00`
  if (from !== '' && isSameDay) return { from, until: `– ${clockTime(end, lang, true)}` }
  return { from, until: momentText(options.words.until, end, day, options) }
}

/**
 * Returns the end of an item that continues past the morning after the day under which it is
 * listed, such as "until Sun, Dec 6".
 */
export function lastDayOf({ start, end, allDay }: Span, day: string, options: TimeOptions): string {
  if (end === null || end <= start) return ''
  const isDate = allDay || end.endsWith('T00:00:00')
  const last = isDate ? daysAfter(end.slice(0, 10), -1) : end
  if (isDate ? last <= day : isSoon(end, day)) return ''
  return momentText(options.words.until, last, day, options)
}

/**
 * Returns true for a time that needs no date when listed under a day: that day or the next morning.
 */
function isSoon(time: string, day: string): boolean {
  const date = time.slice(0, 10)
  return date <= day || (date === daysAfter(day, 1) && time.slice(11, 13) < '12')
}

/** Returns when something starts or how long it lasts, such as "until 6 AM". */
export function activeTime(
  item: Span & { readonly startAt: string | null },
  options: TimeOptions,
): string {
  const { start, end, allDay } = item
  const { now, words } = options
  const today = now.slice(0, 10)
  if (!hasStarted(item, options)) return momentText(words.from, start, today, options)
  if (end === null) return ''
  // Ends are exclusive, so an all-day item lasts until the day before its end.
  const last = allDay ? daysAfter(end.slice(0, 10), -1) : end
  if (allDay && last <= today) return ''
  return momentText(words.until, last, today, options)
}

/**
 * Returns a text with a time, and with the date unless the time is soon after `listed`, the day of
 * the list.
 */
function momentText(
  texts: BoardMessages['from'],
  moment: string,
  listed: string,
  { now, lang }: TimeOptions,
): string {
  const date = moment.slice(0, 10)
  const isTomorrow = date === daysAfter(now.slice(0, 10), 1)
  const day = dateInText(date, listed, lang)
  if (moment.length === 10) return filled(isTomorrow ? texts.tomorrow : texts.day, { day })
  const time = timeInText(moment, lang)
  if (isSoon(moment, listed)) return filled(texts.time, { time })
  return filled(isTomorrow ? texts.tomorrowTime : texts.dayTime, { day, time })
}

function dateInText(date: string, listed: string, lang: string): string {
  if (date < daysAfter(listed, farDays)) return shortDate(date, lang)
  return dateIn(date, lang, { day: 'numeric', month: 'short', year: 'numeric' })
}

/**
 * Returns a time as in a sentence: "las 6 a. m." in Spanish, "6 h" in French, and "6" or "6:30"
 * before "Uhr" in German.
 */
function timeInText(moment: string, lang: string): string {
  const time = clockTime(moment, lang, true)
  if (isFrench(lang)) return time.replace(/^0(?=\d)/, '')
  if (lang.startsWith('de')) return time.replace(/^0(?=\d)/, '').replace(/:00$/, '')
  if (lang.startsWith('es')) return `${/^0?1\b/.test(time) ? 'la' : 'las'} ${time}`
  return time
}

/** Returns the time until an item starts, or an empty string if it does not start soon. */
export function countdown({ startAt }: BoardItem, { instant, words }: TimeOptions): string {
  const ms = startAt === null ? -1 : Date.parse(startAt) - instant
  if (ms <= 0 || ms > countdownMs) return ''
  const minutes = Math.ceil(ms / minuteMs)
  const values = { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
  if (values.hours === 0) return filled(words.inMinutes, values)
  return filled(values.minutes === 0 ? words.inHours : words.inHoursAndMinutes, values)
}

export type AsOf = { readonly text: string; readonly level: '' | 'amber' | 'loud' }

/**
 * Returns the time of the last read, with the day unless it is today, and a warning level that
 * depends on the age of the data. `readAt` is in milliseconds since the epoch, and `intervalMs` is
 * the interval between reads of the website.
 */
export function asOf(
  readAt: number,
  {
    now,
    offsets,
    lang,
    words,
    intervalMs,
  }: BoardLanguage & {
    readonly now: number
    readonly offsets: SiteOffsets
    readonly intervalMs: number
  },
): AsOf {
  const ageMs = now - readAt
  const isLoud = ageMs >= Math.max(loudAfterMs, loudAfterIntervals * intervalMs)
  const isAmber = ageMs >= Math.max(amberAfterMs, amberAfterIntervals * intervalMs)
  const level = isLoud ? 'loud' : isAmber ? 'amber' : ''
  const texts = isLoud ? words.stale : words.lastRead
  const time = siteTimeAt(readAt, offsets)
  const day = time.slice(0, 10)
  const isToday = day === siteTimeAt(now, offsets).slice(0, 10)
  const values = { day: dateName(day, lang), time: clockTime(time, lang) }
  return { text: filled(isToday ? texts.today : texts.earlier, values), level }
}

/**
 * Returns a time. Omits the minutes of full hours in French and, if `isShort`, on a 12-hour clock.
 */
export function clockTime(siteTime: string, lang: string, isShort = false): string {
  const format = formatOf(lang, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  const isFullHour = siteTime.slice(14, 16) === '00'
  const isOmitted = isFrench(lang) || (isShort && format.resolvedOptions().hour12 === true)
  const omitsMinutes = isFullHour && isOmitted
  const used = omitsMinutes ? formatOf(lang, { hour: 'numeric', timeZone: 'UTC' }) : format
  return used.format(new Date(`${siteTime}Z`))
}

export function dateName(day: string, lang: string): string {
  return dateIn(day, lang, { weekday: 'long', day: 'numeric', month: 'long' })
}

export function shortDate(day: string, lang: string): string {
  return dateIn(day, lang, { weekday: 'short', day: 'numeric', month: 'short' })
}

const isFrench = (lang: string) => lang.startsWith('fr')

function dateIn(day: string, lang: string, options: Intl.DateTimeFormatOptions): string {
  const format = formatOf(lang, { ...options, timeZone: 'UTC' })
  const text = format.format(new Date(`${day}T00:00:00Z`))
  return isFrench(lang) ? text.replace(/\b1 /, '1er ') : text
}

/** Returns the name of a day as a heading. For days after tomorrow, it comes from `nameOf`. */
export function dayName(
  day: string,
  today: string,
  { lang, words }: BoardLanguage,
  nameOf = dateName,
): string {
  if (day === today) return words.today
  if (day === daysAfter(today, 1)) return words.tomorrow
  const name = nameOf(day, lang)
  return name.slice(0, 1).toLocaleUpperCase(lang) + name.slice(1)
}

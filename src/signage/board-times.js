/* Dates and times in the words of a board's language. */
import { filled, formatOf } from './board-language.js'
import { daysAfter, hasStarted, siteTimeAt } from './board-view.js'

/** @import { SiteOffsets } from '../records/clock-changes.ts' */
/** @import { AsOf } from './board-header.js' */
/** @import { BoardItem } from './board-item.ts' */
/** @import { BoardLanguage } from './board-language.js' */
/** @import { ViewOptions } from './board-view.js' */
/** @import { BoardMessages } from './messages/en.ts' */

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

/** @typedef {ViewOptions & BoardLanguage} TimeOptions */

/** @typedef {Pick<BoardItem, 'start' | 'end' | 'allDay'>} Span */

/**
 * Returns the times of an item on the day under which it is listed: "7 PM" and "– 9 PM", "10 PM" and
 * "until 6 AM", or only "until 6 AM" after a start on an earlier day. Each may be empty.
 * @type {(item: Span, day: string, options: TimeOptions) => { from: string, until: string }}
 */
export function timesOf({ start, end, allDay }, day, options) {
  if (allDay) return { from: '', until: '' }
  const { lang } = options
  const from = start.startsWith(day) ? clockTime(start, lang, true) : ''
  if (end === null || end <= start || !isSoon(end, day)) return { from, until: '' }
  const isSameDay = end.startsWith(day) || end === `${daysAfter(day, 1)}T00:00:00`
  if (from !== '' && isSameDay) return { from, until: `– ${clockTime(end, lang, true)}` }
  return { from, until: momentText(options.words.until, end, day, options) }
}

/**
 * Returns the end of an item that continues past the morning after the day under which it is listed,
 * such as "until Sun, Dec 6".
 * @type {(item: Span, day: string, options: TimeOptions) => string}
 */
export function lastDayOf({ start, end, allDay }, day, options) {
  if (end === null || end <= start) return ''
  const isDate = allDay || end.endsWith('T00:00:00')
  const last = isDate ? daysAfter(end.slice(0, 10), -1) : end
  if (isDate ? last <= day : isSoon(end, day)) return ''
  return momentText(options.words.until, last, day, options)
}

/**
 * Returns true for a time that needs no date when listed under a day: that day or the next morning.
 * @type {(time: string, day: string) => boolean}
 */
function isSoon(time, day) {
  const date = time.slice(0, 10)
  return date <= day || (date === daysAfter(day, 1) && time.slice(11, 13) < '12')
}

/**
 * Returns when something starts or how long it lasts, such as "until 6 AM".
 * @type {(item: Pick<BoardItem, 'start' | 'startAt' | 'end' | 'allDay'>, options: TimeOptions) => string}
 */
export function activeTime(item, options) {
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
 * Returns a text with a time, and with the date unless the time is soon after `listed`, the day of the list.
 * @type {(texts: BoardMessages['from'], moment: string, listed: string, options: TimeOptions) => string}
 */
function momentText(texts, moment, listed, { now, lang }) {
  const date = moment.slice(0, 10)
  const isTomorrow = date === daysAfter(now.slice(0, 10), 1)
  const day = dateInText(date, listed, lang)
  if (moment.length === 10) return filled(isTomorrow ? texts.tomorrow : texts.day, { day })
  const time = timeInText(moment, lang)
  if (isSoon(moment, listed)) return filled(texts.time, { time })
  return filled(isTomorrow ? texts.tomorrowTime : texts.dayTime, { day, time })
}

/** @type {(date: string, listed: string, lang: string) => string} */
function dateInText(date, listed, lang) {
  if (date < daysAfter(listed, farDays)) return shortDate(date, lang)
  return dateIn(date, lang, { day: 'numeric', month: 'short', year: 'numeric' })
}

/**
 * Returns a time as in a sentence: "las 6 a. m." in Spanish, "6 h" in French, and "6" or "6:30" before
 * "Uhr" in German.
 * @type {(moment: string, lang: string) => string}
 */
function timeInText(moment, lang) {
  const time = clockTime(moment, lang, true)
  if (isFrench(lang)) return time.replace(/^0(?=\d)/, '')
  if (lang.startsWith('de')) return time.replace(/^0(?=\d)/, '').replace(/:00$/, '')
  if (lang.startsWith('es')) return `${/^0?1\b/.test(time) ? 'la' : 'las'} ${time}`
  return time
}

/**
 * Returns the time until an item starts, or an empty string if it does not start soon.
 * @type {(item: BoardItem, options: TimeOptions) => string}
 */
export function countdown({ startAt }, { instant, words }) {
  const ms = startAt === null ? -1 : Date.parse(startAt) - instant
  if (ms <= 0 || ms > countdownMs) return ''
  const minutes = Math.ceil(ms / minuteMs)
  const values = { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
  if (values.hours === 0) return filled(words.inMinutes, values)
  return filled(values.minutes === 0 ? words.inHours : words.inHoursAndMinutes, values)
}

/**
 * Returns the time of the last read, with the day unless it is today, and a warning level that depends on
 * the age of the data.
 * @param {number} readAt Milliseconds since the epoch.
 * @param {BoardLanguage & {
 *   readonly now: number, readonly offsets: SiteOffsets, readonly intervalMs: number
 * }} options `intervalMs` is the interval between reads of the website.
 * @returns {AsOf}
 */
export function asOf(readAt, { now, offsets, lang, words, intervalMs }) {
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
 * @type {(siteTime: string, lang: string, isShort?: boolean) => string}
 */
export function clockTime(siteTime, lang, isShort = false) {
  const format = formatOf(lang, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  const isFullHour = siteTime.slice(14, 16) === '00'
  const isOmitted = isFrench(lang) || (isShort && format.resolvedOptions().hour12 === true)
  const omitsMinutes = isFullHour && isOmitted
  const used = omitsMinutes ? formatOf(lang, { hour: 'numeric', timeZone: 'UTC' }) : format
  return used.format(new Date(`${siteTime}Z`))
}

/** @type {(day: string, lang: string) => string} */
export function dateName(day, lang) {
  return dateIn(day, lang, { weekday: 'long', day: 'numeric', month: 'long' })
}

/** @type {(day: string, lang: string) => string} */
export function shortDate(day, lang) {
  return dateIn(day, lang, { weekday: 'short', day: 'numeric', month: 'short' })
}

/** @type {(lang: string) => boolean} */
const isFrench = (lang) => lang.startsWith('fr')

/** @type {(day: string, lang: string, options: Intl.DateTimeFormatOptions) => string} */
function dateIn(day, lang, options) {
  const format = formatOf(lang, { ...options, timeZone: 'UTC' })
  const text = format.format(new Date(`${day}T00:00:00Z`))
  return isFrench(lang) ? text.replace(/\b1 /, '1er ') : text
}

/**
 * Returns the name of a day as a heading. For days after tomorrow, it comes from `nameOf`.
 * @type {(day: string, today: string, language: BoardLanguage, nameOf?: typeof dateName) => string}
 */
export function dayName(day, today, { lang, words }, nameOf = dateName) {
  if (day === today) return words.today
  if (day === daysAfter(today, 1)) return words.tomorrow
  const name = nameOf(day, lang)
  return name.slice(0, 1).toLocaleUpperCase(lang) + name.slice(1)
}

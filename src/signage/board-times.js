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

/** @typedef {ViewOptions & BoardLanguage} TimeOptions */

/**
 * Returns the start and end of an item on one day, each of which may be empty. Omits a start on an
 * earlier day and an end on a later day.
 * @param {{ start: string, end: string | null, allDay: boolean }} item
 * @param {string} day
 * @param {string} lang
 */
export function timesOf({ start, end, allDay }, day, lang) {
  if (allDay) return { from: '', until: '' }
  const from = start.startsWith(day) ? clockTime(start, lang, true) : ''
  const until = end !== null && end.startsWith(day) && end > start ? clockTime(end, lang, true) : ''
  return { from, until }
}

/**
 * Returns when something starts or how long it lasts, such as "until 6 AM".
 * @type {(item: Pick<BoardItem, 'start' | 'startAt' | 'end' | 'allDay'>, options: TimeOptions) => string}
 */
export function activeTime(item, options) {
  const { start, end, allDay } = item
  const { now, lang, words } = options
  const today = now.slice(0, 10)
  if (!hasStarted(item, options)) return momentText(words.from, start, today, lang)
  if (end === null) return ''
  // Ends are exclusive, so an all-day item lasts until the day before its end.
  const last = allDay ? daysAfter(end.slice(0, 10), -1) : end
  if (allDay && last <= today) return ''
  return momentText(words.until, last, today, lang)
}

/**
 * Returns a text with a time, and with the day unless it is today.
 * @type {(texts: BoardMessages['from'], moment: string, today: string, lang: string) => string}
 */
function momentText(texts, moment, today, lang) {
  const date = moment.slice(0, 10)
  const isTomorrow = date === daysAfter(today, 1)
  const hasTime = moment.length > 10
  const day = shortDate(date, lang)
  if (!hasTime) return filled(isTomorrow ? texts.tomorrow : texts.day, { day })
  const time = clockTime(moment, lang, true)
  const isSoon = date <= today || (isTomorrow && moment.slice(11, 13) < '12')
  if (isSoon) return filled(texts.time, { time })
  return filled(isTomorrow ? texts.tomorrowTime : texts.dayTime, { day, time })
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

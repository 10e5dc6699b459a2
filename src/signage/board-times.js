/* Dates and times in the words of a board's language. */
import { formatOf, wordsOf } from './board-language.js'
import { daysAfter, hasStarted, siteTimeAt } from './board-view.js'

/** @import { AsOf } from './board-header.js' */
/** @import { BoardItem } from './board-item.ts' */
/** @import { ViewOptions } from './board-view.js' */

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

/** @typedef {ViewOptions & { readonly lang: string }} TimeOptions With the language (BCP 47). */

/**
 * Returns the start and end of an item on one day, each of which may be empty. Omits a start on an
 * earlier day and an end on a later day.
 * @param {Pick<BoardItem, 'start' | 'end' | 'allDay'>} item
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
  const { now, lang } = options
  const words = wordsOf(lang)
  const today = now.slice(0, 10)
  if (!hasStarted(item, options)) return words.from(momentName(start, today, lang))
  if (end === null) return ''
  // Ends are exclusive, so an all-day item lasts until the day before its end.
  const last = allDay ? daysAfter(end.slice(0, 10), -1) : end
  if (allDay) return last <= today ? '' : words.through(shortDate(last, lang))
  return words.until(momentName(last, today, lang))
}

/**
 * Returns the time of a moment, with the weekday unless it is today.
 * @type {(moment: string, today: string, lang: string) => string}
 */
function momentName(moment, today, lang) {
  const day = moment.slice(0, 10)
  const isSoon = day <= daysAfter(today, 1)
  const time = moment.length > 10 ? clockTime(moment, lang, true) : ''
  if (day === today || (isSoon && time !== '' && moment.slice(11, 13) < '12')) return time
  const tomorrow = wordsOf(lang).tomorrow.toLocaleLowerCase(lang)
  const name = day === daysAfter(today, 1) ? tomorrow : shortDate(day, lang)
  return `${name} ${time}`.trim()
}

/**
 * Returns the time until an item starts, or an empty string if it does not start soon.
 * @type {(item: Pick<BoardItem, 'startAt'>, options: TimeOptions) => string}
 */
export function countdown({ startAt }, { instant, lang }) {
  const ms = startAt === null ? -1 : Date.parse(startAt) - instant
  if (ms <= 0 || ms > countdownMs) return ''
  const minutes = Math.ceil(ms / minuteMs)
  return wordsOf(lang).inTime(Math.floor(minutes / 60), minutes % 60)
}

/**
 * Returns the time of the last read, with the day unless it is today, and a warning level that depends on
 * the age of the data.
 * @param {number} readAt Milliseconds since the epoch.
 * @param {{
 *   readonly now: number, readonly timeZone: string, readonly lang: string,
 *   readonly intervalMs: number
 * }} options `intervalMs` is the interval between reads of the website.
 * @returns {AsOf}
 */
export function asOf(readAt, { now, timeZone, lang, intervalMs }) {
  const ageMs = now - readAt
  const isLoud = ageMs >= Math.max(loudAfterMs, loudAfterIntervals * intervalMs)
  const isAmber = ageMs >= Math.max(amberAfterMs, amberAfterIntervals * intervalMs)
  const level = isLoud ? 'loud' : isAmber ? 'amber' : ''
  const words = wordsOf(lang)
  const time = siteTimeAt(readAt, timeZone)
  const day = time.slice(0, 10)
  const isToday = day === siteTimeAt(now, timeZone).slice(0, 10)
  const when = [...(isToday ? [] : [dateName(day, lang)]), clockTime(time, lang)]
  return { text: `${level === 'loud' ? words.stale : words.asOf} ${when.join(', ')}`, level }
}

/**
 * Returns a time. If `isShort`, omits the minutes of full hours on a 12-hour clock.
 * @type {(siteTime: string, lang: string, isShort?: boolean) => string}
 */
export function clockTime(siteTime, lang, isShort = false) {
  const format = formatOf(lang, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  const isFullHour = siteTime.slice(14, 16) === '00'
  const omitsMinutes = isShort && isFullHour && format.resolvedOptions().hour12 === true
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

/** @type {(day: string, lang: string, options: Intl.DateTimeFormatOptions) => string} */
function dateIn(day, lang, options) {
  return formatOf(lang, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/**
 * Returns the name of a day. For days after tomorrow, the name comes from `nameOf`.
 * @type {(day: string, today: string, lang: string, nameOf?: typeof dateName) => string}
 */
export function dayName(day, today, lang, nameOf = dateName) {
  const words = wordsOf(lang)
  if (day === today) return words.today
  return day === daysAfter(today, 1) ? words.tomorrow : nameOf(day, lang)
}

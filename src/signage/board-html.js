/* HTML for boards. The server renders the first page, and the screen renders the others. */
import { formatOf, wordsOf } from './board-language.js'
import { daysAfter, siteTimeAt } from './board-view.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */
/** @typedef {import('./board-view.js').ViewOptions} ViewOptions */

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

/**
 * @param {import('./board-view.js').AgendaPage | undefined} page
 * @param {ViewOptions} options
 */
export function agendaHtml(page, options) {
  if (!page) return `<p class="nothing">${escaped(wordsOf(options.lang).nothing)}</p>`
  const today = options.now.slice(0, 10)
  return page.days
    .map(({ day, items }) => {
      const rows = items.map((item) => rowHtml(item, day, options)).join('')
      return `<section class="day"><h2>${escaped(dayName(day, today, options.lang))}</h2><ul>${rows}</ul></section>`
    })
    .join('')
}

/**
 * @param {import('./board-view.js').Card} card
 * @param {ViewOptions} options
 */
export function cardHtml(card, options) {
  const words = wordsOf(options.lang)
  if ('items' in card) {
    const today = options.now.slice(0, 10)
    const rows = card.items.map((item) => rowHtml(item, today, options)).join('')
    return `<h2>${escaped(words[card.role])}</h2><ul>${rows}</ul>`
  }
  const { title, text, pictureUrl, category } = card.item
  const label = (card.role === 'story' && category) || words[card.role]
  const picture = pictureUrl === null ? '' : `<img src="${escaped(pictureUrl)}" alt="">`
  return `<h2>${escaped(label)}</h2>${picture}<h3>${escaped(title)}</h3><p>${escaped(text)}</p>`
}

/**
 * @param {BoardItem} item
 * @param {string} day Day under which the item is listed.
 * @param {ViewOptions} options
 */
function rowHtml(item, day, options) {
  const { title, location, role, open, places } = item
  const notes = [
    role === 'volunteers'
      ? dayName(item.start.slice(0, 10), options.now.slice(0, 10), options.lang)
      : '',
    location,
    open === null || places === null ? '' : wordsOf(options.lang).open(open, places),
  ].filter((note) => note !== '')
  const isTimed = role !== 'volunteers' && role !== 'changes'
  const time = isTimed ? timeName(item, day, options.lang) : ''
  const line = notes.length === 0 ? '' : `<span class="notes">${escaped(notes.join(' · '))}</span>`
  return `<li><span class="time">${escaped(time)}</span><span class="what"><strong>${escaped(title)}</strong>${line}</span></li>`
}

/**
 * Returns the start time on that day, or the end time if the item started earlier; empty for all-day
 * items.
 * @param {BoardItem} item
 * @param {string} day
 * @param {string} lang
 */
function timeName({ role, start, end, allDay }, day, lang) {
  if (allDay) return ''
  const from = start.startsWith(day) ? clockTime(start, lang) : ''
  const until = end !== null && end.startsWith(day) ? `– ${clockTime(end, lang)}` : ''
  // For a booking, also show when the room is free again.
  return role === 'bookings' ? `${from} ${until}`.trim() : from || until
}

/**
 * Returns the time of the last read, with the day unless it is today, and a warning level that depends on
 * the age of the data.
 * @param {number} readAt Milliseconds since the epoch.
 * @param {{
 *   readonly now: number, readonly timeZone: string, readonly lang: string,
 *   readonly intervalMs: number
 * }} options `intervalMs` is the interval between reads of the website.
 * @returns {{ readonly text: string, readonly level: '' | 'amber' | 'loud' }}
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
 * @param {string} siteTime
 * @param {string} lang
 */
export function clockTime(siteTime, lang) {
  const format = formatOf(lang, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  return format.format(new Date(`${siteTime}Z`))
}

/**
 * @param {string} day
 * @param {string} lang
 */
export function dateName(day, lang) {
  const format = formatOf(lang, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/**
 * @param {string} day
 * @param {string} today
 * @param {string} lang
 */
function dayName(day, today, lang) {
  const name = dateName(day, lang)
  const words = wordsOf(lang)
  if (day === today) return `${words.today}, ${name}`
  return day === daysAfter(today, 1) ? `${words.tomorrow}, ${name}` : name
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/* The rows of a board's list. */
import { wordsOf } from './board-language.js'
import { countdown, dayName, activeTime, shortDate, timesOf } from './board-times.js'
import { daysAfter } from './board-view.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */
/** @typedef {import('./board-times.js').TimeOptions} TimeOptions */
/** @typedef {import('./board-view.js').BoardView} BoardView */
/** @typedef {import('./board-view.js').Section} Section */

/**
 * @typedef {object} Note
 * @property {'' | 'soon' | 'changed' | 'open'} tone
 * @property {string} text
 */

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} heading Heading of its section.
 * @property {string} shortHeading
 * @property {string} from
 * @property {string} until
 * @property {string} title
 * @property {readonly Note[]} notes
 * @property {string} color
 */

/**
 * Returns the rows of a view's list.
 * @param {BoardView} view
 * @param {TimeOptions & { readonly withDuty: boolean }} options `withDuty` lists who is on duty first.
 * @returns {readonly Row[]}
 */
export function rowsOf({ onDuty, nextOnDuty, sections }, options) {
  const words = wordsOf(options.lang)
  const next = nextOnDuty ? [nextOnDuty] : []
  const duty = [
    ...onDuty.map((item) => dutyRow(item, words.onDuty, options)),
    ...next.map((item) => dutyRow(item, words.nextOnDuty, options)),
  ]
  const listed = sections.flatMap((section) =>
    section.items.map((item) => rowFrom(item, section, options)),
  )
  return options.withDuty ? [...duty, ...listed] : listed
}

/**
 * @param {BoardItem} item
 * @param {string} heading
 * @param {TimeOptions} options
 * @returns {Row}
 */
function dutyRow(item, heading, options) {
  const { id, title, color } = item
  const notes = notesFrom(['', activeTime(item, options)], ['', placeName(item.location)])
  return { id, ...headings(heading), from: '', until: '', title, notes, color }
}

/** @param {string} heading */
const headings = (heading, shortHeading = heading) => ({ heading, shortHeading })

/**
 * @param {BoardItem} item
 * @param {Section} section
 * @param {TimeOptions} options
 * @returns {Row}
 */
function rowFrom(item, { kind, day }, options) {
  const { lang, now } = options
  const { id, title, location, room, open, places, color } = item
  const words = wordsOf(lang)
  const today = now.slice(0, 10)
  const names =
    kind === 'day'
      ? headings(dayName(day, today, lang), dayName(day, today, lang, shortDate))
      : headings(words[kind])
  const changed = isRecent(item.changedAt, now) ? words.changed : ''
  if (kind === 'changes') return { id, ...names, from: '', until: '', title, notes: [], color }
  const free = open === null || places === null ? '' : words.open(open, places)
  if (kind === 'volunteers') {
    const from = shortDate(item.start.slice(0, 10), lang)
    const notes = notesFrom(['open', free], ['changed', changed], ['', placeName(location)])
    return { id, ...names, from, until: '', title, notes, color }
  }
  const times = timesOf(item, day, lang)
  const place = room === '' || mentions(title, room) ? location : room
  const where = mentions(title, place) ? '' : placeName(place)
  const notes = notesFrom(
    ['soon', countdown(item, options)],
    ['changed', changed],
    ['open', free],
    ['', where],
  )
  return { id, ...names, ...times, title, notes, color }
}

/**
 * Returns true for a change of the last 24 hours, which a board that is offline for longer still has.
 * @param {string | null} changedAt
 * @param {string} now
 */
function isRecent(changedAt, now) {
  return changedAt !== null && changedAt > daysAfter(now.slice(0, 10), -1) + now.slice(10)
}

/**
 * Returns a location without its postal address: "Social Hall" for "Social Hall, 14 Mill Road, Ashton".
 * @param {string} location
 */
function placeName(location) {
  const parts = location.split(', ')
  const street = parts.findIndex((part) => /^\d/.test(part))
  return street < 0 ? location : parts.slice(0, Math.max(1, street)).join(', ')
}

/**
 * @param {string} text
 * @param {string} part
 */
const mentions = (text, part) => part !== '' && text.toLowerCase().includes(part.toLowerCase())

/**
 * @param {...readonly [Note['tone'], string]} notes
 * @returns {readonly Note[]}
 */
const notesFrom = (...notes) =>
  notes.filter(([, text]) => text !== '').map(([tone, text]) => ({ tone, text }))

/**
 * Puts headings and starts into one line, for screens that are too low for more.
 * @param {readonly Row[]} rows
 * @returns {readonly Row[]}
 */
export function rowsWithoutHeadings(rows) {
  return rows.map((row) => {
    const times = row.from === '' ? timeText(row) : row.from
    const from = [row.shortHeading, times].filter((text) => text !== '').join(', ')
    return { ...row, heading: '', from, until: '' }
  })
}

/** @param {Row} row */
export const timeText = ({ from, until }) => `${from} ${untilText(until)}`.trim()

/** @param {string} until */
export const untilText = (until) => (until === '' ? '' : `– ${until}`)

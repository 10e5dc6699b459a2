/*
 * Selects what a board shows at a given time. This file is plain JavaScript because browsers also run
 * it. An offline screen therefore shows what the server would show.
 */
import { formatOf } from './board-language.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */

/**
 * @typedef {object} ViewOptions
 * @property {string} now Current date and time at the site, `2026-03-05T10:00:00`.
 * @property {number} rows Maximum number of entries on a page.
 * @property {number} lines Number of text lines that fit on a page.
 * @property {string} lang Language of dates, and of words if translated (BCP 47).
 */

/**
 * Returns the site's date and time at an instant, `2026-03-05T10:00:00`.
 * @param {number} instant
 * @param {string} timeZone
 */
export function siteTimeAt(instant, timeZone) {
  const format = formatOf('sv-SE', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return format.format(instant).replace(' ', 'T')
}

/**
 * @param {string} date
 * @param {number} days
 */
export function daysAfter(date, days) {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/**
 * Returns true for items with a publication time instead of an event time.
 * @param {Pick<BoardItem, 'role'>} item
 */
export function isText({ role }) {
  return ['story', 'announcement', 'changes', 'emergency'].includes(role)
}

/**
 * Returns true if an item has ended. Items without an end last until the end of their day, except for
 * news and announcements, which last forever.
 * @param {BoardItem} item
 * @param {string} now
 */
function hasEnded({ role, start, end }, now) {
  if (end !== null) return end <= now.slice(0, end.length)
  if (isText({ role })) return false
  return start.slice(0, 10) < now.slice(0, 10)
}

/**
 * Returns the day under which an item is listed, which is today for items that started earlier.
 * @param {BoardItem} item
 * @param {string} today
 */
function dayIn({ start }, today) {
  const day = start.slice(0, 10)
  return day < today ? today : day
}

/**
 * @typedef {object} AgendaPage
 * @property {readonly { readonly day: string, readonly items: readonly BoardItem[] }[]} days
 */

/**
 * @typedef {{ readonly role: 'announcement' | 'story', readonly item: BoardItem }
 *   | { readonly role: 'volunteers' | 'bookings' | 'changes', readonly items: readonly BoardItem[] }} Card
 */

/**
 * @param {readonly BoardItem[]} items
 * @param {ViewOptions} options
 * @returns {{ readonly agenda: readonly AgendaPage[], readonly cards: readonly Card[] }}
 */
export function viewOf(items, { now, rows, lines }) {
  const today = now.slice(0, 10)
  const current = items.filter((item) => !hasEnded(item, now))
  /** @param {BoardItem['role']} role */
  const withRole = (role) => current.filter((item) => item.role === role)
  const lastDay = daysAfter(today, daysShown)
  const agenda = withRole('agenda')
    .filter((item) => dayIn(item, today) <= lastDay)
    .sort((a, b) => compare(dayIn(a, today), dayIn(b, today)) || compare(a.start, b.start))
  const bookings = withRole('bookings').filter((item) => dayIn(item, today) === today)
  const volunteers = withRole('volunteers').filter(({ open }) => open === null || open > 0)
  return {
    agenda: pagesOf(agenda, { today, rows, lines }).map((page) => ({ days: byDay(page, today) })),
    cards: [
      ...withRole('announcement').map(announcementCard),
      ...pagesOf(withRole('changes'), { today, rows, lines: lines * cardShare }).map(changesCard),
      ...pagesOf(bookings, { today, rows, lines: lines * cardShare }).map(bookingsCard),
      ...pagesOf(volunteers, { today, rows, lines: lines * cardShare }).map(volunteersCard),
      ...withRole('story').slice(0, storiesShown).map(storyCard),
    ],
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : Number(a > b)
}

/** @type {(item: BoardItem) => Card} */
const announcementCard = (item) => ({ role: 'announcement', item })

/** @type {(item: BoardItem) => Card} */
const storyCard = (item) => ({ role: 'story', item })

/** @type {(items: readonly BoardItem[]) => Card} */
const bookingsCard = (items) => ({ role: 'bookings', items })

/** @type {(items: readonly BoardItem[]) => Card} */
const volunteersCard = (items) => ({ role: 'volunteers', items })

/** @type {(items: readonly BoardItem[]) => Card} */
const changesCard = (items) => ({ role: 'changes', items })

/** With more days or stories, today's entries would be off the screen for too long. */
const daysShown = 14
const storiesShown = 5

/** Share of a page's lines that fits on a card on portrait screens, where cards are smallest. */
const cardShare = 0.6

/** Heights in lines: a heading with the space above it, an entry, and the notes on an entry. */
const headingLines = 1.7
const entryLines = 1.3
const noteLines = 1

/**
 * Splits items into pages that fit the screen.
 * @param {readonly BoardItem[]} items
 * @param {{ readonly today: string, readonly rows: number, readonly lines: number }} limits
 * @returns {readonly (readonly BoardItem[])[]}
 */
function pagesOf(items, { today, rows, lines }) {
  /** @type {BoardItem[][]} */
  const pages = []
  let room = 0
  let day = ''
  for (const item of items) {
    // The text of a change needs a second line.
    const isTall = item.role === 'volunteers' || item.role === 'changes'
    const hasNotes = item.location !== '' || item.open !== null || isTall
    const own = entryLines + (hasNotes ? noteLines : 0)
    const heading = dayIn(item, today) === day ? 0 : headingLines
    const page = pages.at(-1)
    if (page && page.length < rows && own + heading <= room) {
      page.push(item)
      room -= own + heading
    } else {
      pages.push([item])
      room = lines - own - headingLines
    }
    day = dayIn(item, today)
  }
  return pages
}

/**
 * @param {readonly BoardItem[]} items
 * @param {string} today
 */
function byDay(items, today) {
  const days = [...new Set(items.map((item) => dayIn(item, today)))]
  return days.map((day) => ({ day, items: items.filter((item) => dayIn(item, today) === day) }))
}

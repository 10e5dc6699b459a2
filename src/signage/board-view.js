/*
 * Selects what a board shows at a given time. This file is plain JavaScript because browsers also run
 * it. An offline screen therefore shows what the server would show.
 */
import { formatOf } from './board-language.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */

/**
 * @typedef {object} ViewOptions
 * @property {string} now Current date and time at the site, `2026-03-05T10:00:00`.
 * @property {number} instant The same time in milliseconds since the epoch.
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
  return ['story', 'announcement', 'post', 'changes', 'emergency'].includes(role)
}

/**
 * Returns true if an item has started. Compares instants if the item has them, because wall-clock times
 * occur twice when clocks are set back.
 * @param {Pick<BoardItem, 'start' | 'startAt'>} item
 * @param {ViewOptions} options
 */
export function hasStarted({ start, startAt }, { now, instant }) {
  return startAt ? Date.parse(startAt) <= instant : start <= now.slice(0, start.length)
}

/**
 * Returns true if an item has ended. Items without an end last until the end of their day, except for
 * news and announcements, which last forever.
 * @param {BoardItem} item
 * @param {ViewOptions} options
 */
function hasEnded({ role, start, end, endAt }, { now, instant }) {
  if (endAt) return Date.parse(endAt) <= instant
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
 * Items of one day or kind, which a board lists under one heading.
 * @typedef {object} Section
 * @property {'day' | 'bookings' | 'volunteers' | 'changes'} kind
 * @property {string} day Day of the items; today unless `kind` is `day`.
 * @property {readonly BoardItem[]} items
 */

/**
 * What a board shows at a time, in any layout.
 * @typedef {object} BoardView
 * @property {BoardItem | undefined} emergency Covers everything else.
 * @property {readonly BoardItem[]} onDuty
 * @property {BoardItem | undefined} nextOnDuty
 * @property {readonly Section[]} sections
 * @property {readonly BoardItem[]} announcements
 * @property {readonly BoardItem[]} stories
 */

/**
 * @param {readonly BoardItem[]} items
 * @param {ViewOptions} options
 * @returns {BoardView}
 */
export function viewOf(items, options) {
  const { now } = options
  const today = now.slice(0, 10)
  const current = items.filter((item) => !hasEnded(item, options))
  /** @param {BoardItem['role']} role */
  const withRole = (role) => current.filter((item) => item.role === role)
  const lastDay = daysAfter(today, daysShown)
  const agenda = withRole('agenda')
    .filter((item) => dayIn(item, today) <= lastDay)
    .sort((a, b) => compare(dayIn(a, today), dayIn(b, today)) || compare(a.start, b.start))
  const bookings = withRole('bookings')
    .filter((item) => dayIn(item, today) === today)
    .sort((a, b) => compare(a.room, b.room) || compare(a.start, b.start))
  const volunteers = withRole('volunteers')
    .filter(({ open }) => open === null || open > 0)
    .sort((a, b) => compare(a.start, b.start))
  const duty = withRole('duty').sort((a, b) => compare(a.start, b.start))
  const days = byDay(agenda, today)
  /** @type {readonly Section[]} */
  const sections = [
    ...days.filter(({ day }) => day === today),
    { kind: 'bookings', day: today, items: bookings },
    ...days.filter(({ day }) => day !== today),
    { kind: 'volunteers', day: today, items: volunteers },
    { kind: 'changes', day: today, items: withRole('changes') },
  ]
  return {
    emergency: withRole('emergency')[0],
    onDuty: duty.filter((item) => hasStarted(item, options)),
    nextOnDuty: duty.find(
      (item) => !hasStarted(item, options) && item.start.slice(0, 10) <= daysAfter(today, 1),
    ),
    sections: sections.filter((section) => section.items.length > 0),
    announcements: withoutRepeats(withRole('announcement')),
    stories: [
      ...withRole('story').slice(0, storiesShown),
      ...withRole('post').slice(0, storiesShown),
    ],
  }
}

/**
 * Returns each text once, because people post the same announcement for several groups.
 * @param {readonly BoardItem[]} items
 */
function withoutRepeats(items) {
  const wordings = items.map(({ title, text }) => JSON.stringify([title, text]))
  return items.filter((_, index) => wordings.indexOf(wordings[index] ?? '') === index)
}

/** With more days or stories, today's entries would be off the screen for too long. */
const daysShown = 14
const storiesShown = 5

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : Number(a > b)
}

/**
 * @param {readonly BoardItem[]} items
 * @param {string} today
 * @returns {readonly Section[]}
 */
function byDay(items, today) {
  const days = [...new Set(items.map((item) => dayIn(item, today)))]
  return days.map((day) => ({
    kind: 'day',
    day,
    items: items.filter((item) => dayIn(item, today) === day),
  }))
}

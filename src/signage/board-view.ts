/*
 * Selects what a board shows at a given time. Browsers also run this file, so that an offline screen
 * shows what the server would show.
 */
import type { SiteOffsets } from '../records/clock-changes.ts'
import type { BoardItem, BoardRole } from './board-item.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export type ViewOptions = {
  /** Current date and time at the site, `2026-03-05T10:00:00`. */
  readonly now: string
  /** The same time in milliseconds since the epoch. */
  readonly instant: number
}

/**
 * Returns the site's date and time at an instant, `2026-03-05T10:00:00`. Uses the server's offsets,
 * because a browser's time zone rules may be years old.
 */
export function siteTimeAt(instant: number, offsets: SiteOffsets): string {
  let offset = offsets[0]?.[1] ?? 0
  for (const [from, minutes] of offsets) if (from <= instant) offset = minutes
  return new Date(instant + offset * minuteMs).toISOString().slice(0, 19)
}

export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

/** Returns true for items with a publication time instead of an event time. */
export function isText(role: BoardRole): boolean {
  return ['story', 'announcement', 'post', 'changes', 'emergency'].includes(role)
}

/**
 * Returns true if an item has started. Compares instants if the item has them, because some
 * wall-clock times occur twice when clocks are set back.
 */
export function hasStarted(
  { start, startAt }: Pick<BoardItem, 'start' | 'startAt'>,
  { now, instant }: ViewOptions,
): boolean {
  return startAt ? Date.parse(startAt) <= instant : start <= now.slice(0, start.length)
}

/**
 * Returns true if an item has ended. Items without an end last until the end of their day, except
 * for news and announcements, which last forever.
 */
function hasEnded({ role, start, end, endAt }: BoardItem, { now, instant }: ViewOptions): boolean {
  if (endAt) return Date.parse(endAt) <= instant
  if (end !== null) return end <= now.slice(0, end.length)
  if (isText(role)) return false
  return start.slice(0, 10) < now.slice(0, 10)
}

/** Returns the day under which an item is listed, which is today for items that started earlier. */
function dayIn({ start }: BoardItem, today: string): string {
  const day = start.slice(0, 10)
  return day < today ? today : day
}

/** Items of one day or kind, which are listed under one heading. */
export type Section = {
  readonly kind: 'day' | 'bookings' | 'volunteers' | 'certifications' | 'changes'
  /** Day of the items; today unless `kind` is `day`. */
  readonly day: string
  readonly items: readonly BoardItem[]
}

/** Content of a board at a given time, in any layout. */
export type BoardView = {
  /** Covers everything else. */
  readonly emergency: BoardItem | undefined
  readonly onDuty: readonly BoardItem[]
  readonly nextOnDuty: BoardItem | undefined
  readonly sections: readonly Section[]
  readonly announcements: readonly BoardItem[]
  readonly stories: readonly BoardItem[]
}

export function viewOf(items: readonly BoardItem[], options: ViewOptions): BoardView {
  const { now } = options
  const today = now.slice(0, 10)
  const current = items.filter((item) => !hasEnded(item, options))
  const withRole = (role: BoardItem['role']): BoardItem[] =>
    current.filter((item) => item.role === role)
  const lastDay = daysAfter(today, daysShown)
  const certifications = withRole('agenda')
    .filter((item) => isCertification(item) && dayIn(item, today) <= daysAfter(today, expiryDays))
    .sort((a, b) => compare(a.start, b.start))
  const agenda = withRole('agenda')
    .filter((item) => !isCertification(item) && dayIn(item, today) <= lastDay)
    .sort((a, b) => compare(dayIn(a, today), dayIn(b, today)) || compare(a.start, b.start))
  const bookings = withRole('bookings')
    .filter((item) => dayIn(item, today) === today)
    .sort((a, b) => compare(a.room, b.room) || compare(a.start, b.start))
  const volunteers = withRole('volunteers')
    .filter(({ open }) => open === null || open > 0)
    .sort((a, b) => compare(a.start, b.start))
  const duty = withRole('duty').sort((a, b) => compare(a.start, b.start))
  const days = byDay(agenda, today)
  const sections: readonly Section[] = [
    ...days.filter(({ day }) => day === today),
    { kind: 'bookings', day: today, items: bookings },
    ...days.filter(({ day }) => day !== today),
    { kind: 'volunteers', day: today, items: volunteers },
    { kind: 'certifications', day: today, items: certifications },
    { kind: 'changes', day: today, items: withRole('changes') },
  ]
  return {
    emergency: withRole('emergency')[0],
    onDuty: duty.filter((item) => hasStarted(item, options)),
    nextOnDuty: duty.find(
      (item) => !hasStarted(item, options) && item.start.slice(0, 10) < daysAfter(today, dutyDays),
    ),
    sections: sections.filter((section) => section.items.length > 0),
    announcements: withoutRepeats(withRole('announcement')),
    stories: [
      ...withRole('story').slice(0, storiesShown),
      ...withRole('post').slice(0, storiesShown),
    ],
  }
}

/** Returns each text once, because people post the same announcement for several groups. */
function withoutRepeats(items: readonly BoardItem[]): readonly BoardItem[] {
  const wordings = items.map(({ title, text }) => JSON.stringify([title, text]))
  return items.filter((_, index) => wordings.indexOf(wordings[index] ?? '') === index)
}

function isCertification({ kind }: BoardItem): boolean {
  return kind === 'training'
}

/** Certifications are listed from this number of days before they expire. */
const expiryDays = 90

/** With more days or stories, today's entries would be off the screen for too long. */
const daysShown = 14
const storiesShown = 5

/** Number of days, with today, in which the next crew on duty may start. */
const dutyDays = 7

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function byDay(items: readonly BoardItem[], today: string): readonly Section[] {
  const days = [...new Set(items.map((item) => dayIn(item, today)))]
  return days.map((day) => ({
    kind: 'day',
    day,
    items: items.filter((item) => dayIn(item, today) === day),
  }))
}

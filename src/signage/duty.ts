import { endOfSpan, firstDayOf, type TimeSpan } from '../records/date-words.ts'
import { daysAfter } from './board-view.ts'

/** Minimum length of a day shift, as opposed to a drill or a meeting in the same calendar. */
const minShiftMs = 8 * 60 * 60 * 1000

/** Words in the titles of shifts, or in the names of their calendars, in all languages. */
const dutyWords =
  /\b(?:duty|crews?|stand-?by|on[ -]call|shifts?|guardias?|turnos?|retén|garde|astreinte|permanence)\b|dienst|schicht|bereitschaft/i

type NamedShift = TimeSpan & { readonly title: string; readonly category: string }

/** Returns true for an entry that is all-day, overnight or at least as long as a shift. */
export function isDuty({ allDay, start, end }: TimeSpan): boolean {
  if (allDay) return true
  if (typeof end !== 'string') return false
  return end > midnightAfter(start) || Date.parse(`${end}Z`) - Date.parse(`${start}Z`) >= minShiftMs
}

/** Returns true for a shift, recognized by its words. */
export function isShift(item: NamedShift): boolean {
  return isDuty(item) && dutyWords.test(`${item.category} ${item.title}`)
}

/** Returns true for a shift that starts today or earlier and lasts until midnight or later. */
export function isDutyTonight(item: NamedShift, today: string): boolean {
  return firstDayOf(item) <= today && endOfSpan(item) >= midnightAfter(today) && isShift(item)
}

const midnightAfter = (start: string) => `${daysAfter(start.slice(0, 10), 1)}T00:00:00`

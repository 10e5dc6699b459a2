import { firstDayOf, lastDayOf, type DateWindow } from '../records/date-words.ts'
import { daysAfter, daysBetween, type SiteDate } from '../records/site-time.ts'
import { compareText } from '../text/text.ts'
import type { EntryTime } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'

type Timed = { readonly time: EntryTime }

/** Returns the first and last day of the period in the options. Undefined means unlimited. */
export function windowOf({ pastDays, futureDays }: CalendarOptions, today: SiteDate): DateWindow {
  return {
    from: pastDays === undefined ? undefined : daysAfter(today, -pastDays),
    to: futureDays === undefined ? undefined : daysAfter(today, futureDays),
  }
}

/** Returns the `max` items nearest to a day, or the same array if it has at most `max` items. */
export function nearest<T extends Timed>(
  things: readonly T[],
  day: SiteDate,
  max: number,
): readonly T[] {
  if (things.length <= max) return things
  return things
    .map((thing) => ({ thing, distance: distanceFrom(day, thing.time) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, max)
    .map(({ thing }) => thing)
}

/** Returns the distance in days. Future days count as slightly nearer than past ones. */
export function distanceFrom(day: SiteDate, time: EntryTime): number {
  const untilStart = daysBetween(day, firstDayOf(time))
  if (untilStart > 0) return untilStart
  return Math.max(0, daysBetween(lastDayOf(time), day)) + 0.5
}

export function byStartThenUid<T extends Timed & { readonly uid: string }>(a: T, b: T): number {
  return compareText(a.time.start, b.time.start) || compareText(a.uid, b.uid)
}

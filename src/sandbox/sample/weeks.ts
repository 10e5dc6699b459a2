import { DateTime } from 'luxon'
import { plusDays } from '../site-dates.ts'

const dayMs = 24 * 60 * 60 * 1000
/** 1970-01-05, a Monday and the start of week 0. */
const firstMonday = 4

export type Week = {
  /** Number of weeks since 1970, so that a week keeps its number as days pass. */
  readonly number: number
  readonly monday: string
}

/** Returns the weeks around a day, oldest first. */
export function weeksAround(today: string, weeksBack: number, weeksAhead: number): readonly Week[] {
  const days = DateTime.fromISO(today, { zone: 'utc' }).toMillis() / dayMs
  const current = Math.floor((days - firstMonday) / 7)
  return Array.from({ length: weeksBack + 1 + weeksAhead }, (_, index) => {
    const number = current - weeksBack + index
    return { number, monday: plusDays('1970-01-05', number * 7) }
  })
}

/** Returns the first dates of the months around a day, oldest first. */
export function monthsAround(
  today: string,
  monthsBack: number,
  monthsAhead: number,
): readonly string[] {
  const first = DateTime.fromISO(today, { zone: 'utc' })
    .startOf('month')
    .minus({ months: monthsBack })
  return Array.from({ length: monthsBack + 1 + monthsAhead }, (_, index) =>
    first.plus({ months: index }).toFormat('yyyy-MM-dd'),
  )
}

/** Returns the nth weekday (1 is Monday) of the month that starts on a date. */
export function nthWeekday(monthStart: string, nth: number, weekday: number): string {
  const first = DateTime.fromISO(monthStart, { zone: 'utc' }).weekday
  return plusDays(monthStart, ((weekday - first + 7) % 7) + (nth - 1) * 7)
}

export function pick<T>(choices: readonly [T, ...T[]], number: number): T {
  return choices[number % choices.length] ?? choices[0]
}

import { readSiteDate } from './read-site-time.ts'
import { daysAfter, daysBetween, type SiteDate } from './site-time.ts'

/** A month, `yyyy-mm`. */
export type SiteMonth = string

/** A day in a month's grid, or undefined outside the month. */
export type GridDay = SiteDate | undefined

/** Returns the month, or undefined if it does not exist or is in another format. */
export function readSiteMonth(text: string): SiteMonth | undefined {
  const isMonth = /^\d{4}-\d{2}$/.test(text) && readSiteDate(`${text}-01`) !== undefined
  return isMonth ? text : undefined
}

/** Returns the weeks of a month. `firstWeekday` is 1 for Monday to 7 for Sunday. */
export function weeksOf(month: SiteMonth, firstWeekday: number): readonly (readonly GridDay[])[] {
  return weeksUntil(lastDayIn(month), month, firstWeekday)
}

/** Returns the weeks of a month, the last one filled up with days of the next month. */
export function fullWeeksOf(month: SiteMonth, firstWeekday: number) {
  return weeksUntil(lastShownIn(month, firstWeekday), month, firstWeekday)
}

/** Returns the last day of the week in which a month ends. */
export function lastShownIn(month: SiteMonth, firstWeekday: number): SiteDate {
  const last = lastDayIn(month)
  return daysAfter(last, 6 - daysIntoWeek(last, firstWeekday))
}

const daysIntoWeek = (day: SiteDate, firstWeekday: number) =>
  (new Date(day).getUTCDay() + 7 - firstWeekday) % 7

function weeksUntil(last: SiteDate, month: SiteMonth, firstWeekday: number) {
  const first = `${month}-01`
  const count = daysBetween(first, last) + 1
  const before = daysIntoWeek(first, firstWeekday)
  const cells = Array.from({ length: Math.ceil((before + count) / 7) * 7 }, (_, index) => {
    const day = index - before
    return day >= 0 && day < count ? daysAfter(first, day) : undefined
  })
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

export function monthsAfter(month: SiteMonth, months: number): SiteMonth {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7)
}

/** Returns the number of months from the first to the second, negative if the second is earlier. */
export function monthsBetween(first: SiteMonth, second: SiteMonth): number {
  const count = (month: SiteMonth) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
  return count(second) - count(first)
}

export function lastDayIn(month: SiteMonth): SiteDate {
  return daysAfter(`${monthsAfter(month, 1)}-01`, -1)
}

/** Returns the month of a day, or the next one in the last week of a month. */
export function monthToPrint(day: SiteDate): SiteMonth {
  const month = day.slice(0, 7)
  return daysBetween(day, lastDayIn(month)) < 7 ? monthsAfter(month, 1) : month
}

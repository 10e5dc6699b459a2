import {
  endOfSpan,
  firstDayOf,
  hasDistantEnd,
  isOnDay,
  isWithin,
  type TimeSpan,
} from './date-words.ts'
import { lastDayIn, weeksOf, type SiteMonth } from './site-month.ts'
import { daysAfter, type SiteDate } from './site-time.ts'

export type DayUse = 'free' | 'partly' | 'taken'

/** Bookings of this many hours leave no time for another one on the same day. */
const fullDayHours = 10

const hourMs = 60 * 60 * 1000

const saturday = 6

/** Returns the time that a booking blocks: only its first day if its end is probably a mistake. */
export function countedTime(booking: TimeSpan): TimeSpan {
  if (!hasDistantEnd(booking)) return booking
  const end = daysAfter(firstDayOf(booking), 1)
  return { ...booking, end: booking.allDay ? end : `${end}T00:00:00` }
}

/** Returns how much of a day these bookings take up. A night belongs to the day on which it begins. */
export function useOfDay(bookings: readonly TimeSpan[], day: SiteDate): DayUse {
  let use: DayUse = 'free'
  let hours = 0
  for (const booking of bookings) {
    if (!isOnDay(booking, day)) continue
    hours += hoursOn(booking, day)
    if (hours >= fullDayHours) return 'taken'
    use = 'partly'
  }
  return use
}

/** Returns the weeks of a month with the use of each day. Days before `from` have none. */
export function usesInMonth(
  bookings: readonly TimeSpan[],
  month: SiteMonth,
  { from, firstWeekday }: { readonly from: SiteDate; readonly firstWeekday: number },
) {
  const range = { from: `${month}-01`, to: lastDayIn(month) }
  const ofMonth = bookings.filter((booking) => isWithin(booking, range))
  return weeksOf(month, firstWeekday).map((week) =>
    week.map((day) =>
      day === undefined ? day : { day, use: day < from ? undefined : useOfDay(ofMonth, day) },
    ),
  )
}

export function freeSaturdays(
  bookings: readonly TimeSpan[],
  { from, to, max }: { readonly from: SiteDate; readonly to: SiteDate; readonly max: number },
): readonly SiteDate[] {
  const days: SiteDate[] = []
  const first = daysAfter(from, (saturday - new Date(from).getUTCDay() + 7) % 7)
  for (let day = first; day <= to && days.length < max; day = daysAfter(day, 7)) {
    if (useOfDay(bookings, day) === 'free') days.push(day)
  }
  return days
}

function hoursOn(booking: TimeSpan, day: SiteDate): number {
  const start = booking.allDay ? `${booking.start}T00:00:00` : booking.start
  const [dayStart, dayEnd] = [day, daysAfter(day, 1)].map((each) => instant(`${each}T00:00:00`))
  const from = Math.max(instant(start), dayStart ?? 0)
  return (Math.min(instant(endOfSpan(booking)), dayEnd ?? 0) - from) / hourMs
}

/** Differences between wall-clock times do not depend on the time zone, except on two days a year. */
function instant(siteTime: string): number {
  return Date.parse(`${siteTime}Z`)
}

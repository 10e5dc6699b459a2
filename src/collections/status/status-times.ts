import { fullClock, joined, shortDayInWords, weekday } from '../../records/date-words.ts'
import type { SiteTimes } from '../../records/language.ts'
import { siteDateAt, siteTimeAt } from '../../records/site-time.ts'

/** Writes times at the site, in the same form in a status and in alerts. */
export type StatusTimes = {
  /** `Thu, Mar 5, 10:00 AM`, or `Thu, 5 Mar, 10:00` in regions that put the day first. */
  readonly at: (instant: number) => string
  /** `Thu, Mar 5`. */
  readonly dayOf: (instant: number) => string
}

export function statusTimes({ timeZone, language }: SiteTimes, now: number): StatusTimes {
  const today = siteDateAt(now, timeZone)
  const dayOf = (instant: number) => {
    const day = siteDateAt(instant, timeZone)
    return joined(weekday(day, language), shortDayInWords(day, today, language))
  }
  return {
    dayOf,
    at: (instant) => joined(dayOf(instant), fullClock(siteTimeAt(instant, timeZone), language)),
  }
}

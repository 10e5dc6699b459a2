import { DateTime } from 'luxon'
import type { QuietHours } from '../../config/notification-values.ts'

/** Time of the weekly summary: the first check of the day after this hour. */
const summaryHour = 9

/** Returns true if the site's wall-clock time is within the quiet hours. */
export function isQuiet(
  quietHours: QuietHours | undefined,
  now: number,
  timeZone: string,
): boolean {
  if (!quietHours) return false
  const { from, until } = quietHours
  const { hour, minute } = DateTime.fromMillis(now, { zone: timeZone })
  const time = hour * 60 + minute
  return from < until ? from <= time && time < until : from <= time || time < until
}

/**
 * Returns the site's date if the weekly summary is due on this day and the time for it has come.
 * `weekday` is 1 for Monday to 7 for Sunday.
 */
export function summaryDayAt(
  weekday: number | undefined,
  now: number,
  timeZone: string,
): string | undefined {
  const time = DateTime.fromMillis(now, { zone: timeZone })
  if (time.weekday !== weekday || time.hour < summaryHour) return undefined
  return time.toISODate() ?? undefined
}

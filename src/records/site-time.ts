import { LRUCache } from 'lru-cache'
import { DateTime, IANAZone } from 'luxon'

/** A valid date in the site's time zone, `yyyy-mm-dd`. */
export type SiteDate = string

/** A wall-clock time in the site's time zone, `HH:mm:ss`. `24:00:00` is the end of the day. */
export type SiteTime = string

/** A wall-clock date and time in the site's time zone, `yyyy-mm-ddTHH:mm:ss`. */
export type SiteDateTime = string

export const midnight: SiteTime = '00:00:00'
export const endOfDay: SiteTime = '24:00:00'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Cached UTC offsets by zone and day. All sites in a zone need the same ones, and Intl is slow. */
const knownOffsets = new LRUCache<string, number>({
  // Grows on demand. `max` would allocate everything up front.
  maxSize: 50_000,
  sizeCalculation: () => 1,
})

export function isMidnight(time: SiteTime): boolean {
  return time === midnight || time === endOfDay
}

export function siteDateTime(date: SiteDate, time: SiteTime): SiteDateTime {
  return time === endOfDay ? `${daysAfter(date, 1)}T${midnight}` : `${date}T${time}`
}

/** Every month has these days. Calculating with them is faster than with dates. */
const daysOfEachMonth = 28

export function daysAfter(date: SiteDate, days: number): SiteDate {
  const day = Number(date.slice(8)) + days
  if (day >= 1 && day <= daysOfEachMonth) return `${date.slice(0, 8)}${day < 10 ? '0' : ''}${day}`
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

export function mondayOf(date: SiteDate): SiteDate {
  return daysAfter(date, -((new Date(date).getUTCDay() + 6) % 7))
}

/** Returns a date's week in ISO 8601, `2026-W48`. */
export function isoWeekOf(date: SiteDate): string {
  return DateTime.fromISO(date, { zone: 'utc' }).toFormat("kkkk-'W'WW")
}

/** Returns the number of days from the first date to the second, negative if the second is earlier. */
export function daysBetween(first: SiteDate, second: SiteDate): number {
  return (Date.parse(second) - Date.parse(first)) / dayMs
}

/**
 * Converts a site's wall-clock time to an instant in milliseconds. If the time occurs twice, uses
 * the first occurrence. For a skipped time, uses the offset before the gap (RFC 5545 3.3.5).
 */
export function instantFromSiteTime(dateTime: SiteDateTime, timeZone: string): number {
  return Math.min(...possibleInstants(dateTime, timeZone))
}

/** Converts a site's wall-clock time like `instantFromSiteTime`, but uses the last occurrence. */
export function lastInstantFromSiteTime(dateTime: SiteDateTime, timeZone: string): number {
  return Math.max(...possibleInstants(dateTime, timeZone))
}

/** Returns all instants of a time, or for a skipped time, the one with the offset before the gap. */
function possibleInstants(dateTime: SiteDateTime, timeZone: string): readonly number[] {
  const offsetAt = offsetsIn(timeZone)
  const instants = instantsWith(dateTime, offsetAt)
  const local = Date.parse(`${dateTime}Z`)
  return instants.length > 0 ? instants : [local - offsetAt(local - dayMs) * minuteMs]
}

/** Returns a function for a zone's UTC offset at an instant, in minutes. Those at midnight are cached. */
export function offsetsIn(timeZone: string): (instant: number) => number {
  const zone = IANAZone.create(timeZone)
  return (instant) => {
    if (instant % dayMs !== 0) return zone.offset(instant)
    const key = `${instant} ${timeZone}`
    const offset = knownOffsets.get(key) ?? zone.offset(instant)
    knownOffsets.set(key, offset)
    return offset
  }
}

/**
 * Returns the instants at which a clock shows a time: two if the time occurs twice, or none if it is
 * skipped. `offsetAt` returns the clock's UTC offset in minutes.
 */
export function instantsWith(
  dateTime: SiteDateTime,
  offsetAt: (instant: number) => number,
): readonly number[] {
  const local = Date.parse(`${dateTime}Z`)
  // At least a day before and after the time in any zone.
  const midnight = Math.floor(local / dayMs) * dayMs
  const [before, after] = [offsetAt(midnight - dayMs), offsetAt(midnight + 2 * dayMs)]
  if (before === after) return [local - before * minuteMs]
  return [before, after]
    .filter((offset) => offsetAt(local - offset * minuteMs) === offset)
    .map((offset) => local - offset * minuteMs)
    .sort((a, b) => a - b)
}

/** Converts a site's wall-clock time to ISO 8601 with the UTC offset, `2026-03-05T19:00:00-05:00`. */
export function zonedTimeFromSiteTime(dateTime: SiteDateTime, timeZone: string): string {
  return zonedTimeAt(instantFromSiteTime(dateTime, timeZone), timeZone)
}

/** If daylight saving time moves the start past the end, the period keeps its length. */
export function endInstantOf(
  { start, end }: { readonly start: SiteDateTime; readonly end: SiteDateTime },
  timeZone: string,
): number {
  const startInstant = instantFromSiteTime(start, timeZone)
  const endInstant = instantFromSiteTime(end, timeZone)
  if (endInstant > startInstant) return endInstant
  return startInstant + Date.parse(`${end}Z`) - Date.parse(`${start}Z`)
}

/** Like `zonedTimeFromSiteTime`, for the end of a period. */
export function zonedEndOf(
  period: { readonly start: SiteDateTime; readonly end: SiteDateTime },
  timeZone: string,
): string {
  return zonedTimeAt(endInstantOf(period, timeZone), timeZone)
}

/** Returns the site's time at an instant in ISO 8601 with the UTC offset. */
export function zonedTimeAt(instant: number, timeZone: string): string {
  const time = DateTime.fromMillis(instant, { zone: timeZone })
  return time.startOf('second').toISO({ suppressMilliseconds: true }) ?? ''
}

export function siteDateAt(instant: number, timeZone: string): SiteDate {
  return DateTime.fromMillis(instant, { zone: timeZone }).toFormat('yyyy-MM-dd')
}

export function siteTimeAt(instant: number, timeZone: string): SiteDateTime {
  return DateTime.fromMillis(instant, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
}

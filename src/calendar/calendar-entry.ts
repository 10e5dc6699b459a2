import { endOfSpan, hasDistantEnd } from '../records/date-words.ts'
import { lastDateOf, type UnreadTime } from '../records/fields.ts'
import type { RecordOf } from '../records/read-records.ts'
import {
  daysAfter,
  endOfDay,
  isMidnight,
  siteDateTime,
  type SiteDate,
  type SiteDateTime,
  type SiteTime,
} from '../records/site-time.ts'
import type { Place } from './place.ts'

/** Whole days with an exclusive end, or wall-clock times in the site's time zone. */
export type EntryTime = Partial<UnreadTime> &
  (
    | { readonly allDay: true; readonly start: SiteDate; readonly end: SiteDate }
    | {
        readonly allDay: false
        readonly start: SiteDateTime
        readonly end: SiteDateTime | undefined
      }
  )

export type EntryText = {
  /** One line, never empty. */
  readonly summary: string
  readonly location: string
  readonly description: string
  readonly categories: readonly string[]
}

/** STATUS (RFC 5545 3.8.1.11). */
export type EntryStatus = 'confirmed' | 'tentative' | 'cancelled'

/** Version of an entry's record. Times are in milliseconds since the epoch. */
export type Revision = {
  /** Increases with every change. */
  readonly sequence: number
  readonly lastModified: number
  readonly created: number | undefined
}

export type CalendarEntry = EntryText & {
  readonly uid: string
  readonly time: EntryTime
  readonly status: EntryStatus
  readonly isBusy: boolean
  /** The place from the settings that matches `location`. */
  readonly place?: Place | undefined
  readonly url: string | undefined
  readonly revision: Revision
  /** Name of a CSS color (RFC 7986 5.9). Undefined means the calendar's color. */
  readonly color?: string | undefined
  /** UIDs of entries from other sources that this entry replaces. */
  readonly relatedUids?: readonly string[]
}

type Scheduled = Pick<RecordOf['events'], 'startDate' | 'allDay'> &
  Partial<Pick<RecordOf['events'], 'endDate' | 'startTime' | 'endTime'>>

/** Time of an entry, and the error if the record's time was invalid. */
export type ReadTime = { readonly time: EntryTime; readonly repair?: string | undefined }

export function wholeDay(day: SiteDate): EntryTime {
  return { allDay: true, start: day, end: daysAfter(day, 1) }
}

/** Maximum length of an overnight entry whose start and end have the same date. */
const maxNightHours = 18

/** Ends in the last minute of a day mean the end of the day. */
const lastMinute: SiteTime = '23:59:00'

const hourMs = 60 * 60 * 1000

/**
 * Reads a record's time. A record without a start time is an all-day record. If the end is missing
 * or before the start, an all-day record lasts one day (the end is exclusive, RFC 5545 3.6.1), and
 * a timed record has no end.
 */
export function readEntryTime(record: Scheduled): ReadTime {
  const { allDay, startDate, startTime, endTime } = record
  if (!allDay && typeof startTime === 'string' && !isWholeDays(startTime, endTime)) {
    const start = siteDateTime(startDate, startTime)
    const { repair, ...end } = endOf(start, lastDateOf(record), endTime)
    const time = { allDay: false, start, ...end } as const
    return { time, repair: endDateRepair(record, time) ?? repair }
  }
  const asWritten = allDay ? '' : writtenRange(startTime, endTime)
  const time = {
    allDay: true,
    start: startDate,
    end: daysAfter(lastDateOf(record), 1),
    ...(asWritten !== '' && { asWritten }),
  } as const
  const repair = allDay ? undefined : wholeDayRepair(startTime)
  return { time, repair: endDateRepair(record, time) ?? repair }
}

/** Reads a booking's time. A booking without an end lasts until midnight. */
export function readBookingTime(record: Scheduled): ReadTime {
  const { time, ...read } = readEntryTime(record)
  return { ...read, time: time.allDay ? time : { ...time, end: endOfSpan(time) } }
}

function endDateRepair({ startDate, endDate }: Scheduled, time: EntryTime): string | undefined {
  if (endDate === null) return 'has an invalid end date'
  if (endDate !== undefined && endDate < startDate) return 'ends before it starts'
  return hasDistantEnd(time) ? 'ends a year or more after it starts' : undefined
}

function wholeDayRepair(startTime: Scheduled['startTime']): string {
  if (startTime === undefined) return 'has no start time'
  return typeof startTime === 'string' ? 'has midnight as its time' : 'has an invalid start time'
}

/** Returns true for times that websites store instead of no time. */
function isWholeDays(startTime: SiteTime, endTime: Scheduled['endTime']): boolean {
  if (!isMidnight(startTime)) return false
  return typeof endTime !== 'string' || isMidnight(endTime) || endTime >= lastMinute
}

/** Returns the times of an entry whose start cannot be read, or an empty string. */
function writtenRange(startTime: Scheduled['startTime'], endTime: Scheduled['endTime']): string {
  const parts = [startTime, endTime].map((time) => {
    if (typeof time === 'object') return time.asWritten
    return time === undefined || isMidnight(time) ? '' : time.slice(0, 5)
  })
  const isUnread = [startTime, endTime].some((time) => typeof time === 'object')
  return isUnread ? parts.filter((part) => part !== '').join(' – ') : ''
}

type End = {
  readonly end: SiteDateTime | undefined
  readonly asWritten?: string
  readonly repair?: string
}

function endOf(start: SiteDateTime, lastDate: SiteDate, endTime: Scheduled['endTime']): End {
  if (typeof endTime !== 'string') {
    const isLater = lastDate > start.slice(0, 10)
    const end = isLater ? siteDateTime(lastDate, endOfDay) : undefined
    if (endTime) return { end, ...endTime, repair: 'has an invalid end time' }
    return isLater ? { end, repair: 'has no end time on its last day' } : { end }
  }
  const end = siteDateTime(lastDate, endTime)
  if (end > start) return { end }
  if (end === start) return { end: undefined, repair: 'ends when it starts' }
  const nextDay = siteDateTime(daysAfter(lastDate, 1), endTime)
  const isNight = isMidnight(endTime) || hoursBetween(start, nextDay) <= maxNightHours
  return isNight ? { end: nextDay } : { end: undefined, repair: 'ends before it starts' }
}

function hoursBetween(start: SiteDateTime, end: SiteDateTime): number {
  return (Date.parse(`${end}Z`) - Date.parse(`${start}Z`)) / hourMs
}

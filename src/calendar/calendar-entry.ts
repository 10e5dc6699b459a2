import type { RecordOf } from '../records/read-records.ts'
import { daysAfter, type SiteDate, type SiteDateTime, type SiteTime } from '../records/site-time.ts'
import type { Place } from './place.ts'

/** Whole days with an exclusive end, or wall-clock times in the site's time zone. */
export type EntryTime =
  | { readonly allDay: true; readonly start: SiteDate; readonly end: SiteDate }
  | { readonly allDay: false; readonly start: SiteDateTime; readonly end: SiteDateTime | undefined }

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

/**
 * Reads a record's time. A record without a start time is an all-day record. If the end is missing
 * or not after the start, an all-day record lasts one day (the end is exclusive, RFC 5545 3.6.1),
 * and a timed record has no end.
 */
export function readEntryTime(record: Scheduled): ReadTime {
  const { startDate, endDate, allDay, startTime, endTime } = record
  const dateRepair = endDateRepair(record)
  if (allDay || !startTime) {
    const lastDate = endDate && endDate > startDate ? endDate : startDate
    const unread = startTime === null ? 'has an invalid start time' : 'has no start time'
    return {
      time: { allDay: true, start: startDate, end: daysAfter(lastDate, 1) },
      repair: dateRepair ?? (allDay ? undefined : unread),
    }
  }
  const start = `${startDate}T${startTime}`
  const end = endOf(start, endDate ?? startDate, endTime)
  return { time: { allDay: false, start, end: end.at }, repair: dateRepair ?? end.repair }
}

function endDateRepair({ startDate, endDate }: Scheduled): string | undefined {
  if (endDate === null) return 'has an invalid end date'
  return endDate !== undefined && endDate < startDate ? 'ends before it starts' : undefined
}

type End = { readonly at: SiteDateTime | undefined; readonly repair?: string }

function endOf(start: string, lastDate: SiteDate, endTime: SiteTime | null | undefined): End {
  if (!endTime) {
    const isLater = lastDate > start.slice(0, 10)
    const at = isLater ? `${daysAfter(lastDate, 1)}T00:00:00` : undefined
    if (endTime === null) return { at, repair: 'has an invalid end time' }
    return isLater ? { at, repair: 'has no end time on its last day' } : { at }
  }
  const at = `${lastDate}T${endTime}`
  if (at > start) return { at }
  const repair = at === start ? 'ends when it starts' : 'ends before it starts'
  return { at: undefined, repair }
}

import type { PublicEvent } from '../records/public-event.ts'
import { daysAfter, type SiteDate, type SiteTime } from '../records/site-time.ts'
import type { EntryTime } from './calendar-entry.ts'

type Scheduled = Pick<PublicEvent, 'startDate' | 'endDate' | 'allDay' | 'startTime' | 'endTime'>

/** When an entry is, and what had to be repaired for that. */
export type ReadTime = { readonly time: EntryTime; readonly repair: string | undefined }

/**
 * A record without a start time is all-day. An end that is missing or not after the start is a day
 * for an all-day one (the end is exclusive, RFC 5545 3.6.1) and unknown for a timed one.
 */
export function readEntryTime(record: Scheduled): ReadTime {
  const { startDate, allDay, startTime, endTime } = record
  const { lastDate, repair } = lastDateOf(record)
  if (allDay || !startTime) {
    const missing =
      startTime === null ? 'has a start time that cannot be read' : 'has no start time'
    return {
      time: { allDay: true, start: startDate, end: daysAfter(lastDate, 1) },
      repair: repair ?? (allDay ? undefined : missing),
    }
  }
  const start = `${startDate}T${startTime}`
  const end = endOf(start, lastDate, endTime)
  return { time: { allDay: false, start, end: end.at }, repair: repair ?? end.repair }
}

function lastDateOf({ startDate, endDate }: Scheduled): {
  readonly lastDate: SiteDate
  readonly repair?: string
} {
  if (endDate === null)
    return { lastDate: startDate, repair: 'has an end date that cannot be read' }
  if (endDate === undefined) return { lastDate: startDate }
  if (endDate < startDate) return { lastDate: startDate, repair: 'ends before it starts' }
  return { lastDate: endDate }
}

function endOf(
  start: string,
  lastDate: SiteDate,
  endTime: SiteTime | null | undefined,
): { readonly at: string | undefined; readonly repair?: string } {
  if (!endTime) {
    const isLater = lastDate > start.slice(0, 10)
    const at = isLater ? `${daysAfter(lastDate, 1)}T00:00:00` : undefined
    if (endTime === null) return { at, repair: 'has an end time that cannot be read' }
    return isLater ? { at, repair: 'has no end time on its last day' } : { at }
  }
  const at = `${lastDate}T${endTime}`
  if (at > start) return { at }
  const repair = at === start ? 'ends when it starts' : 'ends before it starts'
  return { at: undefined, repair }
}

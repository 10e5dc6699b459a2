import type { PublicEvent } from '../records/public-event.ts'
import { daysAfter } from '../records/site-time.ts'
import type { EntryTime } from './calendar-entry.ts'

type Scheduled = Pick<PublicEvent, 'startDate' | 'endDate' | 'allDay' | 'startTime' | 'endTime'>

/** When an entry is, and what had to be repaired for that. */
export type ReadTime = { readonly time: EntryTime; readonly repair: string | undefined }

/**
 * A record without a start time is all-day. An end that is missing or not after the start is a day
 * for an all-day one (the end is exclusive, RFC 5545 3.6.1) and unknown for a timed one.
 */
export function readEntryTime(record: Scheduled): ReadTime {
  const { startDate, allDay, startTime } = record
  const isReversed = record.endDate !== undefined && record.endDate < startDate
  const lastDate = isReversed ? startDate : (record.endDate ?? startDate)
  if (allDay || startTime === undefined) {
    const time: EntryTime = { allDay: true, start: startDate, end: daysAfter(lastDate, 1) }
    if (isReversed) return { time, repair: 'ends before it starts' }
    return { time, repair: allDay ? undefined : 'has no start time' }
  }
  const start = `${startDate}T${startTime}`
  if (record.endTime === undefined && lastDate > startDate) {
    const end = `${daysAfter(lastDate, 1)}T00:00:00`
    return { time: { allDay: false, start, end }, repair: 'has no end time on its last day' }
  }
  const end = record.endTime === undefined ? undefined : `${lastDate}T${record.endTime}`
  const isAfter = end !== undefined && end > start
  return {
    time: { allDay: false, start, end: isAfter ? end : undefined },
    repair: isReversed ? 'ends before it starts' : repairOf(start, end),
  }
}

function repairOf(start: string, end: string | undefined): string | undefined {
  if (end === undefined || end > start) return undefined
  return end === start ? 'ends when it starts' : 'ends before it starts'
}

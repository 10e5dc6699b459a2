import type { PublicEvent } from '../records/public-event.ts'
import { daysAfter } from '../records/site-time.ts'
import type { EntryTime } from './calendar-entry.ts'

type Scheduled = Pick<PublicEvent, 'startDate' | 'endDate' | 'allDay' | 'startTime' | 'endTime'>

/**
 * An event without a start time is all-day. An end that is missing or not after the start is a day
 * for an all-day event (the end is exclusive, RFC 5545 3.6.1) and unknown for a timed one.
 */
export function entryTimeFrom(event: Scheduled): EntryTime {
  const { startDate, startTime } = event
  const lastDate = event.endDate ?? startDate
  if (event.allDay || startTime === undefined) {
    return {
      allDay: true,
      start: startDate,
      end: daysAfter(lastDate < startDate ? startDate : lastDate, 1),
    }
  }
  const start = `${startDate}T${startTime}`
  const end = event.endTime === undefined ? undefined : `${lastDate}T${event.endTime}`
  return { allDay: false, start, end: end !== undefined && end > start ? end : undefined }
}

import { DateTime } from 'luxon'
import { readEntryTime } from '../calendar/entry-time.ts'
import { timeInWords } from '../calendar/time-in-words.ts'
import type { PublicEvent } from '../records/event.ts'
import { daysAfter, instantFromSiteTime } from '../records/site-time.ts'
import type { EventTime } from '../syndication/event-items.ts'

/**
 * Returns the time that the calendar shows for an event. An event without an end lasts until
 * midnight.
 */
export function eventTime(event: PublicEvent, timeZone: string): EventTime {
  const { time } = readEntryTime(event)
  const midnight = (date: string) => instantFromSiteTime(`${date}T00:00:00`, timeZone)
  const startDay = time.start.slice(0, 10)
  const words = () => timeInWords(time)
  const day = () =>
    DateTime.fromISO(startDay, { zone: 'utc', locale: 'en' }).toFormat('LLL d, yyyy')
  if (time.allDay) {
    return { startsAt: midnight(startDay), endsAt: midnight(time.end), words, day }
  }
  const endsAt =
    time.end === undefined
      ? midnight(daysAfter(startDay, 1))
      : instantFromSiteTime(time.end, timeZone)
  return { startsAt: instantFromSiteTime(time.start, timeZone), endsAt, words, day }
}

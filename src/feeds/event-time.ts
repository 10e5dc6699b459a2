import { DateTime } from 'luxon'
import { readEntryTime } from '../calendar/entry-time.ts'
import { endOfSpan, timeInWords } from '../records/date-words.ts'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import type { EventTime } from '../syndication/event-items.ts'

/**
 * Returns the time that the calendar shows for an event. An event without an end lasts until
 * midnight.
 */
export function eventTime(event: RecordOf['events'], timeZone: string): EventTime {
  const { time } = readEntryTime(event)
  const { allDay, start, end } = time
  const startDay = start.slice(0, 10)
  const instantOf = (siteTime: SiteDateTime) => instantFromSiteTime(siteTime, timeZone)
  const iso = (siteTime: SiteDateTime) => isoOf(instantOf(siteTime), timeZone)
  return {
    startsAt: instantOf(allDay ? `${startDay}T00:00:00` : start),
    endsAt: instantOf(endOfSpan(time)),
    words: () => timeInWords(time),
    day: () => DateTime.fromISO(startDay, { zone: 'utc', locale: 'en' }).toFormat('LLL d, yyyy'),
    facts: () => ({
      start: allDay ? start : iso(start),
      end: allDay || end === undefined ? end : iso(end),
      allDay,
      timeZone,
    }),
  }
}

function isoOf(instant: number, timeZone: string): string {
  const time = DateTime.fromMillis(instant, { zone: timeZone })
  return time.toISO({ suppressMilliseconds: true }) ?? new Date(instant).toISOString()
}

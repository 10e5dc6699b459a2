import ical, { escape, foldLines, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { DateTime } from 'luxon'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import { vtimezoneLines } from './vtimezone.ts'
import { ruleHoldsAt, utcRule, zoneRuleFor, type ZoneRule } from './zone-rule.ts'

const refreshInterval = 'PT1H'

export type ICalendarOptions = {
  readonly name: string
  /** Where the feed is, for SOURCE. */
  readonly url: string
  readonly timeZone: string
  /** The clock changes of the years after this one make the VTIMEZONE. */
  readonly year: number
}

/**
 * iCalendar text (RFC 5545, with the calendar properties of RFC 7986). `ical-generator` writes the
 * events; the calendar around them is written here, because there it escapes nothing and puts
 * properties after components.
 */
export function renderICalendar(
  entries: readonly CalendarEntry[],
  options: ICalendarOptions,
): string {
  const rule = zoneRuleFor(options.timeZone, options.year)
  const events = entries
    .toSorted(byStartThenUid)
    .map((entry) => eventText(entry, options.timeZone, rule))
  const name = escape(options.name.replace(/\s+/g, ' '), false)
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Feedhouse//Feedhouse//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `X-WR-TIMEZONE:${options.timeZone}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshInterval}`,
    `X-PUBLISHED-TTL:${refreshInterval}`,
    `SOURCE;VALUE=URI:${options.url}`,
    // A calendar without any component is not valid, so there is always a VTIMEZONE.
    ...vtimezoneLines(rule ?? utcRule),
    '',
  ]
  return `${foldLines(head.join('\r\n'))}${events.join('')}END:VCALENDAR\r\n`
}

function eventText(entry: CalendarEntry, timeZone: string, rule: ZoneRule | undefined): string {
  const revision = revisionOf(entry, timeZone)
  const event = ical().createEvent({
    id: entry.uid,
    ...revision,
    ...eventTimes(entry.time, timeZone, rule),
    summary: entry.summary,
    ...(entry.location === '' ? {} : { location: entry.location }),
    ...(entry.description === '' ? {} : { description: entry.description }),
    categories: entry.categories.map((category) => ({ name: category })),
    status: ICalEventStatus.CONFIRMED,
    transparency: entry.time.allDay
      ? ICalEventTransparency.TRANSPARENT
      : ICalEventTransparency.OPAQUE,
  })
  return foldLines(event.toString())
}

/** DTSTART and DTEND: dates, wall-clock times with TZID, or UTC where the rule does not hold. */
function eventTimes(time: EntryTime, timeZone: string, rule: ZoneRule | undefined) {
  if (time.allDay) {
    return { allDay: true, start: utcMidnight(time.start), end: utcMidnight(time.end) }
  }
  const instants = [time.start, time.end]
    .filter((wallTime) => wallTime !== undefined)
    .map((wallTime) => instantFromSiteTime(wallTime, timeZone))
  const inZone = rule && instants.every((instant) => ruleHoldsAt(rule, instant))
  const zone = inZone ? timeZone : 'utc'
  const [start, end] = instants.map((instant) => DateTime.fromMillis(instant, { zone }))
  if (!start) throw new TypeError('an entry without a start')
  return {
    start,
    ...(end && end > start ? { end } : {}),
    ...(inZone ? { timezone: timeZone } : {}),
  }
}

/** Of the record, never of the clock, so that the text changes only when the record does. */
function revisionOf(entry: CalendarEntry, timeZone: string) {
  const instant = (dateTime: SiteDateTime) => new Date(instantFromSiteTime(dateTime, timeZone))
  const created = entry.created === undefined ? undefined : instant(entry.created)
  const modified = entry.modified === undefined ? undefined : instant(entry.modified)
  const stamp = modified ?? created ?? utcMidnight(entry.time.start.slice(0, 10)).toJSDate()
  const sequence = created && modified ? Math.max(0, secondsBetween(created, modified)) : 0
  return {
    stamp,
    sequence,
    ...(created ? { created } : {}),
    ...(modified ? { lastModified: modified } : {}),
  }
}

function secondsBetween(earlier: Date, later: Date): number {
  return Math.floor((later.getTime() - earlier.getTime()) / 1000)
}

function utcMidnight(date: string): DateTime {
  return DateTime.fromISO(date, { zone: 'utc' })
}

function byStartThenUid(a: CalendarEntry, b: CalendarEntry): number {
  return compare(a.time.start, b.time.start) || compare(a.uid, b.uid)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

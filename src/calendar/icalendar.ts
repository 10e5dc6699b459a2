import { escape, foldLines } from 'ical-generator'
import { FixedOffsetZone } from 'luxon'
import { cleanText } from '../text/text.ts'
import { nearestColorName } from './color.ts'
import type { SiteZone } from './site-zone.ts'
import { onsetDay, utcRule, type YearlyOnset, type ZoneRule } from './zone-rule.ts'

const refreshInterval = 'PT1H'

/** First year of the RRULEs, earlier than any entry in a feed. */
const firstYear = 1970

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

const startLines = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Feedhouse//Feedhouse//EN',
  'CALSCALE:GREGORIAN',
]

export type CalendarProperties = {
  readonly name: string
  readonly description: string
  /** URL of the feed for SOURCE, or undefined if it is secret. */
  readonly url: string | undefined
  /** Six hex digits. */
  readonly color?: string | undefined
  /** Time zones of entries that are not in the calendar's time zone. */
  readonly otherRules?: readonly ZoneRule[]
}

/**
 * Renders an iCalendar object (RFC 5545, with the calendar properties of RFC 7986) around complete VEVENTs.
 * Does not use `ical-generator`, which leaves calendar properties unescaped and puts some after components.
 */
export function renderICalendar(
  events: readonly { readonly bytes: Buffer }[],
  zone: SiteZone,
  { name, description, url, color, otherRules = [] }: CalendarProperties,
): Buffer {
  const properties = [
    ...['NAME', 'X-WR-CALNAME'].map((property) => `${property}:${escapedLine(name)}`),
    ...['DESCRIPTION', 'X-WR-CALDESC'].map((property) => `${property}:${escapedLine(description)}`),
    `X-WR-TIMEZONE:${zone.timeZone}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshInterval}`,
    `X-PUBLISHED-TTL:${refreshInterval}`,
    ...(url === undefined ? [] : [`SOURCE;VALUE=URI:${url}`]),
    ...(color === undefined
      ? []
      : [`COLOR:${nearestColorName(color)}`, `X-APPLE-CALENDAR-COLOR:#${color.toUpperCase()}`]),
  ]
  const components = [...otherRules.map(renderTimeZone), ...events.map(({ bytes }) => bytes)]
  return wrapped(properties, zone, components)
}

/**
 * Renders an iCalendar object with a single VEVENT, to be added to a calendar that already exists. It has
 * no name, which would make some apps create a calendar, and no METHOD, which would make it an invitation.
 */
export function renderEventFile(event: Buffer, zone: SiteZone): Buffer {
  return wrapped([], zone, [event])
}

function wrapped(properties: readonly string[], zone: SiteZone, events: readonly Buffer[]): Buffer {
  // A calendar needs at least one component to be valid, so there is always a VTIMEZONE.
  const head = [...startLines, ...properties, '']
  return Buffer.concat([
    Buffer.from(foldLines(head.join('\r\n'))),
    renderTimeZone(zone.rule ?? utcRule),
    ...events,
    Buffer.from('END:VCALENDAR\r\n'),
  ])
}

function escapedLine(line: string): string {
  return text(cleanText(line).replace(/[^\S\u202F]+/g, ' '))
}

/** Escapes a TEXT value (RFC 5545 3.3.11). vCard has the same rules. */
export function text(value: string): string {
  return escape(value, false)
}

/** Omits properties without a value, which some clients reject. */
export function optional<T>(
  name: string,
  value: T | '' | undefined,
  written: (value: T) => string,
): readonly string[] {
  return value === '' || value === undefined ? [] : [`${name}:${written(value)}`]
}

/**
 * Renders a VTIMEZONE (RFC 5545 3.6.5) in the only form that Outlook reads: at most one STANDARD and one
 * DAYLIGHT, each with a yearly RRULE.
 */
function renderTimeZone(rule: ZoneRule): Buffer {
  const lines = [
    'BEGIN:VTIMEZONE',
    `TZID:${rule.timeZone}`,
    ...(rule.kind === 'fixed'
      ? observance('STANDARD', [`DTSTART:${firstYear}0101T000000`], rule.offset, rule.offset)
      : [
          ...yearly('DAYLIGHT', rule.toDaylight, rule.standardOffset, rule.daylightOffset),
          ...yearly('STANDARD', rule.toStandard, rule.daylightOffset, rule.standardOffset),
        ]),
    'END:VTIMEZONE',
    '',
  ]
  return Buffer.from(foldLines(lines.join('\r\n')))
}

function yearly(name: string, onset: YearlyOnset, from: number, to: number): readonly string[] {
  const { month, nth, weekday, hour, minute } = onset
  const date = `${firstYear}${twoDigits(month)}${twoDigits(onsetDay(onset, firstYear))}`
  const start = [
    `DTSTART:${date}T${twoDigits(hour)}${twoDigits(minute)}00`,
    `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${nth}${weekdays[weekday]}`,
  ]
  return observance(name, start, from, to)
}

function observance(
  name: string,
  start: readonly string[],
  from: number,
  to: number,
): readonly string[] {
  const offsets = [`TZOFFSETFROM:${utcOffset(from)}`, `TZOFFSETTO:${utcOffset(to)}`]
  return [`BEGIN:${name}`, ...start, ...offsets, `END:${name}`]
}

function utcOffset(minutes: number): string {
  return FixedOffsetZone.instance(minutes).formatOffset(0, 'techie')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

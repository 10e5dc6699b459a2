import { onsetDay, type YearlyOnset, type ZoneRule } from './zone-rule.ts'

/** Start of the RRULEs, before any entry in a feed. */
const firstYear = 1970

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/**
 * Renders a VTIMEZONE (RFC 5545 3.6.5) in the only form that Outlook reads: at most one STANDARD and one
 * DAYLIGHT, each with a yearly RRULE. The lines have no line endings.
 */
export function vtimezoneLines(rule: ZoneRule): readonly string[] {
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${rule.timeZone}`,
    ...(rule.kind === 'fixed'
      ? observance('STANDARD', [`DTSTART:${firstYear}0101T000000`], rule.offset, rule.offset)
      : [
          ...yearly('DAYLIGHT', rule.toDaylight, rule.standardOffset, rule.daylightOffset),
          ...yearly('STANDARD', rule.toStandard, rule.daylightOffset, rule.standardOffset),
        ]),
    'END:VTIMEZONE',
  ]
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
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}${twoDigits(size % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

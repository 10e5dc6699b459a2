import { foldLines } from 'ical-generator'
import { optional, text } from './icalendar.ts'
import { saysCanceled } from './canceled-title.ts'
import { endInstantOf } from '../records/site-time.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import { placeLines } from './place.ts'
import type { SiteZone } from './site-zone.ts'

/**
 * Renders a VEVENT (RFC 5545 3.6.1) with its line endings, in UTF-8. `ical-generator` escapes and folds the
 * text. The properties are assembled here, because the library swaps an end before its start, escapes URLs
 * like text and puts alarms among the properties. `alarmMinutes` are before the start, negative after it.
 */
export function renderEvent(
  entry: CalendarEntry,
  zone: SiteZone,
  alarmMinutes: readonly number[] = [],
): Buffer {
  const { summary, location, place, description, categories, status, revision } = entry
  const lastModified = utcText(revision.lastModified)
  const lines = [
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${revision.sequence}`,
    // Without METHOD, DTSTAMP is the time of the last revision (RFC 5545 3.8.7.2).
    `DTSTAMP:${lastModified}`,
    ...timeLines(entry.time, zone),
    `SUMMARY:${text(summary)}`,
    `TRANSP:${entry.isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    // Outlook uses this property instead of TRANSP.
    `X-MICROSOFT-CDO-BUSYSTATUS:${entry.isBusy ? 'BUSY' : 'FREE'}`,
    ...(place ? placeLines(place) : optional('LOCATION', location, text)),
    ...optional('DESCRIPTION', description, text),
    ...optional('URL', entry.url, String),
    `STATUS:${status.toUpperCase()}`,
    ...optional('CREATED', revision.created, utcText),
    `LAST-MODIFIED:${lastModified}`,
    ...(categories.length > 0 ? [`CATEGORIES:${categories.map(text).join(',')}`] : []),
    ...optional('COLOR', entry.color, String),
    ...(entry.relatedUids ?? []).map((uid) => `RELATED-TO;RELTYPE=SIBLING:${uid}`),
    ...(status === 'cancelled' || saysCanceled(summary)
      ? []
      : alarmMinutes.flatMap((minutes) => alarmLines(summary, minutes))),
    'END:VEVENT',
    '',
  ]
  return Buffer.from(foldLines(lines.join('\r\n')))
}

/**
 * Renders DTSTART and DTEND: dates, wall-clock times with TZID, or both in UTC if clients would
 * disagree about one of them.
 */
function timeLines(time: EntryTime, zone: SiteZone): readonly string[] {
  if (time.allDay) {
    return [`DTSTART;VALUE=DATE:${basic(time.start)}`, `DTEND;VALUE=DATE:${basic(time.end)}`]
  }
  const start = zone.momentOf(time.start)
  const end = time.end === undefined || time.end <= time.start ? undefined : time.end
  const moments = [start]
  if (end !== undefined) {
    const last = zone.momentOf(end)
    // A start that daylight saving time skips is in UTC, and may be after the end.
    const instant =
      last.instant > start.instant
        ? last.instant
        : endInstantOf({ start: time.start, end }, zone.timeZone)
    moments.push({ ...last, instant })
  }
  const isLocal = moments.every((moment) => moment.isUnambiguous)
  return moments.map(({ instant, wallTime }, index) => {
    const name = index === 0 ? 'DTSTART' : 'DTEND'
    return isLocal
      ? `${name};TZID=${zone.timeZone}:${basic(wallTime)}`
      : `${name}:${utcText(instant)}`
  })
}

function alarmLines(summary: string, minutes: number): readonly string[] {
  return [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:${minutes < 0 ? '' : '-'}PT${Math.abs(minutes)}M`,
    `DESCRIPTION:${text(summary)}`,
    'END:VALARM',
  ]
}

function utcText(instant: number): string {
  return `${basic(new Date(instant).toISOString().slice(0, 19))}Z`
}

/** Converts to the ISO 8601 basic format, without hyphens and colons. */
function basic(dateOrTime: string): string {
  return dateOrTime.replace(/[-:]/g, '')
}

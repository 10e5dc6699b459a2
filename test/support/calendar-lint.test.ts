import { expect, test } from 'vitest'
import { lintCalendar } from './calendar-lint.ts'

const good = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Test//EN',
  'CALSCALE:GREGORIAN',
  'NAME:A\\, B',
  'X-WR-CALNAME:A\\, B',
  'DESCRIPTION:All',
  'X-WR-CALDESC:All',
  'X-WR-TIMEZONE:America/Phoenix',
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H',
  'BEGIN:VTIMEZONE',
  'TZID:America/Phoenix',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:-0700',
  'TZOFFSETTO:-0700',
  'END:STANDARD',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'UID:events-1@example.org',
  'SEQUENCE:0',
  'DTSTAMP:20260101T000000Z',
  'DTSTART;TZID=America/Phoenix:20260301T100000',
  'DTEND;TZID=America/Phoenix:20260301T110000',
  'SUMMARY:Größe\\; 2',
  'TRANSP:OPAQUE',
  'URL:https://example.org/a?b=1,2;c',
  'STATUS:CONFIRMED',
  'LAST-MODIFIED:20260101T000000Z',
  'CATEGORIES:A,B',
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'TRIGGER:-PT30M',
  'DESCRIPTION:Soon',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

test('finds no violations in a valid calendar', () => {
  expect(lintCalendar(Buffer.from(good))).toEqual([])
})

test.for<[name: string, from: string | RegExp, to: string]>([
  ['a bare line feed', 'VERSION:2.0\r\n', 'VERSION:2.0\n'],
  ['a missing final line break', /\r\n$/, ''],
  ['a line over 75 octets', 'Größe', 'Größe '.repeat(20)],
  ['an empty line', 'TRANSP:OPAQUE', '\r\nTRANSP:OPAQUE'],
  ['a byte order mark', 'BEGIN:VCALENDAR', '\uFEFFBEGIN:VCALENDAR'],
  ['NUL', 'Größe', 'Gr\0ße'],
  ['a vertical tab', 'Größe', 'Gr\u000bße'],
  ['a replacement character', 'Größe', 'Gr\uFFFDße'],
  ['no DTSTAMP', 'DTSTAMP:20260101T000000Z\r\n', ''],
  ['no UID', 'UID:events-1@example.org\r\n', ''],
  ['no SUMMARY', 'SUMMARY:Größe\\; 2\r\n', ''],
  ['an empty SUMMARY', 'SUMMARY:Größe\\; 2', 'SUMMARY:'],
  ['an empty LOCATION', 'TRANSP', 'LOCATION:\r\nTRANSP'],
  ['two DTSTART', 'SUMMARY', 'DTSTART;VALUE=DATE:20260301\r\nSUMMARY'],
  ['a duplicate UID', /(BEGIN:VEVENT.*END:VEVENT\r\n)/s, '$1$1'],
  ['an end equal to the start', '110000', '100000'],
  ['an end before the start', '110000', '090000'],
  [
    'a start time with an end date',
    'DTEND;TZID=America/Phoenix:20260301T110000',
    'DTEND;VALUE=DATE:20260302',
  ],
  ['a local DTSTAMP', 'DTSTAMP:20260101T000000Z', 'DTSTAMP:20260101T000000'],
  ['a floating time', /DTSTART;TZID=[^:]+/, 'DTSTART'],
  ['a zone without VTIMEZONE', 'TZID:America/Phoenix', 'TZID:America/Denver'],
  ['a VTIMEZONE that starts at a UTC time', '19700101T000000', '19700101T000000Z'],
  ['two STANDARD rules', /(BEGIN:STANDARD.*END:STANDARD\r\n)/s, '$1$1'],
  ['unescaped text', 'Größe\\; 2', 'Größe; 2'],
  ['an unknown escape', 'Größe\\; 2', 'Größe\\x'],
  ['an unescaped name', 'NAME:A\\, B', 'NAME:A, B'],
  ['a raw line break', 'Größe', 'Grö\r\nße'],
  ['an attendee', 'TRANSP', 'ATTENDEE:mailto:x@example.org\r\nTRANSP'],
  ['METHOD', 'CALSCALE', 'METHOD:PUBLISH\r\nCALSCALE'],
  ['no PRODID', 'PRODID:-//Test//EN\r\n', ''],
  ['no VERSION', 'VERSION:2.0\r\n', ''],
  ['no component', /BEGIN:VTIMEZONE.*END:VEVENT\r\n/s, ''],
  ['an unknown status', 'CONFIRMED', 'CANCELED'],
  ['an invalid REFRESH-INTERVAL', 'DURATION:PT1H', 'DURATION:1H'],
  ['a REFRESH-INTERVAL without VALUE=DURATION', ';VALUE=DURATION', ''],
  ['a truncated calendar', /END:VEVENT\r\nEND:VCALENDAR/, 'END:VCALENDAR'],
  ['a nonexistent date', '20260301T1', '20260230T1'],
  ['a calendar property after a component', 'END:VCALENDAR', 'X-WR-CALNAME:A\r\nEND:VCALENDAR'],
  ['a property after an alarm', 'END:VALARM\r\n', 'END:VALARM\r\nURL:https://example.org/\r\n'],
  ['an alarm without DESCRIPTION', 'DESCRIPTION:Soon\r\n', ''],
  ['a SEQUENCE that is not a number', 'SEQUENCE:0', 'SEQUENCE:NaN'],
  ['an escaped URL', '1,2;c', '1\\,2;c'],
  ['a URL with a space', '?b=1', '? b=1'],
  ['two calendars', /$/, good],
])('reports %s', ([, from, to]) => {
  expect(good.replace(from, to)).not.toBe(good)
  expect(lintCalendar(Buffer.from(good.replace(from, to)))).not.toEqual([])
})

test('reports bytes that are not UTF-8', () => {
  expect(lintCalendar(Buffer.from(good, 'latin1'))).not.toEqual([])
})

test('reports a fold inside a character', () => {
  const bytes = Buffer.from(good)
  const at = bytes.indexOf('ß') + 1
  const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)])
  expect(lintCalendar(folded)).not.toEqual([])
})

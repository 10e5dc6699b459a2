import fc from 'fast-check'
import { DateTime } from 'luxon'
import ical from 'node-ical'
import { expect, test } from 'vitest'
import type { CalendarEntry } from '../../src/calendar/calendar-entry.ts'
import { renderICalendar } from '../../src/calendar/icalendar.ts'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'
import { renderEvent } from '../../src/calendar/vevent.ts'
import { instantFromSiteTime } from '../../src/records/site-time.ts'
import { cleanText } from '../../src/text/text.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { hostileText } from '../support/hostile-text.ts'
import { readCalendar } from '../support/read-calendar.ts'

const timeZone = 'America/New_York'
const newYork = siteZoneOf(timeZone, 2026)

const entry: CalendarEntry = {
  uid: 'events-7@cedarhollow.example',
  time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-10T21:00:00' },
  summary: 'Drill',
  location: '',
  description: '',
  categories: [],
  status: 'confirmed',
  isBusy: true,
  url: undefined,
  revision: { sequence: 90, lastModified: Date.parse('2026-01-02T14:01:30Z'), created: undefined },
}

const properties = { name: 'Events', description: 'All', url: undefined }

function rendered(
  change: Partial<CalendarEntry>,
  { zone = newYork, alarmMinutes = [] as readonly number[] } = {},
) {
  const bytes = renderEvent({ ...entry, ...change }, zone, alarmMinutes)
  return { bytes, text: bytes.toString() }
}

test('writes properties in a fixed order and omits empty ones', () => {
  expect(rendered({}).text.split('\r\n')).toEqual([
    'BEGIN:VEVENT',
    'UID:events-7@cedarhollow.example',
    'SEQUENCE:90',
    'DTSTAMP:20260102T140130Z',
    'DTSTART;TZID=America/New_York:20260310T190000',
    'DTEND;TZID=America/New_York:20260310T210000',
    'SUMMARY:Drill',
    'TRANSP:OPAQUE',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
    'STATUS:CONFIRMED',
    'LAST-MODIFIED:20260102T140130Z',
    'END:VEVENT',
    '',
  ])
  const full = rendered({
    location: 'Station 1, rear bay',
    description: 'Gear;\nboots',
    url: 'https://feeds.cedarhollow.example/events/7?a=1,2;b',
    categories: ['Training', 'A, B'],
    revision: { ...entry.revision, created: Date.parse('2026-01-02T14:00:00Z') },
  })
  expect(full.text.split('\r\n').slice(6, -2)).toEqual([
    'SUMMARY:Drill',
    'TRANSP:OPAQUE',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
    'LOCATION:Station 1\\, rear bay',
    'DESCRIPTION:Gear\\;\\nboots',
    'URL:https://feeds.cedarhollow.example/events/7?a=1,2;b',
    'STATUS:CONFIRMED',
    'CREATED:20260102T140000Z',
    'LAST-MODIFIED:20260102T140130Z',
    'CATEGORIES:Training,A\\, B',
  ])
})

test('writes both times in UTC if the law changed between them', () => {
  const zone = siteZoneOf('America/Vancouver', 2026)
  const time = { allDay: false, start: '2026-10-31T10:00:00', end: '2026-11-02T10:00:00' } as const
  const { text } = rendered({ time }, { zone })
  expect(text).toContain('DTSTART:20261031T170000Z\r\nDTEND:20261102T170000Z\r\n')
  const before = { ...time, end: '2026-10-31T12:00:00' }
  expect(rendered({ time: before }, { zone }).text).toContain('DTSTART;TZID=America/Vancouver:')
})

test('writes an all-day entry with dates, and shows it as free by default', () => {
  const time = { allDay: true, start: '2026-03-08', end: '2026-03-10' } as const
  const { text } = rendered({ time, isBusy: false })
  expect(text).toContain('DTSTART;VALUE=DATE:20260308\r\n')
  expect(text).toContain('DTEND;VALUE=DATE:20260310\r\n')
  expect(text).toContain('TRANSP:TRANSPARENT\r\nX-MICROSOFT-CDO-BUSYSTATUS:FREE\r\n')
})

test('omits DTEND if the entry has no end', () => {
  const time = { allDay: false, start: '2026-03-10T19:00:00', end: undefined } as const
  expect(rendered({ time }).text).not.toContain('DTEND')
})

test.for([
  ['a start that occurs twice', '11-01T01:30', '11-01T03:00', '1101T0530', '1101T0800'],
  ['an end that occurs twice', '10-31T22:00', '11-01T01:00', '1101T0200', '1101T0500'],
  ['both in the repeated hour', '11-01T01:00', '11-01T01:59', '1101T0500', '1101T0559'],
  ['a start that never occurs', '03-08T02:45', '03-08T05:00', '0308T0745', '0308T0900'],
  ['an end before the actual start', '03-08T02:45', '03-08T03:15', '0308T0745', '0308T0815'],
  ['an end at the actual start', '03-08T02:45', '03-08T03:45', '0308T0745', '0308T0845'],
  ['an end that never occurs', '03-07T22:00', '03-08T02:00', '0308T0300', '0308T0700'],
] as const)('writes %s in UTC, which every client interprets the same way', ([, ...times]) => {
  const [start, end] = [`2026-${times[0]}:00`, `2026-${times[1]}:00`]
  const utc = [`2026${times[2]}00Z`, `2026${times[3]}00Z`]
  const { bytes, text } = rendered({ time: { allDay: false, start, end } })
  expect(text).toContain(`DTSTART:${utc[0]}\r\nDTEND:${utc[1]}\r\n`)
  const instants = utc.map((value) => DateTime.fromISO(value).toMillis())
  const calendar = renderICalendar([{ bytes }], newYork, properties).toString()
  const [readByIcalJs] = readCalendar(calendar).events
  expect([readByIcalJs?.startInstant, readByIcalJs?.endInstant]).toEqual(instants)
  const readByNodeIcal = Object.values(ical.sync.parseICS(calendar)).find(
    (component) => component?.type === 'VEVENT',
  )
  expect([readByNodeIcal?.start.getTime(), readByNodeIcal?.end?.getTime()]).toEqual(instants)
})

test.for([
  '2026-11-01T00:59:59',
  '2026-11-01T02:00:00',
  '2026-03-08T01:59:59',
  '2026-03-08T03:00:00',
])('writes %s as a local time, even though it is close to a clock change', (start) => {
  const { text } = rendered({ time: { allDay: false, start, end: undefined } })
  expect(text).toContain(`DTSTART;TZID=America/New_York:${start.replace(/[-:]/g, '')}\r\n`)
})

test.for([
  ['2006-10-30T19:00:00', '2007-03-15T19:00:00', '20061031T000000Z', '20070315T230000Z'],
  ['2006-10-15T19:00:00', '2006-10-30T19:00:00', '20061015T230000Z', '20061031T000000Z'],
] as const)('writes an entry in UTC if the VTIMEZONE is wrong for its start or end', (row) => {
  const [start, end, utcStart, utcEnd] = row
  const { text } = rendered({ time: { allDay: false, start, end } })
  expect(text).toContain(`DTSTART:${utcStart}\r\nDTEND:${utcEnd}\r\n`)
})

test('writes times in UTC if the zone has no rule', () => {
  const { text } = rendered({}, { zone: siteZoneOf('Africa/Cairo', 2026) })
  expect(text).toContain('DTSTART:20260310T170000Z\r\n')
})

test('writes an alarm last, with the title as its description', () => {
  const { text } = rendered({ summary: 'Drill; hoses' }, { alarmMinutes: [45] })
  expect(text).toMatch(
    /\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT45M\r\nDESCRIPTION:Drill\\; hoses\r\nEND:VALARM\r\nEND:VEVENT\r\n$/,
  )
})

test('writes several alarms that clients can read', () => {
  const { bytes, text } = rendered({}, { alarmMinutes: [0, 30, 1440] })
  expect(text.match(/TRIGGER:.*/g)).toEqual(['TRIGGER:-PT0M', 'TRIGGER:-PT30M', 'TRIGGER:-PT1440M'])
  const calendar = renderICalendar([{ bytes }], newYork, properties)
  expect(lintCalendar(calendar)).toEqual([])
  expect(readCalendar(calendar.toString()).events[0]?.alarmLeadSeconds).toEqual([0, 1800, 86_400])
})

test('marks a canceled entry and omits its alarm', () => {
  const { text } = rendered({ status: 'cancelled' }, { alarmMinutes: [45] })
  expect(text).toContain('STATUS:CANCELLED\r\n')
  expect(text).not.toContain('VALARM')
})

const anyWallTime = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19))
const nearClockChange = fc
  .record({ day: fc.constantFrom('2026-11-01', '2026-03-08'), minute: fc.nat({ max: 239 }) })
  .map(
    ({ day, minute }) =>
      `${day}T0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00`,
  )
const wallTime = fc.oneof(anyWallTime, nearClockChange)

test('writes any entry so that a parser reads it back unchanged', () => {
  const cleaned = hostileText.map(cleanText)
  fc.assert(
    fc.property(
      fc.record({
        summary: cleaned.map((text) => text || 'Untitled'),
        location: cleaned,
        description: cleaned,
        categories: fc.array(
          cleaned.filter((text) => text !== ''),
          // ical.js misreads a list in which a comma follows an escaped backslash.
          { maxLength: 1 },
        ),
        start: wallTime,
      }),
      ({ start, ...texts }) => {
        const time = { allDay: false, start, end: undefined } as const
        const { bytes } = rendered({ ...texts, time }, { alarmMinutes: [5, 1440] })
        const calendar = renderICalendar([{ bytes }], newYork, properties)
        expect(lintCalendar(calendar)).toEqual([])
        const [event] = readCalendar(calendar.toString()).events
        expect(event).toMatchObject({
          ...texts,
          startInstant: instantFromSiteTime(start, timeZone),
        })
      },
    ),
    { numRuns: 300 },
  )
})

import fc from 'fast-check'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import type { CalendarEntry } from '../../src/calendar/calendar-entry.ts'
import { renderICalendar, type ICalendarOptions } from '../../src/calendar/icalendar.ts'
import { instantFromSiteTime } from '../../src/records/site-time.ts'
import { cleanText } from '../../src/records/text.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { readCalendar } from '../support/read-calendar.ts'

const options: ICalendarOptions = {
  name: 'Cedar Hollow: Events',
  url: 'https://feeds.cedarhollow.example/events.ics',
  timeZone: 'America/New_York',
  year: 2026,
}

const entry: CalendarEntry = {
  uid: 'events-7@cedarhollow.example',
  time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-10T21:00:00' },
  summary: 'Drill',
  location: '',
  description: '',
  categories: [],
  created: undefined,
  modified: undefined,
}

function rendered(change: Partial<CalendarEntry>, other: Partial<ICalendarOptions> = {}): string {
  return renderICalendar([{ ...entry, ...change }], { ...options, ...other })
}

test('a timed entry has its wall time and zone', () => {
  const text = rendered({})
  expect(text).toContain('DTSTART;TZID=America/New_York:20260310T190000\r\n')
  expect(text).toContain('DTEND;TZID=America/New_York:20260310T210000\r\n')
})

test('an all-day entry has dates, whatever the zone of the server', () => {
  const text = rendered({ time: { allDay: true, start: '2026-03-08', end: '2026-03-10' } })
  expect(text).toContain('DTSTART;VALUE=DATE:20260308\r\n')
  expect(text).toContain('DTEND;VALUE=DATE:20260310\r\n')
})

test('an entry without an end has no DTEND', () => {
  const time = { allDay: false, start: '2026-03-10T19:00:00', end: undefined } as const
  expect(rendered({ time })).not.toContain('DTEND')
})

test('an entry whose end falls before its start when the clocks skip has no DTEND', () => {
  const time = { allDay: false, start: '2026-03-08T02:45:00', end: '2026-03-08T03:15:00' } as const
  const text = rendered({ time })
  expect(text).toContain('DTSTART;TZID=America/New_York:20260308T034500\r\n')
  expect(text).not.toContain('DTEND')
})

test('a time that the rule of the VTIMEZONE gets wrong is written in UTC', () => {
  const time = { allDay: false, start: '2006-10-30T19:00:00', end: undefined } as const
  expect(rendered({ time })).toContain('DTSTART:20061031T000000Z\r\n')
})

test('in a zone without a rule every time is in UTC', () => {
  const text = rendered({}, { timeZone: 'Africa/Cairo' })
  expect(text).toContain('DTSTART:20260310T170000Z\r\n')
  expect(readCalendar(text).zones).toEqual(['Etc/UTC'])
})

test('a time that happens twice keeps its wall time', () => {
  const time = { allDay: false, start: '2026-11-01T01:30:00', end: '2026-11-01T03:00:00' } as const
  expect(rendered({ time })).toContain('DTSTART;TZID=America/New_York:20261101T013000\r\n')
})

test('stamps come from the record, in UTC', () => {
  const text = rendered({ created: '2026-01-02T09:00:00', modified: '2026-01-02T09:01:30' })
  expect(text).toContain('SEQUENCE:90\r\n')
  expect(text).toContain('DTSTAMP:20260102T140130Z\r\n')
  expect(text).toContain('CREATED:20260102T140000Z\r\n')
  expect(text).toContain('LAST-MODIFIED:20260102T140130Z\r\n')
})

test('a calendar without entries is valid', () => {
  const text = renderICalendar([], options)
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  expect(readCalendar(text)).toMatchObject({ zones: ['America/New_York'], events: [] })
})

test('entries come by start, then uid, in whatever order they are given', () => {
  const entries = ['c', 'a', 'b'].map((uid) => ({ ...entry, uid }))
  const text = renderICalendar(entries, options)
  expect(readCalendar(text).events.map(({ uid }) => uid)).toEqual(['a', 'b', 'c'])
  expect(renderICalendar(entries.toReversed(), options)).toBe(text)
})

test('the name of the calendar cannot add properties', () => {
  const text = rendered({}, { name: 'A; B, C\\\r\nATTENDEE:mailto:x@example.org' })
  expect(text).toContain('NAME:A\\; B\\, C\\\\ ATTENDEE:mailto:x@example.org\r\n')
  expect(text.split('\r\n').filter((line) => line.startsWith('ATTENDEE'))).toEqual([])
})

const hostileText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'a\r\nATTENDEE:mailto:x@example.org',
      'é'.repeat(90),
      '👩‍🚒'.repeat(30),
      '\\;,"^\n',
    ),
  )
  .map(cleanText)

const wallTime = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19))
  // Of a time that happens twice ical.js takes the second, RFC 5545 3.3.5 the first.
  .filter(
    (time) => DateTime.fromISO(time, { zone: options.timeZone }).getPossibleOffsets().length === 1,
  )

test('whatever an entry contains, the calendar is well-formed and says the same', () => {
  fc.assert(
    fc.property(
      fc.record({
        summary: hostileText.map((text) => text || 'Untitled'),
        location: hostileText,
        description: hostileText,
        categories: fc.array(
          hostileText.filter((text) => text !== ''),
          { maxLength: 2 },
        ),
        start: wallTime,
      }),
      ({ start, ...texts }) => {
        const text = rendered({ ...texts, time: { allDay: false, start, end: undefined } })
        expect(lintCalendar(Buffer.from(text))).toEqual([])
        const [event] = readCalendar(text).events
        expect(event?.summary).toBe(texts.summary)
        expect(event?.startInstant).toBe(instantFromSiteTime(start, options.timeZone))
      },
    ),
    { numRuns: 300 },
  )
})

import { expect, test } from 'vitest'
import { mergeCalendars, organizationCalendar } from '../../src/calendar/merged-calendars.ts'
import type { CalendarEntry } from '../../src/calendar/calendar-entry.ts'
import { daysAfter } from '../../src/records/site-time.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { readCalendar } from '../support/read-calendar.ts'

const entry: CalendarEntry = {
  uid: 'events-1@ashton.example',
  summary: 'Pancake breakfast',
  description: 'All you can eat.',
  location: 'Station 1',
  categories: ['Events'],
  time: { allDay: false, start: '2026-11-28T08:00:00', end: '2026-11-28T11:00:00' },
  status: 'confirmed',
  isBusy: false,
  url: 'https://feeds.ashton.example/events/1',
  revision: { sequence: 7, lastModified: Date.UTC(2026, 9, 1), created: undefined },
}

function calendarOf(name: string, entries: readonly CalendarEntry[], timeZone: string) {
  const homeUrl = 'https://feeds.ashton.example/'
  return organizationCalendar({ timeZone, year: 2026, entries }, { name, homeUrl })
}

const options = {
  name: 'Cedar County: All departments',
  description: 'All public calendars.',
  url: 'https://feeds.example/county.ics',
  language: 'en-US',
  timeZone: 'America/New_York',
  today: '2026-11-23',
  noticeUid: 'county-omitted@feeds.example',
}

test('keeps the instants of calendars in several time zones', () => {
  const bytes = mergeCalendars(
    [
      calendarOf('Ashton', [entry], 'America/New_York'),
      calendarOf('Dover', [{ ...entry, uid: 'events-1@dover.example' }], 'America/Chicago'),
      calendarOf('Cairo', [{ ...entry, uid: 'events-1@cairo.example' }], 'Africa/Cairo'),
    ],
    options,
  )
  expect(lintCalendar(bytes)).toEqual([])
  const { zones, events } = readCalendar(bytes.toString())
  expect(zones.toSorted()).toEqual(['America/Chicago', 'America/New_York', 'Etc/UTC'])
  const startOf = (uid: string) => events.find((event) => event.uid === uid)?.startInstant
  expect(startOf('events-1@ashton.example')).toBe(Date.UTC(2026, 10, 28, 13))
  expect(startOf('events-1@dover.example')).toBe(Date.UTC(2026, 10, 28, 14))
  expect(startOf('events-1@cairo.example')).toBe(Date.UTC(2026, 10, 28, 6))
})

test('adds the organization to entries with little or hostile text', () => {
  const organization = 'Eng; Co, 1 \\ "Ashton"\nATTENDEE:mailto:x@example.org'
  const hostile = { ...entry, uid: 'events-2@a', summary: 'A;B,C\\\nBEGIN:VEVENT', description: '' }
  const bare = { ...entry, uid: 'events-3@a', description: '', categories: [] }
  const bytes = mergeCalendars([calendarOf(organization, [hostile, bare], 'Etc/UTC')], options)
  expect(lintCalendar(bytes)).toEqual([])
  const { events } = readCalendar(bytes.toString())
  expect(events).toHaveLength(2)
  for (const { summary, description, categories } of events) {
    expect(summary).toContain(`(${organization})`)
    expect(description).toContain('https://feeds.ashton.example/')
    expect(categories).toContain(organization)
  }
})

test('ends entries only at line breaks, not at other separators in their text', () => {
  const hostile = { ...entry, uid: 'events-4@a', description: 'A\u2028END:VEVENT' }
  const bytes = mergeCalendars([calendarOf('Ashton', [hostile, entry], 'Etc/UTC')], options)
  expect(lintCalendar(bytes)).toEqual([])
  expect(readCalendar(bytes.toString()).events).toHaveLength(2)
})

test('keeps the entries nearest to today, and says how many are missing', () => {
  const days = ['2026-10-01', '2026-11-22', '2026-11-24', '2027-03-01']
  const entries = days.map((start, index): CalendarEntry => {
    const time = { allDay: true, start, end: daysAfter(start, 1) } as const
    return { ...entry, uid: `events-${index}@a`, time }
  })
  const calendar = calendarOf('Ashton', entries, 'America/New_York')
  const bytes = mergeCalendars([calendar], { ...options, maxBytes: 1_200 })
  expect(lintCalendar(bytes)).toEqual([])
  expect(readCalendar(bytes.toString()).events.map(({ uid }) => uid)).toEqual([
    'events-1@a',
    'events-2@a',
    'county-omitted@feeds.example',
  ])
  expect(bytes.toString()).toContain('SUMMARY:2 more entries are not shown')
})

/** Returns a calendar with a number of entries, all on the same day. */
function calendarWith(name: string, count: number, start: string) {
  const entries = Array.from({ length: count }, (_, index): CalendarEntry => {
    const time = { allDay: true, start, end: daysAfter(start, 1) } as const
    return { ...entry, uid: `events-${index}@${name}`, time }
  })
  return calendarOf(name, entries, 'America/New_York')
}

test('divides the room fairly, so that many entries of one organization hide no others', () => {
  const calendars = [
    calendarWith('ashton', 200, '2026-11-23'),
    calendarWith('bristol', 3, '2027-03-01'),
    calendarWith('dover', 100, '2026-11-24'),
  ]
  const bytes = mergeCalendars(calendars, { ...options, maxBytes: 50_000 })
  const { events } = readCalendar(bytes.toString())
  const countOf = (name: string) => events.filter(({ uid }) => uid.endsWith(`@${name}`)).length
  expect(countOf('bristol')).toBe(3)
  expect(countOf('ashton')).toBeGreaterThan(20)
  expect(Math.abs(countOf('dover') - countOf('ashton'))).toBeLessThanOrEqual(1)
  expect(bytes.toString()).toMatch(/SUMMARY:\d+ more entries are not shown/)
})

test('is a valid calendar without entries', () => {
  const bytes = mergeCalendars([], { ...options, timeZone: 'Etc/UTC' })
  expect(lintCalendar(bytes)).toEqual([])
})

test('is smaller than the 1 MB that Google Calendar reads', () => {
  const entries = Array.from({ length: 250 }, (_, index) => ({
    ...entry,
    uid: `events-${index}@a`,
    description: 'x'.repeat(5_000),
  }))
  const bytes = mergeCalendars([calendarOf('Ashton', entries, 'America/New_York')], options)
  expect(bytes.length).toBeGreaterThan(900_000)
  expect(bytes.length).toBeLessThan(1_000_000)
})

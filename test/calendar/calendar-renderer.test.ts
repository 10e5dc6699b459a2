import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { calendarRecipe } from '../../src/calendar/record-recipes.ts'
import { createCalendarRenderer } from '../../src/calendar/calendar-renderer.ts'
import {
  eventOn,
  eventsFrom,
  idsOf,
  now,
  rendererOf,
  site,
  sourceAfter,
} from './rendered-calendar.ts'
import { DateTime } from 'luxon'
import { daysAfter } from '../../src/records/site-time.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { collectionAfter, itemsOf, renderFeed } from '../support/feed-text.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'

test('sorts entries by start time, then by UID', async () => {
  const start = { allDay: 0, startTime: '19:00' }
  const items = [
    eventOn('2026-03-07', 1, start),
    eventOn('2026-03-06', 2),
    eventOn('2026-03-07', 3),
    eventOn('2026-03-07', 10, start),
  ]
  expect(idsOf(rendererOf()(await sourceAfter(items)))).toEqual(['2', '3', '10', '1'])
})

test('changes a calendar without options only on January 1, when its VTIMEZONE changes', async () => {
  const { validUntil } = rendererOf()(await sourceAfter(eventsFrom('2026-03-06', 3)))
  expect(validUntil).toBe(Date.parse('2027-01-01T05:00:00Z'))
})

test('reports each repaired record and its error', async () => {
  const skipped = { allDay: 0, startTime: '02:30', endTime: '04:30' }
  const intoSkipped = { allDay: 0, startTime: '01:30', endTime: '02:30' }
  const items = [
    eventOn('2026-03-06', 1, { endDate: '2026-03-01' }),
    eventOn('2026-03-06', 2, { allDay: 0 }),
    eventOn('2026-03-08', 3, skipped),
    eventOn('2026-03-08', 4, intoSkipped),
    eventOn('2026-03-09', 5, skipped),
    eventOn('2026-03-06', 6, { endDate: '2026-03-01', status: 0 }),
    eventOn('2026-03-06', 7, { endDate: '2026-03-01', status: 1 }),
  ]
  const { diagnose } = createCalendarRenderer({ ...site, urlOf: () => undefined, maxEntries: 3 })
  expect(atOnce(diagnose(calendarRecipe, await sourceAfter(items), now))).toEqual({
    repaired: [
      { id: 1, reason: 'ends before it starts' },
      { id: 2, reason: 'has no start time' },
      { id: 3, reason: 'has a time that daylight saving time skips that day' },
      { id: 4, reason: 'has a time that daylight saving time skips that day' },
      { id: 6, reason: 'ends before it starts' },
    ],
    omitted: 2,
  })
})

test('shows a stored record that is not yet in the ledger', async () => {
  const { records, changedAt } = await sourceAfter(eventsFrom('2026-03-06', 2))
  const render = rendererOf()
  const source = { records, changedAt, ledger: new Map() }
  expect(idsOf(render(source))).toEqual(['1', '2'])
  const changed = records.map((record) => ({ ...record, title: 'Moved' }))
  expect(render({ ...source, records: changed }).events).toMatchObject([
    { summary: 'Moved' },
    { summary: 'Moved' },
  ])
})

test('chooses local time or UTC by the clock changes of the current and later years', async () => {
  const event = eventOn('2018-07-10', 1, { allDay: 0, startTime: '19:00' })
  const source = await sourceAfter([event])
  const render = rendererOf({ timeZone: 'America/Sao_Paulo' })
  const startIn = (year: number) =>
    /DTSTART[^\r]*2018[^\r]*/.exec(render(source, { now: Date.UTC(year, 5, 1) }).text)?.[0]
  // Daylight saving time in Brazil followed no stable rule until it was abolished in 2019.
  expect(startIn(2016)).toBe('DTSTART:20180710T220000Z')
  // It was abolished in 2019, but many devices still have older zone data in 2021.
  expect(startIn(2021)).toBe('DTSTART:20180710T220000Z')
  expect(startIn(2026)).toBe('DTSTART;TZID=America/Sao_Paulo:20180710T190000')
})

const sample = sampleDatasetOn('2026-03-05')
const { timeZone: zone } = testSite

test.for([
  { resource: 'calendar', records: sample.calendar.filter(({ status }) => status !== 1) },
  { resource: 'events', records: sample.events.filter(({ status }) => status !== 1) },
  { resource: 'rental', records: sample.rental },
] as const)(
  'the $resource calendar has one entry per record at its time, when parsed by ical.js',
  async ({ resource, records }) => {
    const collection = await collectionAfter(resource, [itemsOf(sample, resource)], now)
    const { text } = renderFeed(resource, collection, { now, profile: 'full' })
    const { events } = readCalendar(text)
    expect(events).toHaveLength(records.length)
    expect(new Set(records.map(({ allDay }) => allDay)).size).toBe(2)
    for (const { id, allDay, startDate, startTime, endDate, endTime } of records) {
      const start = `${startDate}T${startTime}`
      const startInstant = DateTime.fromISO(start, { zone }).toMillis()
      const end = endTime === '' ? undefined : `${endDate}T${endTime}`
      expect(events.find(({ uid }) => uid.startsWith(`${resource}-${id}@`))).toMatchObject(
        allDay === 1
          ? { isDate: true, start: startDate, end: daysAfter(endDate, 1) }
          : { isDate: false, start, zone, startInstant, end },
      )
    }
  },
)

import { DateTime } from 'luxon'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FeedResource } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { collectionAfter, itemsOf, renderFeed } from '../support/feed-text.ts'
import { readCalendar, type ReadEvent } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'

const zone = testSite.timeZone
const now = Date.parse('2026-03-05T15:00:00Z')
const sample = sampleDatasetOn('2026-03-05')

const read = new Map<FeedResource, readonly ReadEvent[]>()

beforeAll(async () => {
  for (const resource of ['calendar', 'events', 'rental', 'signup'] as const) {
    const collection = await collectionAfter(resource, [itemsOf(sample, resource)], now)
    const { text } = renderFeed(resource, collection, { now, profile: 'full' })
    read.set(resource, readCalendar(text).events)
  }
})

function eventOf(resource: FeedResource, id: number): ReadEvent | undefined {
  return read.get(resource)?.find(({ uid }) => uid === `${resource}-${id}@cedarhollow.example`)
}

function dayAfter(date: string): string {
  return DateTime.fromISO(date, { zone: 'utc' }).plus({ days: 1 }).toFormat('yyyy-MM-dd')
}

describe.for([
  { resource: 'calendar', records: sample.calendar.filter(({ status }) => status !== 1) },
  { resource: 'events', records: sample.events.filter(({ status }) => status !== 1) },
  { resource: 'rental', records: sample.rental },
] as const)('the $resource calendar, when parsed by ical.js,', ({ resource, records }) => {
  test('has one entry per record', () => {
    expect(records.length).toBeGreaterThan(50)
    expect(read.get(resource)).toHaveLength(records.length)
  })

  test('has timed records at the right times', () => {
    const timed = records.filter(({ allDay }) => allDay === 0)
    expect(timed.length).toBeGreaterThan(20)
    for (const { id, startDate, startTime, endDate, endTime } of timed) {
      const start = `${startDate}T${startTime}`
      expect(eventOf(resource, id)).toMatchObject({
        isDate: false,
        start,
        zone,
        end: endTime === '' ? undefined : `${endDate}T${endTime}`,
        startInstant: DateTime.fromISO(start, { zone }).toMillis(),
      })
    }
  })

  test('has all-day records on the right days', () => {
    const allDay = records.filter((record) => record.allDay === 1)
    expect(allDay.length).toBeGreaterThan(5)
    for (const { id, startDate, endDate } of allDay) {
      const end = dayAfter(endDate)
      expect(eventOf(resource, id)).toMatchObject({ isDate: true, start: startDate, end })
    }
  })
})

test('keeps the titles, locations and statuses of records', () => {
  for (const { id, title, location, status } of [...sample.events].filter(
    ({ status }) => status !== 1,
  )) {
    const event = eventOf('events', id)
    expect(event).toMatchObject({ location, status: status === 0 ? 'TENTATIVE' : 'CONFIRMED' })
    expect(event?.summary).toBe(title)
  }
  for (const { id, calendar, status } of sample.calendar.filter(({ status }) => status === 2)) {
    expect(eventOf('calendar', id)?.categories, `${id} ${status}`).toEqual([calendar])
  }
  for (const { id, type, renter, renterPhone } of sample.rental) {
    const event = eventOf('rental', id)
    expect(event?.summary).toBe(`${type}: ${renter}`)
    expect(event?.description).toContain(renterPhone)
  }
})

test('shows the people on a sign-up sheet, at the time given in its text', () => {
  const times: Readonly<Record<string, readonly [string, string | undefined]>> = {
    'Sunday, 6:30 AM to noon': ['T06:30:00', 'T12:00:00'],
    '22:00': ['T22:00:00', undefined],
    'to be announced': ['', undefined],
  }
  const shown = sample.signup.filter(({ status }) => status !== 1)
  expect(read.get('signup')).toHaveLength(shown.length)
  for (const { id, title, date, eventDate, groups } of shown) {
    const event = eventOf('signup', id)
    const [start, end] = times[eventDate] ?? []
    expect(event).toMatchObject({ summary: title, start: `${date}${start}` })
    expect(event?.end).toBe(end ? `${date}${end}` : start === '' ? dayAfter(date) : undefined)
    const names = groups.flatMap(({ slots }) =>
      slots.flatMap(({ signedUp }) => signedUp.map(({ name }) => name)),
    )
    for (const name of names) expect(event?.description).toContain(name)
  }
})

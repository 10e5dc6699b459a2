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
  for (const resource of ['calendar', 'events', 'rental'] as const) {
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

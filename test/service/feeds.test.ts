import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { sharedService } from '../support/shared-service.ts'

const zone = 'America/New_York'
const sample = sampleDatasetOn('2026-03-05')

const service = sharedService()

test.for([
  { feed: 'events', records: sample.events },
  { feed: 'calendar', records: sample.calendar },
])('/$feed.ics is a valid calendar of all Online records and no others', async (expected) => {
  const { feed, records } = expected
  const response = await fetch(`${service().url}/${feed}.ics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(lintCalendar(bytes)).toEqual([])
  const { events, zones } = readCalendar(bytes.toString())
  expect(zones).toEqual([zone])
  const online = records.filter(({ status }) => status === 2)
  const uids = online.map(({ id }) => `${feed}-${id}@localhost`)
  expect(events.map(({ uid }) => uid).toSorted()).toEqual(uids.toSorted())
  expect(online.length).toBeLessThan(records.length)
})

const now = Date.parse('2026-03-05T15:00:00Z')
const newestFirst = sample.news
  .filter(
    ({ deployed, date }) => deployed === 1 && DateTime.fromSQL(date, { zone }).toMillis() <= now,
  )
  .toSorted((a, b) => (a.date < b.date ? 1 : -1))
  .slice(0, 50)
  .map(({ headline }) => headline)

const titlesIn = {
  rss: (text: string) => parseRssFeed(text).items?.map(({ title }) => title),
  atom: (text: string) => parseAtomFeed(text).entries?.map(({ title }) => title?.value),
  json: (text: string) => parseJsonFeed(text).items?.map(({ title }) => title),
}

test.for([
  ['rss', 'rss+xml'],
  ['atom', 'atom+xml'],
  ['json', 'feed+json'],
] as const)('feedsmith parses /news.%s, with the newest story first', async ([format, type]) => {
  const { headers, text } = await service().get(`news.${format}`)
  expect(headers.get('content-type')).toBe(`application/${type}; charset=utf-8`)
  expect(titlesIn[format](text)).toEqual(newestFirst)
})

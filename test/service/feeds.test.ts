import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { DateTime } from 'luxon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService } from '../support/service.ts'

const zone = 'America/New_York'
const sample = sampleDatasetOn('2026-03-05')

let dataCalls = 0
let service: Awaited<ReturnType<typeof startTestService>>

function datasetOn(today: string) {
  dataCalls += 1
  return sampleDatasetOn(today)
}

beforeAll(async () => {
  service = await startTestService({ sandbox: { datasetOn } })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`${service.url}${path}`, { headers })
}

describe.for([
  { feed: 'events', records: sample.events },
  { feed: 'calendar', records: sample.calendar },
])('/$feed.ics', ({ feed, records }) => {
  const online = records.filter(({ status }) => status === 2)

  test('returns a valid calendar', async () => {
    const response = await get(`/${feed}.ics`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(lintCalendar(Buffer.from(await response.arrayBuffer()))).toEqual([])
  })

  test('has the VTIMEZONE for its time zone', async () => {
    expect(readCalendar(await (await get(`/${feed}.ics`)).text()).zones).toEqual([zone])
  })

  test('shows all Online records and no others', async () => {
    const { events } = readCalendar(await (await get(`/${feed}.ics`)).text())
    const uids = online.map(({ id }) => `${feed}-${id}@localhost`)
    expect(new Set(events.map(({ uid }) => uid))).toEqual(new Set(uids))
    expect(events).toHaveLength(uids.length)
    expect(online.length).toBeLessThan(records.length)
  })

  test('shows timed records at their local times across both clock changes', async () => {
    const { events } = readCalendar(await (await get(`/${feed}.ics`)).text())
    const timed = online.filter(({ allDay }) => allDay === 0)
    expect(timed.length).toBeGreaterThan(20)
    for (const { id, startDate, startTime, endDate, endTime } of timed) {
      const event = events.find(({ uid }) => uid === `${feed}-${id}@localhost`)
      const start = `${startDate}T${startTime}`
      expect(event).toMatchObject({ isDate: false, start, zone })
      expect(event?.end).toBe(endTime === '' ? undefined : `${endDate}T${endTime}`)
      // The calendar's VTIMEZONE must match the IANA time zone database.
      expect(event?.startInstant).toBe(DateTime.fromISO(start, { zone }).toMillis())
    }
  })

  test('shows all-day records as dates with an exclusive end', async () => {
    const { events } = readCalendar(await (await get(`/${feed}.ics`)).text())
    const allDay = online.filter((record) => record.allDay === 1)
    expect(allDay.length).toBeGreaterThan(5)
    for (const { id, startDate, endDate } of allDay) {
      const end = DateTime.fromISO(endDate, { zone: 'utc' }).plus({ days: 1 }).toISODate()
      const event = events.find(({ uid }) => uid === `${feed}-${id}@localhost`)
      expect(event).toMatchObject({ isDate: true, start: startDate, end })
    }
  })
})

test('omits the contacts in the members’ calendar from the public feed', async () => {
  const text = await (await get('/calendar.ics')).text()
  expect(text).not.toMatch(/555-|Dana Marsh/)
})

describe('news', () => {
  const now = Date.parse('2026-03-05T15:00:00Z')
  const out = sample.news.filter(
    ({ deployed, date }) => deployed === 1 && DateTime.fromSQL(date, { zone }).toMillis() <= now,
  )
  const newestFirst = out
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))
    .slice(0, 50)
    .map(({ headline }) => headline)

  test('can be parsed by feedsmith from /news.rss, with the newest story first', async () => {
    const response = await get('/news.rss')
    expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    const { items = [] } = parseRssFeed(await response.text())
    expect(items.map(({ title }) => title)).toEqual(newestFirst)
  })

  test('can be parsed by feedsmith from /news.atom', async () => {
    const response = await get('/news.atom')
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const { entries = [] } = parseAtomFeed(await response.text())
    expect(entries).toHaveLength(newestFirst.length)
  })

  test('can be parsed by feedsmith from /news.json', async () => {
    const response = await get('/news.json')
    expect(response.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const { items = [] } = parseJsonFeed(await response.text())
    expect(items.map(({ title }) => title)).toEqual(newestFirst)
  })

  test('links a story to its page', async () => {
    const { items = [] } = parseRssFeed(await (await get('/news.rss')).text())
    const response = await fetch(items[0]?.link ?? '')
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('<h1 dir="auto">')
    expect(page).not.toContain('alert(')
  })

  test('serves no page for an unpublished story', async () => {
    const hidden = sample.news.find(({ deployed }) => deployed === 0)
    const future = sample.news.at(-1)
    expect((await get(`/news/${hidden?.id}`)).status).toBe(410)
    expect((await get(`/news/${future?.id}`)).status).toBe(410)
  })
})

describe.for(['events.ics', 'calendar.ics', 'news.rss', 'news.atom', 'news.json'])(
  '/%s',
  (path) => {
    test('returns the same bytes each time, and responds with 304 to known ETags', async () => {
      const first = await get(`/${path}`)
      const second = await get(`/${path}`)
      const bytes = Buffer.from(await first.arrayBuffer())
      expect(Buffer.from(await second.arrayBuffer()).equals(bytes)).toBe(true)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{43}-(?:gzip|br)"$/)
      const third = await get(`/${path}`, { 'if-none-match': etag })
      expect(third.status).toBe(304)
      expect(third.headers.get('etag')).toBe(etag)
      expect(await third.text()).toBe('')
    })
  },
)

test('reads each resource once, regardless of the number of concurrent subscribers', async () => {
  const before = dataCalls
  await using cold = await startTestService({ sandbox: { datasetOn } })
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => fetch(`${cold.url}/events.ics`)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(dataCalls - before).toBe(6)
})

/** Matches both kinds of sandbox tokens, and no other text in the log. */
const tokenForm = /[\w-]{43}/

test('never logs tokens', async () => {
  expect(service.lines.length).toBeGreaterThan(0)
  expect(service.refreshToken).toMatch(tokenForm)
  expect(service.lines.join('')).not.toMatch(tokenForm)
})

import { expect, test } from 'vitest'
import { createCollections } from '../../src/collections/collections.ts'
import { createLogger } from '../../src/log.ts'
import { resources } from '../../src/records/read-records.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import type { DataService, Query } from '../../src/upstream/data-service.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const minuteMs = 60_000
const site = sampleDatasetOn('2026-03-05')

/** Collections of a website that answers, fails or hangs as the test says. */
function collectionsOf() {
  const clock = createFakeClock()
  const website = {
    items: site.news as readonly unknown[],
    failure: undefined as UpstreamError | undefined,
    hangs: undefined as Promise<void> | undefined,
    readings: [] as (readonly [string, Query])[],
  }
  const dataService: DataService = {
    async readAll(endpoint, query) {
      website.readings.push([endpoint, query])
      await website.hangs
      if (website.failure) throw website.failure
      return endpoint === 'news' ? website.items : []
    },
  }
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const stopping = new AbortController()
  const collections = createCollections({
    dataService,
    clock,
    log,
    resources,
    siteTimeZone: 'America/New_York',
    freshMs: 5 * minuteMs,
    signal: stopping.signal,
  })
  const stop = async () => {
    stopping.abort()
    await collections[Symbol.asyncDispose]()
  }
  const readingsOfNews = () => website.readings.filter(([name]) => name === 'news').length
  return { clock, website, collections, stop, lines, readingsOfNews }
}

test('the first readers share one reading of the data service', async () => {
  const { collections, readingsOfNews } = collectionsOf()
  const [first, second] = await Promise.all([collections.read('news'), collections.read('news')])
  expect(first.records).toHaveLength(site.news.length)
  expect(second).toBe(first)
  expect(readingsOfNews()).toBe(1)
})

test('later readers get the copy at once, without a reading', async () => {
  const { collections, readingsOfNews, clock } = collectionsOf()
  await collections.read('news')
  await clock.advance(60 * minuteMs)
  await collections.read('news')
  expect(readingsOfNews()).toBe(1)
})

test('every collection is read again when its time is over', async () => {
  const { collections, stop, readingsOfNews, clock, website } = collectionsOf()
  collections.start()
  await clock.advance(16 * minuteMs)
  expect(readingsOfNews()).toBe(4)
  expect(new Set(website.readings.map(([name]) => name))).toEqual(
    new Set(['calendar', 'events', 'news']),
  )
  await stop()
  await clock.advance(16 * minuteMs)
  expect(readingsOfNews()).toBe(4)
})

test('calendars are asked for from 400 days back to 550 ahead of the day on the site', async () => {
  const { collections, website } = collectionsOf()
  await collections.refresh('calendar')
  expect(website.readings).toEqual([
    ['calendar', { StartDate: '2025-01-29', EndDate: '2027-09-06' }],
  ])
})

test('the last good copy stays through an outage, and readings back off', async () => {
  const { collections, stop, clock, website, readingsOfNews, lines } = collectionsOf()
  collections.start()
  await clock.advance(minuteMs)
  const good = await collections.read('news')
  website.failure = new UpstreamError('network', 'the site cannot be reached')
  await clock.advance(60 * minuteMs)
  expect(await collections.read('news')).toBe(good)
  expect(readingsOfNews()).toBeLessThan(20)
  expect(
    lines.filter((line) => line.includes('could not read the website')).length,
  ).toBeGreaterThan(0)
  website.failure = undefined
  await clock.advance(5 * minuteMs)
  expect((await collections.read('news')).fetchedAt).toBeGreaterThan(good.fetchedAt)
  await stop()
})

test('what the service asks to wait is waited', async () => {
  const { collections, stop, clock, website, readingsOfNews } = collectionsOf()
  website.failure = new UpstreamError('rate_limited', 'news: 429', { retryAfterMs: 30 * minuteMs })
  collections.start()
  await clock.advance(29 * minuteMs)
  expect(readingsOfNews()).toBe(1)
  await clock.advance(2 * minuteMs)
  expect(readingsOfNews()).toBe(2)
  await stop()
})

test('without any copy a reader is told when to come back, and causes no reading', async () => {
  const { collections, stop, clock, website, readingsOfNews } = collectionsOf()
  website.failure = new UpstreamError('network', 'the site cannot be reached')
  collections.start()
  await clock.advance(1000)
  const readings = readingsOfNews()
  await expect(collections.read('news')).rejects.toMatchObject({
    name: 'CollectionUnavailable',
    retryAfterMs: 9000,
  })
  expect(readingsOfNews()).toBe(readings)
  await stop()
})

test('many readers of the very first copy fail as one', async () => {
  const { collections, website, lines } = collectionsOf()
  website.failure = new UpstreamError('network', 'the site cannot be reached')
  const readings = Array.from({ length: 50 }, () => collections.read('news'))
  const outcomes = await Promise.allSettled(readings)
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { name: 'CollectionUnavailable', retryAfterMs: 10_000 },
    })
  }
  expect(lines.filter((line) => line.includes('could not read the website'))).toHaveLength(1)
})

test('a reader of the very first copy waits ten seconds at most', async () => {
  const { collections, clock, website } = collectionsOf()
  const hanging = Promise.withResolvers<void>()
  website.hangs = hanging.promise
  const outcome = collections.read('news').catch((error: unknown) => error)
  await clock.advance(10_000)
  expect(await outcome).toMatchObject({ name: 'CollectionUnavailable' })
  hanging.resolve()
})

test('the time of change moves with the records alone', async () => {
  const { collections, clock, website } = collectionsOf()
  const first = await collections.read('news')
  await clock.advance(minuteMs)
  await collections.refresh('news')
  const same = await collections.read('news')
  expect(same).toMatchObject({ version: first.version, changedAt: first.changedAt })
  expect(same.fetchedAt).toBeGreaterThan(first.fetchedAt)
  await clock.advance(minuteMs)
  website.items = website.items.slice(1)
  await collections.refresh('news')
  const fewer = await collections.read('news')
  expect(fewer.version).not.toBe(first.version)
  expect(fewer.changedAt).toBe(clock.now())
})

test('the version does not depend on the order in which records come', async () => {
  const { collections, website } = collectionsOf()
  const { version } = await collections.read('news')
  website.items = website.items.toReversed()
  await collections.refresh('news')
  expect((await collections.read('news')).version).toBe(version)
})

test('a bad record is left out, counted and logged; the rest is published', async () => {
  const { collections, website, lines } = collectionsOf()
  website.items = [...website.items, { id: 666, headline: 'secret 555-0199' }]
  const { records, rejected } = await collections.read('news')
  expect(records).toHaveLength(site.news.length)
  expect(rejected).toEqual([{ id: '666', reason: expect.stringContaining('date') }])
  const warning = lines.find((line) => line.includes('records left out'))
  expect(warning).toContain('666')
  expect(warning).not.toContain('555-0199')
})

import { describe, expect, test } from 'vitest'
import { frontLimits } from '../../src/hosting/front-process.ts'
import { maxRequestWaitMs } from '../../src/collections/collection.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { allResources, collectionsOf, minuteMs, sampleNews } from '../support/collections.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { isOnline } from '../../src/records/fields.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { itemsOf } from '../support/feed-text.ts'

const unreachable = new UpstreamError('unreachable', 'the site cannot be reached')

describe('the first copy', () => {
  test('is read once for all requests', async () => {
    const { collections, readingsOf } = collectionsOf()
    const [first, second] = await Promise.all([collections.read('news'), collections.read('news')])
    expect(first.records).toHaveLength(sampleNews.length)
    expect(second).toBe(first)
    expect(readingsOf('news')).toHaveLength(1)
  })

  test('is read at the highest priority as soon as a user waits for it, even if the read is already in progress', async () => {
    const { collections, website, run, hang } = collectionsOf()
    const resume = hang()
    await run()
    const [reading] = website.readings
    expect(reading?.priority()).toBe('scheduled')
    const copy = collections.read('news')
    expect(reading?.priority()).toBe('person')
    resume()
    await copy
  })

  test('makes requests wait at most eight seconds, so that the front does not give up first', async () => {
    const { collections, clock, hang } = collectionsOf()
    const resume = hang()
    const outcome = collections.read('news').catch((error: unknown) => error)
    expect(frontLimits.responseTimes.maxMs).toBeGreaterThan(maxRequestWaitMs)
    await clock.advance(8_000)
    expect(await outcome).toMatchObject({ name: 'CollectionUnavailable', retryAfterMs: 10_000 })
    resume()
  })

  test('does not make requests wait while the service is stopping', async () => {
    const { collections, stop, hang } = collectionsOf()
    const resume = hang()
    const outcome = collections.read('news').catch((error: unknown) => error)
    const stopped = stop()
    expect(await outcome).toMatchObject({ name: 'CollectionUnavailable' })
    resume()
    await stopped
  })

  test('does not make requests wait while the website is failing, and reports when the next attempt is due', async () => {
    const { collections, website, readingsOf, run } = collectionsOf()
    website.failure = unreachable
    await run(1000)
    await expect(collections.read('news')).rejects.toMatchObject({
      name: 'CollectionUnavailable',
      retryAfterMs: 9000,
    })
    expect(readingsOf('news')).toHaveLength(1)
  })

  test('fails for all waiting requests after a single failed read', async () => {
    const { collections, website, lines } = collectionsOf()
    website.failure = unreachable
    const readings = Array.from({ length: 50 }, () => collections.read('news'))
    for (const outcome of await Promise.allSettled(readings)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { name: 'CollectionUnavailable', retryAfterMs: 10_000 },
      })
    }
    expect(lines.filter((line) => line.includes('could not read the website'))).toHaveLength(1)
  })
})

describe('later reads', () => {
  test('serve the copy immediately, without an API call', async () => {
    const { collections, readingsOf, clock } = collectionsOf()
    await collections.read('news')
    await clock.advance(60 * minuteMs)
    await collections.read('news')
    expect(readingsOf('news')).toHaveLength(1)
  })

  test('refresh every collection when it is due, until the service stops', async () => {
    const { stop, readingsOf, clock, run } = collectionsOf({ resources: allResources })
    await run(16 * minuteMs)
    for (const resource of allResources) expect(readingsOf(resource)).toHaveLength(4)
    await stop()
    await clock.advance(16 * minuteMs)
    expect(readingsOf('news')).toHaveLength(4)
  })

  test('refresh an unused collection every hour, and immediately when it is used again', async () => {
    const { collections, readingsOf, clock, run } = collectionsOf()
    await run(60 * minuteMs)
    const before = readingsOf('news').length
    await clock.advance(4 * 60 * minuteMs)
    expect(readingsOf('news').length - before).toBe(4)
    expect(readingsOf('news').at(-1)?.priority()).toBe('warm-up')
    await clock.advance(30 * minuteMs)
    const later = readingsOf('news').length
    await collections.read('news')
    await clock.advance(5_000)
    expect(readingsOf('news')).toHaveLength(later + 1)
  })

  test('slow down as the daily call limit is used up', async () => {
    const { collections, readingsOf, website, run } = collectionsOf()
    website.usedToday = 4500
    await run(21 * minuteMs)
    expect(readingsOf('news')).toHaveLength(3)
    expect(collections.states()[0]?.intervalMs).toBe(10 * minuteMs)
  })

  test('request calendar entries from 400 days before to 550 days after the site’s current date', async () => {
    const { collections, website } = collectionsOf({ resources: ['calendar'] })
    await collections.read('calendar')
    expect(website.readings.map(({ query }) => query)).toEqual([
      { StartDate: '2025-01-29', EndDate: '2027-09-06' },
    ])
  })
})

describe('a failing website', () => {
  test('keeps the last good copy, and is retried at growing intervals', async () => {
    const { collections, clock, website, readingsOf, lines, run } = collectionsOf()
    await run(minuteMs)
    const good = await collections.read('news')
    website.failure = unreachable
    await clock.advance(60 * minuteMs)
    expect(await collections.read('news')).toBe(good)
    expect(readingsOf('news').length).toBeGreaterThan(50)
    expect(readingsOf('news').length).toBeLessThan(65)
    const told = lines.filter((line) => line.includes('could not read the website')).length
    expect(told).toBeGreaterThan(3)
    expect(told).toBeLessThan(8)
    website.failure = undefined
    await clock.advance(70_000)
    expect((await collections.read('news')).fetchedAt).toBeGreaterThan(good.fetchedAt)
    expect(collections.states()[0]?.failure).toBeUndefined()
  })

  test('is retried one read at a time, and read completely once a read succeeds', async () => {
    const { collections, clock, website, run } = collectionsOf({ resources: allResources })
    await run(minuteMs)
    website.failure = unreachable
    await clock.advance(24 * 60 * minuteMs)
    const during = website.readings.length
    await clock.advance(60 * minuteMs)
    expect(website.readings.length - during).toBeLessThan(62)
    website.failure = undefined
    await clock.advance(2 * minuteMs)
    for (const { kept, failure } of collections.states()) {
      expect(failure).toBeUndefined()
      expect(clock.now() - (kept?.readAt ?? 0)).toBeLessThan(2 * minuteMs)
    }
  })

  test('is still read from the remaining endpoints if only one of them fails', async () => {
    const { collections, website, readingsOf, run } = collectionsOf({ resources: allResources })
    website.failing = 'rental'
    website.failure = new UpstreamError('server_error', 'rental: 500 server_error')
    await run(60 * minuteMs)
    expect(readingsOf('news').length).toBeGreaterThanOrEqual(11)
    expect(readingsOf('rental').length).toBeLessThan(25)
    expect(collections.states().filter(({ failure }) => failure)).toHaveLength(1)
  })

  test('is not called before the end of its Retry-After period', async () => {
    const { clock, website, readingsOf, run } = collectionsOf()
    website.failure = new UpstreamError('rate_limited', 'news: 429', {
      retryAfterMs: 30 * minuteMs,
    })
    await run(29 * minuteMs)
    expect(readingsOf('news')).toHaveLength(1)
    await clock.advance(2 * minuteMs)
    expect(readingsOf('news')).toHaveLength(2)
  })
})

const hourMs = 60 * minuteMs

describe('a collection', () => {
  test('changes its modification time only when records change or are removed', async () => {
    const { collections, clock, website } = collectionsOf()
    collections.start()
    const first = await collections.read('news')
    await clock.advance(6 * minuteMs)
    const same = await collections.read('news')
    expect(same).toMatchObject({ version: first.version, changedAt: first.changedAt })
    expect(same.fetchedAt).toBeGreaterThan(first.fetchedAt)
    website.items.news = sampleNews.slice(1)
    await clock.advance(5 * minuteMs)
    const fewer = await collections.read('news')
    expect(fewer.version).not.toBe(first.version)
    expect(fewer.changedAt).toBe(fewer.fetchedAt)
    expect(fewer.ledger.get(Number(sampleNews[0]?.id))?.removedAt).toBe(fewer.fetchedAt)
  })

  test('has a version that does not depend on the order of its records', async () => {
    const { collections, website, clock } = collectionsOf()
    collections.start()
    const { version } = await collections.read('news')
    website.items.news = sampleNews.toReversed()
    await clock.advance(6 * minuteMs)
    expect((await collections.read('news')).version).toBe(version)
  })

  test('skips, counts and logs an invalid record', async () => {
    const { collections, website, lines } = collectionsOf()
    website.items.news = [...sampleNews, { id: 666, headline: 'secret 555-0199' }]
    const { records, rejected, rejectedCount } = await collections.read('news')
    expect(records).toHaveLength(sampleNews.length)
    const reason = expect.stringContaining('date')
    expect(rejected).toEqual([{ id: '666', reason, published: 'nothing' }])
    expect(rejectedCount).toBe(1)
    const warning = lines.find((line) => line.includes('values that cannot be used'))
    expect(warning).toContain('666')
    expect(warning).not.toContain('555-0199')
  })

  test('keeps the newest two thousand stories, and reports how many stories it drops', async () => {
    const { collections, website, lines } = collectionsOf()
    const story = { ...sampleNews[0], date: '2020-01-01 00:00:00' }
    const dates = ['2019-12-31 23:59:59', '2026-01-01 00:00:00']
    website.items.news = [
      ...Array.from({ length: 1999 }, (_, index) => ({ ...story, id: index + 1 })),
      ...dates.map((date, index) => ({ ...story, date, id: 5000 + index })),
    ]
    const { records, omittedCount } = await collections.read('news')
    expect(records).toHaveLength(2000)
    expect(records.at(-1)?.id).toBe(5001)
    expect(records.some(({ id }) => id === 5000)).toBe(false)
    expect(omittedCount).toBe(1)
    expect(lines.join('')).toContain('"omittedCount":1')
  })

  test('keeps the first fifty thousand events, and reports how many events it drops', async () => {
    const { collections, website } = collectionsOf()
    const days = ['2026-12-01', '2026-10-01', '2026-11-01']
    const startDate = (index: number) => days[index] ?? '2026-11-15'
    website.items.events = Array.from({ length: 50_001 }, (_, index) => ({
      id: index + 1,
      status: 2,
      title: 'Drill',
      startDate: startDate(index),
    }))
    const { records, omittedCount } = await collections.read('events')
    expect([records.length, records[0]?.id, omittedCount]).toEqual([50_000, 2, 1])
  })

  test('prefers higher ids among stories with the same date', async () => {
    const { collections, website } = collectionsOf()
    const stories = Array.from({ length: 2002 }, (_, index) => ({
      ...sampleNews[0],
      id: index + 1,
    }))
    website.items.news = stories.toReversed()
    const { records } = await collections.read('news')
    expect([records.length, records[0]?.id, records.at(-1)?.id]).toEqual([2000, 3, 2002])
  })
})

test("deletes members' contact data a day after the last link that needs it has ended", async () => {
  const resources: FeedResource[] = ['members/contacts', 'news']
  const { collections, clock, website, store } = collectionsOf({ resources })
  website.items['members/contacts'] = [{ id: 1, lastName: 'Vale' }]
  collections.start()
  await clock.advance(2 * hourMs)
  const stored = async (bucket: string) => [...(await store.documents.all(bucket)).keys()]
  resources.shift()
  await clock.advance(21 * hourMs)
  expect(await stored('items')).toEqual(['members/contacts', 'news'])
  await clock.advance(3 * hourMs)
  for (const bucket of ['collections', 'items', 'ledgers']) {
    expect([bucket, await stored(bucket)]).toEqual([bucket, ['news']])
  }
  expect(collections.copyOf('members/contacts')).toBeUndefined()
})

test("keeps members' contact data during an outage, and other collections without readers", async () => {
  const resources: FeedResource[] = ['members/contacts', 'news']
  const { clock, website, store, run } = collectionsOf({ resources })
  website.items['members/contacts'] = [{ id: 1, lastName: 'Vale' }]
  await run()
  resources.pop()
  website.failure = new UpstreamError('unreachable', 'the site cannot be reached')
  await clock.advance(48 * hourMs)
  expect([...(await store.documents.all('items')).keys()]).toEqual(['members/contacts', 'news'])
})

const gear = 'databases/2'
const items = itemsOf(sampleDatasetOn('2026-03-05'), gear)

function withGear() {
  const parts = collectionsOf({ resources: [gear, 'news'] })
  parts.website.items[gear] = items
  return parts
}

test('keeps the records of a custom database, which survive a restart', async () => {
  const { website, stop, run, startLoaded } = withGear()
  await run()
  await stop()
  expect(website.readings.find(({ endpoint }) => endpoint === 'databases')?.query).toEqual({
    DatabaseID: '2',
  })
  const restarted = await startLoaded()
  const records = restarted.collections.copyOf(gear)?.records ?? []
  expect(records).toHaveLength(120)
  const offline = records.filter((record) => !isOnline(record)).map(({ id }) => id)
  expect(offline).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const serial = { name: 'serial', title: 'Serial number', value: 'CHV-2008' }
  expect(records[8]?.fields[0]).toEqual(serial)
})

test('reads databases every hour while it reads other records every five minutes', async () => {
  const { collections, clock, website } = withGear()
  collections.start()
  for (let minute = 0; minute < 122; minute += 1) {
    collections.recordRead(gear)
    collections.recordRead('news')
    await clock.advance(minuteMs)
  }
  const count = (name: string) =>
    website.readings.filter(({ endpoint }) => endpoint === name).length
  expect({ databases: count('databases'), news: count('news') }).toEqual({ databases: 3, news: 25 })
})

test('names the endpoint that the API Project has to allow', async () => {
  const { collections, website, lines, run } = withGear()
  website.failing = 'databases' as typeof gear
  website.failure = new UpstreamError('endpoint_not_allowed', 'databases: 403')
  await run()
  expect(collections.isSwitchedOff(gear)).toBe(true)
  expect(lines.join('')).toContain('allow the endpoint databases on the API Project')
})

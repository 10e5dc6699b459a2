import { describe, expect, test } from 'vitest'
import type { FeedResource } from '../../src/records/resources.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs, sampleNews } from '../support/collections.ts'

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
    expect(rejected).toEqual([{ id: '666', reason: expect.stringContaining('date') }])
    expect(rejectedCount).toBe(1)
    const warning = lines.find((line) => line.includes('records omitted'))
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
  const { collections, clock, website, store } = collectionsOf({ resources })
  website.items['members/contacts'] = [{ id: 1, lastName: 'Vale' }]
  collections.start()
  await clock.advance(0)
  resources.pop()
  website.failure = new UpstreamError('unreachable', 'the site cannot be reached')
  await clock.advance(48 * hourMs)
  expect([...(await store.documents.all('items')).keys()]).toEqual(['members/contacts', 'news'])
})

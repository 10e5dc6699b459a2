import { expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import type { Feed } from '../../src/feeds.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { createRepresentations } from '../../src/representations/representations.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testSite } from '../support/site.ts'

/** A feed that counts its renderings and shows what the test says. */
function representationsOf(validForMs?: number) {
  const clock = createFakeClock()
  const source = { text: 'a', version: '1', renderings: 0 }
  const changedAt = clock.now() - 60_000
  const feed: Feed = {
    id: 'news',
    title: 'News',
    summary: '',
    resource: 'news',
    formats: ['rss'],
    render: (_records, { now }) => {
      source.renderings += 1
      return {
        text: source.text,
        validUntil: validForMs === undefined ? undefined : now + validForMs,
      }
    },
  }
  const collections = {
    read: <R extends FeedResource>(resource: R): Promise<Collection<R>> =>
      Promise.resolve({
        resource,
        records: [],
        rejected: [],
        rejectedCount: 0,
        omittedCount: 0,
        ledger: new Map(),
        fetchedAt: changedAt,
        changedAt,
        version: source.version,
      }),
  }
  const representations = createRepresentations(collections, testSite, clock)
  return { clock, source, changedAt, get: () => representations.get(feed, 'rss') }
}

test('is made once per version of its collection', async () => {
  const { source, get } = representationsOf()
  const first = await get()
  expect(await get()).toBe(first)
  expect(source.renderings).toBe(1)
})

test('carries a strong tag of its bytes and the time its records changed', async () => {
  const { get, changedAt } = representationsOf()
  expect(await get()).toMatchObject({
    body: Buffer.from('a'),
    contentType: 'application/rss+xml; charset=utf-8',
    etag: '"ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs"',
    lastModified: changedAt,
  })
})

test('a new version with the same text leaves tag and time as they are', async () => {
  const { source, get, clock } = representationsOf()
  const first = await get()
  source.version = '2'
  await clock.advance(60_000)
  expect(await get()).toBe(first)
  expect(source.renderings).toBe(2)
})

test('another text has another tag and a later time', async () => {
  const { source, get, clock } = representationsOf()
  const first = await get()
  await clock.advance(60_000)
  Object.assign(source, { version: '2', text: 'b' })
  const second = await get()
  expect(second.etag).not.toBe(first.etag)
  expect(second.lastModified).toBe(clock.now())
})

test('is made again when the clock makes it another', async () => {
  const { source, get, clock } = representationsOf(60_000)
  const first = await get()
  source.text = 'b'
  await clock.advance(59_999)
  expect(await get()).toBe(first)
  await clock.advance(1)
  expect((await get()).body.toString()).toBe('b')
})

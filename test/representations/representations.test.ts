import { gunzipSync } from 'node:zlib'
import { assert, expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { createRenderers, type Feed, type Variant } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { sizeOf } from '../../src/representations/representation.ts'
import { createRepresentations } from '../../src/representations/representations.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testSite } from '../support/site.ts'

/** A feed that counts its renderings and shows what the test says. */
function representationsOf(validForMs = Infinity) {
  const clock = createFakeClock()
  const source = { text: 'a', version: '1', renderings: 0 }
  const changedAt = clock.now() - 60_000
  const render: Variant['render'] = (_source, { now }) => {
    source.renderings += 1
    const validFrom = now - (now % validForMs)
    return { body: Buffer.from(source.text), validFrom, validUntil: now + validForMs }
  }
  const feed: Feed = {
    id: 'news',
    title: 'News',
    summary: '',
    resource: 'news',
    formats: ['rss'],
    variant: (query) => ({ ok: true, variant: { query: query.toString(), render } }),
    parts: () => [],
    page: () => undefined,
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
        changedAt: changedAt + Number(source.version),
        version: source.version,
      }),
  }
  const told: string[] = []
  const reviews = {
    tell: ({ id }: Feed, { version }: Collection) => void told.push(`${id} ${version}`),
  }
  const renderers = createRenderers(testSite)
  const representations = createRepresentations(collections, { renderers, reviews, clock })
  return {
    clock,
    source,
    changedAt,
    told,
    get: (query = '') => {
      const reading = feed.variant(new URLSearchParams(query), 'rss')
      if (!reading.ok) throw new TypeError(reading.reason)
      return representations.get(feed, reading.variant, 'rss')
    },
  }
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
    contentType: 'application/rss+xml; charset=utf-8',
    lastModified: changedAt + 1,
    identity: {
      coding: 'identity',
      bytes: Buffer.from('a'),
      etag: '"ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs"',
    },
  })
})

test('is compressed where that makes it smaller, with a tag of its own', async () => {
  const { source, get } = representationsOf()
  expect((await get()).compressed).toEqual([])
  const text = 'smaller '.repeat(100)
  Object.assign(source, { version: '2', text })
  const representation = await get()
  const { identity, compressed } = representation
  const [gzip] = compressed
  assert(gzip)
  expect(compressed).toHaveLength(1)
  expect(gzip.coding).toBe('gzip')
  expect(gunzipSync(gzip.bytes).toString()).toBe(text)
  expect(gzip.bytes.length).toBeLessThan(text.length)
  expect(gzip.etag).not.toBe(identity.etag)
  expect(sizeOf(representation)).toBe(identity.bytes.length + gzip.bytes.length)
})

test('a new version with the same text leaves tag and time as they are', async () => {
  const { source, get, clock } = representationsOf()
  const first = await get()
  source.version = '2'
  await clock.advance(60_000)
  expect(await get()).toBe(first)
  expect(source.renderings).toBe(2)
})

test('another text has another tag and the time that its records changed', async () => {
  const { source, get, changedAt } = representationsOf()
  const first = await get()
  Object.assign(source, { version: '2', text: 'b' })
  const second = await get()
  expect(second.identity.etag).not.toBe(first.identity.etag)
  expect(second.lastModified).toBe(changedAt + 2)
})

test('what the clock has made another has the time of that, also when made for the first time', async () => {
  const { source, get, clock } = representationsOf(3_600_000)
  await get()
  source.text = 'b'
  await clock.advance(24 * 3_600_000)
  const expected = clock.now() - (clock.now() % 3_600_000)
  expect(await get()).toMatchObject({ lastModified: expected })
  expect(await get('limit=2')).toMatchObject({ lastModified: expected })
})

test('is made again when the clock makes it another', async () => {
  const { source, get, clock } = representationsOf(60_000)
  const first = await get()
  source.text = 'b'
  await clock.advance(59_999)
  expect(await get()).toBe(first)
  await clock.advance(1)
  expect((await get()).identity.bytes.toString()).toBe('b')
})

test('is made for each variant, of which only so many bytes are kept, those used last', async () => {
  const { source, get } = representationsOf()
  source.text = 'x'.repeat(15 * 1024 * 1024)
  for (const query of ['a=1', 'a=2', 'a=3', 'a=4', 'a=1', 'a=5']) await get(query)
  expect(source.renderings).toBe(5)
  await get('a=1')
  expect(source.renderings).toBe(5)
  await get('a=2')
  expect(source.renderings).toBe(6)
})

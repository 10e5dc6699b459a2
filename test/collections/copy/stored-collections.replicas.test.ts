import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  collectionBuckets,
  createStateReader,
} from '../../../src/collections/copy/stored-collections.ts'
import { UpstreamError } from '../../../src/upstream/upstream-error.ts'
import { allResources, collectionsOf, minuteMs, sampleNews } from '../../support/collections.ts'

const unreachable = new UpstreamError('unreachable', 'the site cannot be reached')

describe('a restart', () => {
  test('loads the stored copy immediately, and refreshes it when it is due', async () => {
    const before = collectionsOf()
    before.collections.start()
    const copy = await before.collections.read('news')
    await before.clock.advance(minuteMs)
    await before.stop()
    const { collections } = before.start()
    await collections.load()
    expect(await collections.read('news')).toEqual(copy)
    collections.start()
    await before.clock.advance(3 * minuteMs)
    expect(before.readingsOf('news')).toHaveLength(1)
    await before.clock.advance(2 * minuteMs)
    expect(before.readingsOf('news')).toHaveLength(2)
  })

  test('loads how old the copy was before', async () => {
    const { collections, clock, start, stop } = collectionsOf()
    collections.start()
    await collections.read('news')
    await clock.advance(6 * minuteMs)
    await stop()
    const { ages = {} } = collections.copyOf('news') ?? {}
    expect(Object.values(ages)).toEqual([5])
    const { collections: next } = start()
    await next.load()
    expect(next.copyOf('news')?.ages).toEqual(ages)
  })

  test('rereads and stores the collection if the stored data is invalid', async () => {
    const { collections, store, clock, stop, lines, startLoaded } = collectionsOf()
    const nonsense = { bucket: 'collections', id: 'news', value: '{"version":7' }
    await store.documents.write([nonsense])
    collections.start()
    expect((await collections.read('news')).records).toHaveLength(sampleNews.length)
    await clock.advance(0)
    await stop()
    const next = await startLoaded()
    expect(next.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    expect(lines.join('')).not.toContain('cannot be used')
  })
})

describe('replicas that share a store', () => {
  test('read the website once and share the result', async () => {
    const { collections: first, start, clock, readingsOf, website } = collectionsOf()
    const second = start()
    const third = start()
    const all = [first, second.collections, third.collections]
    for (const collections of all) collections.start()
    await clock.advance(31 * minuteMs)
    expect(readingsOf('news')).toHaveLength(7)
    website.items.news = sampleNews.slice(2)
    await clock.advance(6 * minuteMs)
    for (const collections of all) {
      expect(collections.copyOf('news')).toEqual(first.copyOf('news'))
      expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length - 2)
    }
  })

  test('wait for the first copy while another replica is reading it', async () => {
    const { collections: first, start, clock, readingsOf, hang } = collectionsOf()
    const resume = hang()
    first.start()
    await clock.advance(0)
    const second = start()
    const copy = second.collections.read('news')
    await clock.advance(3_000)
    resume()
    await clock.advance(1_000)
    expect((await copy).records).toHaveLength(sampleNews.length)
    expect(readingsOf('news')).toHaveLength(1)
  })

  test('do not wait long for a replica that was killed during a read', async () => {
    const { clock, readingsOf, store, run } = collectionsOf()
    // The killed replica leaves only its lease.
    await store.leases.take('news', 'killed', 20_000)
    await run(15_000)
    expect(readingsOf('news')).toHaveLength(0)
    await clock.advance(10_000)
    expect(readingsOf('news')).toHaveLength(1)
  })

  test('leave a slow read to the replica that started it', async () => {
    const { collections: first, start, clock, readingsOf, hang } = collectionsOf()
    const resume = hang()
    first.start()
    const second = start()
    second.collections.start()
    await clock.advance(3 * minuteMs)
    expect(readingsOf('news')).toHaveLength(1)
    resume()
    await clock.advance(5_000)
    expect(second.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
  })

  test('never return to older data because a clock was ahead', async () => {
    const { collections, clock, website, store, run, startLoaded } = collectionsOf()
    await run()
    const before = await store.documents.get('collections', 'news')
    const state = JSON.parse(before?.value ?? '{}')
    const ahead = { ...state, readAt: clock.now() + 365 * 24 * 60 * minuteMs }
    const value = JSON.stringify(ahead)
    await store.documents.write([{ bucket: 'collections', id: 'news', value }])
    const second = await startLoaded()
    await clock.advance(5_000)
    website.items.news = sampleNews.slice(1)
    await clock.advance(6 * minuteMs)
    second.collections.start()
    await clock.advance(10_000)
    for (const each of [collections, second.collections]) {
      expect(each.copyOf('news')?.records).toHaveLength(sampleNews.length - 1)
    }
  })

  test('retry a failing website as rarely as a single replica', async () => {
    const { collections, start, clock, website } = collectionsOf({ resources: allResources })
    website.failure = unreachable
    const second = start()
    const third = start()
    for (const each of [collections, second.collections, third.collections]) each.start()
    await clock.advance(60 * minuteMs)
    const before = website.readings.length
    await clock.advance(60 * minuteMs)
    expect(website.readings.length - before).toBeLessThan(75)
    website.failure = undefined
    await clock.advance(2 * minuteMs)
    for (const each of [collections, second.collections, third.collections]) {
      expect(each.states().filter(({ kept, failure }) => !kept || failure)).toEqual([])
    }
  })
})

test('parses only states that have changed since the last reading', async () => {
  const { store, run } = collectionsOf({ resources: ['events', 'news'] })
  await run()
  const bucket = collectionBuckets.states
  const { documents } = store
  const read = createStateReader(documents)
  const before = await read()
  const { value = '' } = (await documents.get(bucket, 'events')) ?? {}
  await documents.write([
    { bucket, id: 'events', value: JSON.stringify({ ...JSON.parse(value), readAt: 2 }) },
  ])
  const after = await read()
  expect(after.get('news')).toBe(before.get('news'))
  expect(after.get('events')?.parsed()).toMatchObject({ readAt: 2, revision: 2 })
  await documents.write([{ bucket, id: 'events', value: undefined }])
  expect([...(await read()).keys()]).toEqual(['news'])
})

test('parses no states that it has stored itself', async () => {
  const { clock, run } = collectionsOf({ resources: ['events', 'news'] })
  await run()
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  await clock.advance(20 * minuteMs)
  expect(parse.mock.calls.filter(([text]) => text.includes('contentId'))).toEqual([])
})

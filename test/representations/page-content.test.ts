import { expect, test } from 'vitest'
import type { TimeSource } from '../../src/clock.ts'
import type { CollectionReader } from '../../src/collections/collections.ts'
import type { Collection } from '../../src/collections/collection.ts'
import { events } from '../../src/feeds/catalog/calendar-feeds.ts'
import { news } from '../../src/feeds/catalog/news-feeds.ts'
import { createRenderers, type Feed } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { createPageContent } from '../../src/representations/page-content.ts'
import { chosenForList } from '../support/chosen-options.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { oneCollection } from '../support/one-collection.ts'
import { testSite } from '../support/site.ts'

/** Returns a collection of these items, as read when tests start. */
const collectionOf = async (resource: FeedResource, items: readonly object[]) =>
  (await collectionAfter(resource, [items], createFakeClock().now())) as Collection

const contentOf = (collections: CollectionReader, clock: TimeSource, maxBytes = 1_000_000) =>
  createPageContent(collections, { renderers: createRenderers(testSite), maxBytes, clock })(
    undefined,
  )

const event = (id: number, startTime: string) => ({
  id,
  status: 2,
  deployed: 1,
  title: `Event ${id}`,
  startDate: '2026-03-05',
  endDate: '2026-03-05',
  allDay: 0,
  startTime,
  endTime: startTime.replace(':00:', ':30:'),
})

test('never evicts other overviews for searches', async () => {
  const { collections } = oneCollection(await collectionOf('events', [event(1, '10:00:00')]))
  const { overviews } = contentOf(collections, createFakeClock())
  const read = async (query: string) => {
    const chosen = chosenForList(events, query)
    await overviews.read(events, 'public', chosen)
    return () => overviews.isKnown(events, 'public', chosen)
  }
  const plain = await read('')
  const [first, ...others] = await Promise.all(
    Array.from({ length: 100 }, (_, index) => read(`q=word${index}`)),
  )
  expect([plain(), first?.(), others.at(-1)?.()]).toEqual([true, false, true])
})

async function overviewsOf(...items: readonly object[]) {
  const clock = createFakeClock()
  const { source, collections } = oneCollection(await collectionOf('events', items))
  const made = { count: 0, failure: undefined as Error | undefined }
  const feed: Feed = {
    ...events,
    overview(...args) {
      made.count += 1
      if (made.failure) throw made.failure
      return (events as Feed).overview(...args)
    },
  }
  const overviews = contentOf(collections, clock).overviews
  const titles = async (filters?: string) =>
    overviews.of(feed, 'public', chosenForList(feed, filters))?.entries.map(({ title }) => title)
  return {
    isKnown: (filters: string) => overviews.isKnown(feed, 'public', chosenForList(feed, filters)),
    clock,
    made,
    titles,
    change: async (...all: readonly object[]) => source.change(await collectionOf('events', all)),
  }
}

test('caches an overview until the records change', async () => {
  const { made, titles, change } = await overviewsOf(event(1, '12:00:00'))
  expect([await titles(), await titles(), made.count]).toEqual([['Event 1'], ['Event 1'], 1])
  await change(event(1, '12:00:00'), event(2, '11:00:00'))
  expect([await titles(), made.count]).toEqual([['Event 2', 'Event 1'], 2])
})

test('renders an overview again when it expires', async () => {
  const { clock, made, titles } = await overviewsOf(event(1, '11:00:00'), event(2, '12:00:00'))
  expect(await titles()).toEqual(['Event 1', 'Event 2'])
  const endsAt = Date.parse('2026-03-05T16:30:00Z')
  await clock.advance(endsAt - clock.now() - 1)
  expect([await titles(), made.count]).toEqual([['Event 1', 'Event 2'], 1])
  await clock.advance(1)
  expect([await titles(), made.count]).toEqual([['Event 2'], 2])
})

test('retries a failed overview on the next request', async () => {
  const { made, titles } = await overviewsOf(event(1, '12:00:00'))
  made.failure = new Error('no')
  await expect(titles()).rejects.toThrow('no')
  made.failure = undefined
  expect(await titles()).toEqual(['Event 1'])
})

test('caches an overview for each filter, and evicts the least recently used overviews', async () => {
  const { made, titles, isKnown } = await overviewsOf(event(1, '12:00:00'), {
    ...event(2, '12:00:00'),
    startDate: '2026-03-09',
    endDate: '2026-03-09',
  })
  expect([await titles(), await titles('future=1')]).toEqual([['Event 1', 'Event 2'], ['Event 1']])
  expect([await titles('future=1'), made.count]).toEqual([['Event 1'], 2])
  expect([isKnown('future=1'), isKnown('future=2')]).toEqual([true, false])
  for (let days = 10; days < 100; days += 1) {
    await titles(`future=${days}`)
    await titles('future=1')
  }
  expect(made.count).toBe(92)
  const known = ['future=1', 'future=10', 'future=99'].filter(isKnown)
  expect(known).toEqual(['future=1', 'future=99'])
})

const story = (id: number, more: object = {}) => ({
  id,
  headline: `Story ${id}`,
  date: '2026-03-01 10:00:00',
  deployed: 1,
  ...more,
})

/** Creates item pages, and records the ids of items that are rendered. */
async function pagesOf(stories: readonly object[], maxBytes = 1_000_000) {
  const { source, collections } = oneCollection(await collectionOf('news', stories))
  const made: number[] = []
  const feed: Feed = {
    ...news,
    page(source, record, context) {
      made.push(record.id)
      return (news as Feed).page(source, record, context)
    },
  }
  const clock = createFakeClock()
  const pages = contentOf(collections, clock, maxBytes).itemPages
  const read = async (id: number, profile: 'public' | 'full' = 'public') =>
    (await pages.read(feed, { id, url: `/news/${id}` }, profile))?.title
  return { clock, source, made, read }
}

test('renders a page only once for concurrent requests', async () => {
  const { read, made } = await pagesOf([story(1)])
  expect(await Promise.all([read(1), read(1), read(1)])).toEqual(['Story 1', 'Story 1', 'Story 1'])
  expect(await read(1)).toBe('Story 1')
  expect(made).toEqual([1])
  await read(1, 'full')
  expect(made).toEqual([1, 1])
})

test('renders a page again after the records change', async () => {
  const { read, made, source } = await pagesOf([story(1)])
  await read(1)
  source.change(await collectionOf('news', [story(1, { headline: 'Other' })]))
  expect(await read(1)).toBe('Other')
  expect(made).toEqual([1, 1])
})

test('renders a page again when it expires', async () => {
  const { clock, read } = await pagesOf([story(1, { date: '2026-03-06 10:00:00' })])
  expect(await read(1)).toBeUndefined()
  await clock.advance(2 * 24 * 60 * 60 * 1000)
  expect(await read(1)).toBe('Story 1')
})

test('does not render a page for a record that does not exist', async () => {
  const { read, made } = await pagesOf([story(1)])
  expect(await read(2)).toBeUndefined()
  expect(made).toEqual([])
})

test('evicts the least recently used pages to stay within the byte limit', async () => {
  const text = 'x'.repeat(10_000)
  const stories = [1, 2, 3].map((id) => story(id, { text }))
  const { read, made } = await pagesOf(stories, 50_000)
  for (const id of [1, 2, 1, 3, 1, 2]) await read(id)
  expect(made).toEqual([1, 2, 3, 2])
})

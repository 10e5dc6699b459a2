import { expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { type Feed, createRenderers } from '../../src/feeds/feed.ts'
import { createItemPages } from '../../src/representations/feed-content.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { oneCollection } from '../support/one-collection.ts'
import { testSite } from '../support/site.ts'

const clock = createFakeClock()

const story = (id: number, more: object = {}) => ({
  id,
  headline: `Story ${id}`,
  date: '2026-03-01 10:00:00',
  deployed: 1,
  ...more,
})

const collectionOf = async (stories: readonly object[]) =>
  (await collectionAfter('news', [stories], clock.now())) as Collection

function feedOf(id: string) {
  const feed = feeds.find((each) => each.id === id)
  if (!feed) throw new TypeError(`unknown feed ${id}`)
  return feed
}

const news = feedOf('news')

/** Creates item pages, and records the ids of items that are rendered. */
async function pagesOf(stories: readonly object[], maxBytes = 1_000_000) {
  const { source, collections } = oneCollection(await collectionOf(stories))
  const made: number[] = []
  const feed: Feed = {
    ...news,
    page(source, record, context) {
      made.push(record.id)
      return news.page(source, record, context)
    },
  }
  const pages = createItemPages(collections, {
    renderers: createRenderers(testSite),
    maxBytes,
    clock,
  })
  const read = async (id: number, profile: 'public' | 'full' = 'public') =>
    (await pages.read(feed, { id, url: `/news/${id}` }, profile))?.title
  return { source, made, read }
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
  source.change(await collectionOf([story(1, { headline: 'Other' })]))
  expect(await read(1)).toBe('Other')
  expect(made).toEqual([1, 1])
})

test('renders a page again when it expires', async () => {
  const { read } = await pagesOf([story(1, { date: '2026-03-06 10:00:00' })])
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
  const { read, made } = await pagesOf(
    [1, 2, 3].map((id) => story(id, { text })),
    50_000,
  )
  for (const id of [1, 2, 1, 3, 1, 2]) await read(id)
  expect(made).toEqual([1, 2, 3, 2])
})

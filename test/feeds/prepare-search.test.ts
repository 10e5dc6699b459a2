import { expect, test } from 'vitest'
import { news } from '../../src/feeds/catalog/news-feeds.ts'
import type { FeedSource, SearchContext } from '../../src/feeds/feed.ts'
import { prepareSearch } from '../../src/feeds/prepare-search.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const context = { site: testSite, profile: 'public', now } as const

const stories = Array.from({ length: 42 }, (_, index) => ({
  id: index + 1,
  deployed: 1,
  date: '2026-03-01 10:00:00',
  headline: `Story ${index}`,
  text: 'Needle',
}))

/** Returns a feed whose records take 1 ms each, and the events of its preparation. */
async function slowFeed() {
  const source = await collectionAfter('news', [stories], now)
  const events: (number | 'turn')[] = []
  let elapsed = 0
  const feed = {
    ...news,
    *searchable(all: FeedSource<'news'>, given: SearchContext) {
      for (const item of news.searchable(all, given)) {
        events.push(item.record.id)
        elapsed += 1
        yield item
      }
    },
  }
  const turns = {
    takeTurn: async () => void events.push('turn'),
    elapsedMs: () => elapsed,
  }
  return { source, events, feed, turns }
}

test('yields every few milliseconds', async () => {
  const { source, events, feed, turns } = await slowFeed()
  const list = await prepareSearch(feed, source, context, turns)
  expect(events.slice(0, 5)).toEqual([1, 2, 'turn', 3, 4])
  expect(events.slice(-2)).toEqual(['turn', 'turn'])
  expect(list.map(({ record }) => record.id)).toEqual(stories.map(({ id }) => id))
})

test('prepares the same records once, even for searches at the same time', async () => {
  const { source, events, feed, turns } = await slowFeed()
  const prepare = (profile: 'public' | 'members') =>
    prepareSearch(feed, source, { ...context, profile }, turns)
  const [list, same] = await Promise.all([prepare('public'), prepare('public'), prepare('members')])
  expect(same).toBe(list)
  expect(await prepare('public')).toBe(list)
  expect(events.filter((event) => event === 'turn')).toHaveLength(2 * 22)
})

test('keeps the lists of the last six readers', async () => {
  const { source, feed, turns } = await slowFeed()
  const prepare = (language: string) =>
    prepareSearch(feed, source, { ...context, site: { ...testSite, language } }, turns)
  const first = await prepare('0')
  for (let index = 1; index < 6; index += 1) await prepare(String(index))
  expect(await prepare('0')).toBe(first)
  await prepare('6')
  expect(await prepare('0')).not.toBe(first)
})

test('continues after a failed preparation', async () => {
  const { source, events, feed, turns } = await slowFeed()
  const broken = {
    ...feed,
    searchable: () => {
      throw new TypeError('broken')
    },
  }
  await expect(prepareSearch(broken, source, context, turns)).rejects.toThrow('broken')
  await prepareSearch(feed, source, context, turns)
  expect(events).toContain('turn')
})

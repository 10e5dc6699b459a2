import { expect, test } from 'vitest'
import { news } from '../../src/feeds/catalog/news-feeds.ts'
import type { FeedSource, SearchContext } from '../../src/feeds/feed.ts'
import { prepareSearch } from '../../src/feeds/prepare-search.ts'
import type { Search } from '../../src/search/search.ts'
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

/** Returns a feed whose slices take 3 ms per record, and the events of its preparation. */
async function slowFeed() {
  const source = await collectionAfter('news', [stories], now)
  const events: (string | number)[] = []
  let elapsed = 0
  const feed = {
    ...news,
    found(part: FeedSource<'news'>, ...rest: [Search, SearchContext]) {
      events.push(part.records.length)
      elapsed += 3 * part.records.length
      return news.found(part, ...rest)
    },
  }
  const turns = {
    takeTurn: async () => void events.push('turn'),
    elapsedMs: () => elapsed,
  }
  return { source, events, feed, turns }
}

test('yields after every few records', async () => {
  const { source, events, feed, turns } = await slowFeed()
  await prepareSearch(feed, source, context, turns)
  expect(events.slice(0, 4)).toEqual([5, 'turn', 5, 'turn'])
  const slices = events.filter((event) => typeof event === 'number')
  expect(slices.reduce((a, b) => a + b, 0)).toBe(42 + 42)
  expect(events.slice(-3)).toEqual(['turn', 42, 'turn'])
})

test('prepares the same records once, even for searches at the same time', async () => {
  const { source, events, feed, turns } = await slowFeed()
  const prepare = (profile: 'public' | 'members') =>
    prepareSearch(feed, source, { ...context, profile }, turns)
  await Promise.all([prepare('public'), prepare('public'), prepare('members')])
  await prepare('public')
  expect(events.filter((event) => event === 'turn')).toHaveLength(22)
})

test('continues after a failed preparation', async () => {
  const { source, events, feed, turns } = await slowFeed()
  const broken = {
    ...feed,
    found: () => {
      throw new TypeError('broken')
    },
  }
  await expect(prepareSearch(broken, source, context, turns)).rejects.toThrow('broken')
  await prepareSearch(feed, source, context, turns)
  expect(events).toContain('turn')
})

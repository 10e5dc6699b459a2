import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { readOptions } from '../../src/options/option.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { combinedFeed } from '../support/combined-calendar.ts'
import { collectionAfter, itemsOf } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const renderers = createRenderers(testSite)
const feed = combinedFeed('my')
const sample = sampleDatasetOn('2026-03-05')
const collections = await Promise.all(
  (['events', 'news', 'announce'] as const).map((resource) =>
    collectionAfter(resource, [itemsOf(sample, resource)], now),
  ),
)

function render(format: FeedFormat, query = '') {
  const chosen = chosenOptions(feed, format, query)
  const sources = feed.sourcesFrom(feeds, format, chosen).flatMap((source) => {
    const collection = collections.find(({ resource }) => resource === source.resource)
    return collection ? [{ feed: source, source: collection }] : []
  })
  const request = { format, profile: 'members', now, chosen } as const
  const { body, title } = atOnce(feed.render(sources, request, renderers))
  return { text: body.toString(), title }
}

const itemsIn = (query = '') => {
  const { items = [] } = parseRssFeed(render('rss', query).text)
  return items.map(({ guid, pubDate }) => ({
    kind: /:(\w+)-\d+$/.exec(guid?.value ?? '')?.[1] ?? '',
    at: Date.parse(pubDate ?? ''),
  }))
}

const kindsIn = (query: string) => [...new Set(itemsIn(query).map(({ kind }) => kind))].sort()

test('lists the items of all news feeds, latest first', () => {
  expect(render('rss').title).toBe(`${testSite.name}: My news`)
  expect(kindsIn('limit=200')).toEqual(['announcement', 'events', 'news'])
  const times = itemsIn('limit=200').map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

test('lists the same items in every format', () => {
  const count = itemsIn().length
  expect(count).toBe(50)
  expect(parseAtomFeed(render('atom').text).entries).toHaveLength(count)
  expect(parseJsonFeed(render('json').text).items).toHaveLength(count)
})

test('lists only items that match a search, as a feed of its own', () => {
  const query = 'limit=200&q=drill'
  const { text, title } = render('atom', query)
  const { id, entries = [] } = parseAtomFeed(text)
  expect(title).toBe(`${testSite.name}: My news (drill)`)
  expect(id).not.toBe(parseAtomFeed(render('atom').text).id)
  const ids = entries.map((entry) => entry.id)
  const all = parseAtomFeed(render('atom', 'limit=200').text).entries ?? []
  const matching = all.filter((entry) => /drill/i.test(JSON.stringify(entry)))
  expect(ids.length).toBeGreaterThan(0)
  expect(matching.map((entry) => entry.id)).toEqual(ids)
  expect(itemsIn('q=drill+-drill')).toEqual([])
})

test('lists only the chosen feeds and categories', () => {
  expect(kindsIn('show=announcements,news')).toEqual(['announcement', 'news'])
  const all = itemsIn('show=news&limit=200').length
  const some = itemsIn('show=news:1&limit=200').length
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(all)
})

test('keeps its id when the choice changes', () => {
  expect(parseAtomFeed(render('atom', 'show=news').text).id).toBe(
    parseAtomFeed(render('atom').text).id,
  )
})

test('accepts only feeds for feed readers', () => {
  expect(readOptions(feed.options('rss'), new URLSearchParams('show=calendar'))).toEqual({
    ok: false,
    reason:
      'show must be a list of the feeds events, news, announcements, minutes, documents, guestbook, forum, training, presentations and quizzes, and "calendar" is not one of them.',
  })
})

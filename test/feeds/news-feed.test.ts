import { parseAtomFeed } from 'feedsmith'
import { describe, expect, test } from 'vitest'
import { documents, news } from '../../src/feeds/catalog/news-feeds.ts'
import type { Profile } from '../../src/records/profile.ts'
import { collectionAfter, renderFeed, type RenderOptions } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const story = (id: number, change: object = {}) => ({
  id,
  date: '2026-03-01 10:00:00',
  headline: `Story ${id}`,
  deployed: 1,
  ...change,
})

async function feedOf(stories: readonly object[], options: Partial<RenderOptions> = {}) {
  const collection = await collectionAfter('news', [stories], now)
  const { text } = renderFeed('news', collection, { now, format: 'atom', ...options })
  const { id, title, updated, entries = [] } = parseAtomFeed(text)
  const titles = entries.map((entry) => entry.title?.value)
  const { parts } = news.overview(collection, { site: testSite, profile: 'public', now })
  return { id, title: title?.value, updated, titles, text, parts }
}

test('shows fifty items by default', async () => {
  const stories = Array.from({ length: 60 }, (_, index) => story(index + 1))
  expect((await feedOf(stories)).titles).toHaveLength(50)
  expect((await feedOf(stories, { query: 'limit=55' })).titles).toHaveLength(55)
})

test('gives each selection of items its own feed id', async () => {
  const ids = await Promise.all(
    ['', 'category=7', 'limit=3'].map(async (query) => (await feedOf([story(1)], { query })).id),
  )
  expect(new Set(ids).size).toBe(3)
})

test('selects a category by its id and shows its latest name', async () => {
  const stories = [
    story(1, { categoryId: 7, category: 'Calls' }),
    story(2, { categoryId: 8, category: 'Calls' }),
    story(3, { categoryId: 7, category: 'Incidents' }),
  ]
  const { title, titles } = await feedOf(stories, { query: 'category=7' })
  expect(new Set(titles)).toEqual(new Set(['Story 1', 'Story 3']))
  expect(title).toMatch(/: Incidents$/)
})

test('combines several categories into one feed, whose title contains their names', async () => {
  const stories = [
    story(1, { categoryId: 7, category: 'Incidents' }),
    story(2, { categoryId: 8, category: 'Awards' }),
    story(3, { categoryId: 9, category: 'Training' }),
    story(4),
  ]
  const { title, titles, id } = await feedOf(stories, { query: 'category=8,7,99' })
  expect(new Set(titles)).toEqual(new Set(['Story 1', 'Story 2']))
  expect(title).toMatch(/: Awards, Incidents$/)
  expect(id).toBe((await feedOf(stories, { query: 'category=99&category=7,8' })).id)
  expect(id).not.toBe((await feedOf(stories, { query: 'category=7' })).id)
})

test('lists the categories of shown items by name, and omits unnamed categories', async () => {
  const { parts } = await feedOf([
    story(1, { categoryId: 7, category: 'Incidents' }),
    story(2, { categoryId: 8, category: 'Awards' }),
    story(3, { categoryId: 9, category: '' }),
    story(4, { categoryId: 10, category: 'Secret', deployed: 0 }),
  ])
  expect(parts).toEqual([
    { name: 'Awards', option: 'category', id: 8 },
    { name: 'Incidents', option: 'category', id: 7 },
  ])
})

test.for([
  ['news', 'news', { deployed: 1 }, { deployed: 0 }],
  ['announcements', 'announce', { status: 2 }, { status: 1 }],
  ['events', 'events', { status: 2, startDate: '2026-03-09' }, { status: 0 }],
] as const)('lists only %s that the website shows', async ([feed, resource, shown, hidden]) => {
  const items = [shown, { ...shown, ...hidden }].map((each, index) => ({
    ...story(index + 1),
    ...each,
  }))
  const collection = await collectionAfter(resource, [items], now)
  const { text } = renderFeed(feed, collection, { now, format: 'atom' })
  expect(parseAtomFeed(text).entries).toHaveLength(1)
})

test('uses the feed’s title for an unnamed or empty category', async () => {
  const unnamed = [story(1, { categoryId: 9, category: '' })]
  expect((await feedOf(unnamed, { query: 'category=9' })).title).toMatch(/: News$/)
  expect((await feedOf(unnamed, { query: 'category=1' })).title).toMatch(/: News$/)
})

test('includes hubs only in public feeds', async () => {
  const site = { ...testSite, publicFeedIds: ['news'], hubs: ['https://hub.example/'] }
  expect((await feedOf([story(1)], { site })).text).toContain('rel="hub"')
  expect((await feedOf([story(1)], { site, profile: 'full' })).text).not.toContain('rel="hub"')
})

const updatedOf = async (items: readonly object[]) => {
  const collection = await collectionAfter('announce', [items], Date.parse('2026-03-02T00:00:00Z'))
  return parseAtomFeed(renderFeed('announcements', collection, { now, format: 'atom' }).text)
    .updated
}

test('updates a feed when an item is removed', async () => {
  const announcement = {
    id: 1,
    headline: 'Ban',
    status: 2,
    created: '2026-03-01 09:00:00',
    expires: '2026-03-04 09:00:00',
  }
  const other = { ...announcement, id: 2, expires: '' }
  expect(await updatedOf([announcement, other])).toBe('2026-03-04T14:00:00Z')
  expect(await updatedOf([announcement])).toBe('2026-03-04T14:00:00Z')
  expect(await updatedOf([])).toBe('2026-03-02T00:00:00Z')
})

describe('documents that the website does not show to everyone', () => {
  const document = { title: 'Bylaws', status: 2, public: 1, categoryId: 1, category: 'Policies' }
  const changes = [{}, { public: 0, categoryId: 2 }, { status: 1 }, { public: 0, status: 0 }]
  const items = changes.map((change, index) => ({ ...document, id: index + 1, ...change }))
  const site = { ...testSite, publicFeedIds: ['documents'] }

  async function urlsFor(profile: Profile) {
    const collection = await collectionAfter('documents', [items], now)
    const { text } = renderFeed('documents', collection, { now, format: 'atom', profile, site })
    const { entries = [] } = parseAtomFeed(text)
    return entries.flatMap(({ links = [] }) => links.map(({ href }) => href))
  }

  test('are only for feed links', async () => {
    expect(await urlsFor('public')).toEqual([`${site.publicUrl}/documents/1`])
    for (const profile of ['members', 'full'] as const) {
      const urls = [2, 1].map((id) => `${site.publicUrl}/documents/${id}`)
      expect(await urlsFor(profile)).toEqual(urls)
    }
  })

  test('are neither pages, previews nor categories for the public', async () => {
    const collection = await collectionAfter('documents', [items], now)
    const shownTo = (profile: Profile) => {
      const context = { site, profile, now }
      const { entries, board, parts } = documents.overview(collection, context)
      const { page } = documents.page(collection, { id: 2, url: '' }, context)
      return [entries.length, board.length, parts.length, page?.title]
    }
    expect(shownTo('public')).toEqual([1, 1, 1, undefined])
    expect(shownTo('members')).toEqual([2, 2, 2, 'Bylaws'])
  })
})

import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { cleanText } from '../../src/records/text.ts'
import { renderAtom } from '../../src/syndication/atom.ts'
import { cleanHtml } from '../../src/syndication/html.ts'
import { renderJsonFeed } from '../../src/syndication/json-feed.ts'
import type { NewsItem } from '../../src/syndication/news-item.ts'
import { renderRss } from '../../src/syndication/rss.ts'

const channel = {
  title: 'Cedar Hollow: News & more',
  description: 'News <stories>',
  homeUrl: 'https://cedarhollow.example/',
  feedUrl: 'https://feeds.cedarhollow.example/news.rss',
  author: 'Cedar Hollow <VFD> & Co',
}

const item: NewsItem = {
  id: 'tag:cedarhollow.example,2026:news-7',
  recordId: 7,
  url: 'https://feeds.cedarhollow.example/news/7',
  title: 'Fire <update> & more &amp; so on',
  summary: 'Nobody was hurt.',
  contentHtml: '<p>Nobody was hurt ]]> said the chief.</p>',
  author: 'J. "Jo" Reyes & Co <PIO>',
  category: 'Incidents & "more"',
  publishedAt: Date.parse('2026-03-05T15:30:00Z'),
  updatedAt: Date.parse('2026-03-06T13:00:00Z'),
}

function assertWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
}

test('RSS', () => {
  const xml = renderRss(channel, [item])
  assertWellFormed(xml)
  expect(parseRssFeed(xml)).toMatchObject({
    title: channel.title,
    description: channel.description,
    link: channel.homeUrl,
    ttl: 5,
    items: [
      {
        title: item.title,
        link: item.url,
        guid: { value: item.id, isPermaLink: false },
        pubDate: 'Thu, 05 Mar 2026 15:30:00 GMT',
        description: item.summary,
        content: { encoded: item.contentHtml },
        dc: { creators: [item.author] },
        categories: [{ name: item.category }],
      },
    ],
  })
})

test('Atom', () => {
  const xml = renderAtom(channel, [item])
  assertWellFormed(xml)
  expect(parseAtomFeed(xml)).toMatchObject({
    id: channel.feedUrl,
    updated: '2026-03-06T13:00:00.000Z',
    authors: [{ name: channel.author }],
    entries: [
      {
        id: item.id,
        title: { value: 'Fire &lt;update&gt; &amp; more &amp;amp; so on', type: 'html' },
        published: '2026-03-05T15:30:00.000Z',
        updated: '2026-03-06T13:00:00.000Z',
        authors: [{ name: item.author }],
        categories: [{ term: item.category }],
        content: { value: item.contentHtml, type: 'html' },
      },
    ],
  })
})

test('JSON Feed 1.1', () => {
  const text = renderJsonFeed(channel, [item])
  expect(parseJsonFeed(text)).toBeTruthy()
  expect(JSON.parse(text)).toEqual({
    version: 'https://jsonfeed.org/version/1.1',
    title: channel.title,
    home_page_url: channel.homeUrl,
    feed_url: channel.feedUrl,
    description: channel.description,
    authors: [{ name: channel.author }],
    items: [
      {
        id: item.id,
        url: item.url,
        title: item.title,
        summary: item.summary,
        content_html: item.contentHtml,
        date_published: '2026-03-05T15:30:00.000Z',
        date_modified: '2026-03-06T13:00:00.000Z',
        authors: [{ name: item.author }],
        tags: [item.category],
      },
    ],
  })
})

test.for([
  { name: 'RSS', render: renderRss },
  { name: 'Atom', render: renderAtom },
])('$name without items is well-formed and does not tell the time', ({ render }) => {
  const xml = render(channel, [])
  assertWellFormed(xml)
  expect(xml).toMatch(/1970/)
})

const hostile = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(']]>', '<b>', '&amp;', '&', '"', "'", '<![CDATA[', '</title>', '&#0;'),
  )
  .map(cleanText)

test('whatever the texts contain, every format is well-formed and says the same', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (title, summary, author, category) => {
      const hostileItem = {
        ...item,
        title: title || 'Untitled',
        summary,
        author,
        category,
        contentHtml: cleanHtml(`<p>${title}`, channel.homeUrl),
      }
      const hostileChannel = { ...channel, title: title || 'Untitled', author: author || 'x' }
      assertWellFormed(renderRss(hostileChannel, [hostileItem]))
      assertWellFormed(renderAtom(hostileChannel, [hostileItem]))
      const json = JSON.parse(renderJsonFeed(hostileChannel, [hostileItem]))
      expect(json.items[0].title).toBe(hostileItem.title)
    }),
    { numRuns: 300 },
  )
})

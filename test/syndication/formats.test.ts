import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import type { FeedFormat } from '../../src/feeds/feed.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { renderAtom } from '../../src/syndication/atom.ts'
import { renderJsonFeed } from '../../src/syndication/json-feed.ts'
import type { FeedItem } from '../../src/syndication/feed-item.ts'
import { renderRss } from '../../src/syndication/rss.ts'
import { renderFeed } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const channel = {
  id: 'tag:cedarhollow.example,2026:news',
  title: 'Cedar Hollow: News &amp; more',
  description: 'News <stories>',
  homeUrl: 'https://cedarhollow.example/',
  feedUrl: 'https://feeds.cedarhollow.example/news.rss',
  author: 'Cedar Hollow <VFD> & Co',
}

const item: FeedItem = {
  id: 'tag:cedarhollow.example,2026:news-7',
  recordId: 7,
  url: 'https://feeds.cedarhollow.example/news/7',
  title: 'Fire <update> & more &amp; so on',
  summary: 'Nobody was hurt.',
  contentHtml: '<p>Nobody was hurt ]]> said the chief.</p>',
  author: 'J. "Jo" Reyes &amp; Co <PIO>',
  category: 'Incidents &amp; "more"',
  pictures: [
    {
      url: 'https://cedarhollow.example/a.jpg?b=1&c=<2>',
      type: 'image/jpeg',
      title: 'Engine "1" & <crew>',
      fileSize: 33_549,
      width: 1200,
      height: 800,
    },
    {
      url: 'https://cedarhollow.example/b.png',
      type: 'image/png',
      title: '',
      fileSize: undefined,
      width: undefined,
      height: undefined,
    },
  ],
  attachments: [
    {
      url: 'https://cedarhollow.example/rules.pdf',
      type: 'application/pdf',
      title: 'Rules',
      fileSize: 18_034,
    },
  ],
  publishedAt: Date.parse('2026-03-05T15:30:00Z'),
  updatedAt: Date.parse('2026-03-06T13:00:00Z'),
  expiresAt: Infinity,
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
        enclosures: [{ url: item.pictures[0]?.url, type: 'image/jpeg', length: 33_549 }],
        media: {
          contents: [
            {
              url: item.pictures[0]?.url,
              type: 'image/jpeg',
              medium: 'image',
              width: 1200,
              height: 800,
              fileSize: 33_549,
              description: { value: item.pictures[0]?.title },
            },
            { url: item.pictures[1]?.url, type: 'image/png', medium: 'image' },
          ],
        },
      },
    ],
  })
})

test('Atom', () => {
  const xml = renderAtom(channel, [item])
  assertWellFormed(xml)
  expect(parseAtomFeed(xml)).toMatchObject({
    id: channel.id,
    title: { value: channel.title },
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
        image: item.pictures[0]?.url,
        attachments: [
          {
            url: item.pictures[0]?.url,
            mime_type: 'image/jpeg',
            title: item.pictures[0]?.title,
            size_in_bytes: 33_549,
          },
          { url: item.pictures[1]?.url, mime_type: 'image/png' },
          {
            url: item.attachments[0]?.url,
            mime_type: 'application/pdf',
            title: 'Rules',
            size_in_bytes: 18_034,
          },
        ],
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

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(']]>', '<b>', '&amp;', '&', '"', "'", '<![CDATA[', '</title>', '<a'),
  fc.constantFrom('&#0;', '&#1;', '&#xFFFE;', '&#xD800;', '<p>&#11;</p>', '', ' '),
)

const id = fc.integer({ min: 1, max: 9 })
const size = fc.oneof(fc.integer({ min: -1, max: 5000 }), fc.constantFrom('', 'wide', 1.5))
const address = fc.oneof(
  hostile,
  fc.constantFrom(
    '/files/a.jpg',
    'https://a.example/b.png?c=1&d="<>',
    '//x.example/a.gif',
    'http://a.example/a.jpg',
  ),
  fc.constantFrom(
    'javascript:alert(1)//a.jpg',
    'data:image/png,x.png',
    '<iframe src="https://www.youtube.com/embed/x">',
  ),
)

const story = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  date: fc.constantFrom('2026-03-05 10:30:00', '2026-03-08 02:30:00'),
  deployed: fc.constant(1),
  headline: hostile,
  author: hostile,
  text: hostile,
  address: hostile,
  category: hostile,
  links: fc.array(fc.record({ text: hostile, url: address }), { maxLength: 2 }),
  images: fc.array(
    fc.record({
      id,
      url: address,
      caption: hostile,
      width: size,
      height: size,
      fileSize: size,
      front: size,
    }),
    { maxLength: 2 },
  ),
  attachments: fc.array(
    fc.record({
      id,
      fileName: hostile,
      url: address,
      extension: hostile,
      fileSize: size,
      posted: hostile,
    }),
    { maxLength: 2 },
  ),
  videos: fc.array(fc.record({ id, embedCode: fc.oneof(hostile, address) }), { maxLength: 2 }),
})

test('whatever the website contains, every format is well-formed and has every story', () => {
  const site = { ...testSite, name: 'Fire <VFD> & "Co"' }
  const now = Date.parse('2026-04-01T00:00:00Z')
  fc.assert(
    fc.property(fc.array(story, { maxLength: 3 }), (stories) => {
      const { records } = readRecords('news', stories)
      const source = { records, ledger: new Map(), changedAt: now }
      const render = (format: FeedFormat) => renderFeed('news', source, { format, site, now }).text
      assertWellFormed(render('rss'))
      assertWellFormed(render('atom'))
      expect(parseRssFeed(render('rss')).items ?? []).toHaveLength(records.length)
      expect(parseAtomFeed(render('atom')).entries ?? []).toHaveLength(records.length)
      const { items } = JSON.parse(render('json')) as {
        readonly items: readonly { readonly content_html: string }[]
      }
      expect(items).toHaveLength(records.length)
      const addresses = items.flatMap(({ content_html: html }) => [
        ...html.matchAll(/<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g),
      ])
      expect(addresses.filter(([, url = '']) => !/^(?:https?|mailto|tel):/.test(url))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

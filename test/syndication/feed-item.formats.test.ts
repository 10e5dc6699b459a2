import FeedMe from 'feedme'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { renderAtom } from '../../src/syndication/atom.ts'
import { renderJsonFeed } from '../../src/syndication/json-feed.ts'
import type { FeedItem } from '../../src/syndication/feed-item.ts'
import { renderRss } from '../../src/syndication/rss.ts'
import { lintJsonFeed } from '../support/json-feed-lint.ts'
import { assertWellFormed } from '../support/well-formed.ts'

const channel = {
  id: 'tag:cedarhollow.example,2026:news',
  title: 'Cedar Hollow: News &amp; more',
  description: 'News <stories>',
  homeUrl: 'https://cedarhollow.example/',
  feedUrl: 'https://feeds.cedarhollow.example/news.rss',
  author: 'Cedar Hollow <VFD> & Co',
  icons: {
    large: 'https://feeds.cedarhollow.example/512.png',
    rss: 'https://feeds.cedarhollow.example/144.png',
    small: 'https://feeds.cedarhollow.example/32.png',
  },
  updatedAt: Date.parse('2026-03-06T14:00:00Z'),
  language: 'es-PR',
  hubs: ['https://hub.example/?a=1&b=2', 'https://other.example/'],
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

test('renders RSS', () => {
  const xml = renderRss(channel, [item])
  assertWellFormed(xml)
  expect(parseRssFeed(xml)).toMatchObject({
    title: 'Cedar Hollow: News &amp;amp; more',
    description: 'News &lt;stories&gt;',
    link: channel.homeUrl,
    ttl: 5,
    language: 'es-PR',
    dc: { creators: ['Cedar Hollow &lt;VFD&gt; &amp; Co'] },
    atom: {
      links: [
        { href: channel.feedUrl, rel: 'self', type: 'application/rss+xml' },
        { href: channel.hubs[0], rel: 'hub' },
      ],
    },
    items: [
      {
        title: 'Fire &lt;update&gt; &amp; more &amp;amp; so on',
        link: item.url,
        guid: { value: item.id, isPermaLink: false },
        pubDate: 'Thu, 05 Mar 2026 15:30:00 GMT',
        description: item.summary,
        content: { encoded: item.contentHtml },
        dc: { creators: ['J. "Jo" Reyes &amp;amp; Co &lt;PIO&gt;'] },
        categories: [{ name: 'Incidents &amp;amp; "more"' }],
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

test.for([
  ['no items', []],
  ['an item without HTML', [{ ...item, contentHtml: '', pictures: [] }]],
  ['an item with pictures only', [{ ...item, contentHtml: '' }]],
] as const)('names the author of an RSS channel with %s', ([, items]) => {
  const xml = renderRss(channel, items)
  assertWellFormed(xml)
  expect(xml.split('xmlns:dc=')).toHaveLength(2)
  expect(parseRssFeed(xml).dc?.creators).toHaveLength(1)
})

test.for([
  ['<p>Win $$$ tonight</p>', '<p>Win &#36;&#36;$ tonight</p>'],
  ["<p>$&amp; $' $` $1 $</p>", "<p>&#36;&amp; &#36;' &#36;` $1 $</p>"],
  [
    '<a href="https://a.example/?$&amp;b">$5</a>',
    '<a href="https://a.example/?&#36;&amp;b">$5</a>',
  ],
] as const)('writes %s without patterns of String.replace', ([contentHtml, written]) => {
  const items = [{ ...item, contentHtml }]
  const [rss, atom] = [renderRss(channel, items), renderAtom(channel, items)]
  expect(parseRssFeed(rss).items?.[0]?.content?.encoded).toBe(written)
  expect(parseAtomFeed(atom).entries?.[0]?.content?.value).toBe(written)
  // How Thunderbird fills its template.
  expect('<html>%CONTENT%</html>'.replace('%CONTENT%', written)).toBe(`<html>${written}</html>`)
})

test('escapes every CDATA end marker in RSS', () => {
  const text = 'a ]]> b ]]> c ]]>]]> d'
  const xml = renderRss(channel, [{ ...item, title: text, summary: text }])
  assertWellFormed(xml)
  expect(parseRssFeed(xml).items?.[0]).toMatchObject({ title: text, description: text })
})

test('renders Atom', () => {
  const xml = renderAtom(channel, [item])
  assertWellFormed(xml)
  expect(parseAtomFeed(xml)).toMatchObject({
    id: channel.id,
    title: { value: channel.title },
    updated: '2026-03-06T14:00:00Z',
    authors: [{ name: channel.author }],
    links: [
      { href: channel.homeUrl, rel: 'alternate' },
      { href: channel.feedUrl, rel: 'self' },
      { href: channel.hubs[0], rel: 'hub' },
    ],
    entries: [
      {
        id: item.id,
        title: { value: item.title, type: 'text' },
        summary: { value: item.summary, type: 'text' },
        published: '2026-03-05T15:30:00Z',
        updated: '2026-03-06T13:00:00Z',
        authors: [{ name: item.author }],
        categories: [{ term: item.category }],
        content: { value: item.contentHtml, type: 'html' },
        // For a.jpg, the `feed` package would write the type `image/jpg`.
        links: [{ href: item.url }],
      },
    ],
  })
})

test.for([
  'Fire <update> & more &amp; so on',
  '<script>alert(1)</script> ]]> x',
  '</title><summary type="html"><![CDATA[<b>x</b>]]></summary>',
  'a $& b $1 c',
])('writes Atom titles and summaries as text: %s', (text) => {
  // The content is unchanged, even if it quotes Atom.
  const contentHtml =
    '<pre>&lt;title type="html"><![CDATA[x</pre><title type="html">x</title><updated>2026-03-06T13:00:00.000Z</updated>'
  const xml = renderAtom(channel, [{ ...item, title: text, summary: text, contentHtml }, item])
  assertWellFormed(xml)
  const [entry, next] = parseAtomFeed(xml).entries ?? []
  expect(entry).toMatchObject({
    title: { value: text, type: 'text' },
    summary: { value: text, type: 'text' },
    content: { value: contentHtml, type: 'html' },
  })
  expect(next?.title).toEqual({ value: item.title, type: 'text' })
  const titles: unknown[] = []
  const reader = new FeedMe()
  reader.on('item', ({ title }) => void titles.push(title))
  reader.end(xml)
  expect(titles).toEqual([text, item.title])
})

test('encloses the first picture in Atom if its URL reveals its type', () => {
  const pictures = item.pictures.toReversed()
  expect(parseAtomFeed(renderAtom(channel, [{ ...item, pictures }])).entries?.[0]?.links).toEqual([
    { href: item.url },
    { href: pictures[0]?.url, rel: 'enclosure', type: 'image/png' },
  ])
})

test('renders items as JSON Feed 1.1', () => {
  const text = renderJsonFeed(channel, [item])
  expect(parseJsonFeed(text)).toBeTruthy()
  expect(lintJsonFeed(text)).toEqual([])
  expect(JSON.parse(text)).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    title: channel.title,
    home_page_url: channel.homeUrl,
    feed_url: channel.feedUrl,
    description: channel.description,
    icon: channel.icons.large,
    favicon: channel.icons.small,
    language: 'es-PR',
    authors: [{ name: channel.author }],
    hubs: channel.hubs.map((url) => ({ type: 'WebSub', url })),
    items: [{ image: item.pictures[0]?.url, banner_image: item.pictures[0]?.url }],
  })
})

test.for([
  { name: 'RSS', render: renderRss },
  { name: 'Atom', render: renderAtom },
])('renders well-formed $name with an update time, even if there are no items', ({ render }) => {
  const xml = render(channel, [])
  assertWellFormed(xml)
  expect(xml).toMatch(/2026-03-06T14:00:00|06 Mar 2026 14:00:00/)
})

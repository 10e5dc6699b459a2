import fc from 'fast-check'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { siteFrom } from '../../src/feeds/site.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { hostileText } from '../support/hostile-text.ts'
import { lintJsonFeed } from '../support/json-feed-lint.ts'
import { testSite } from '../support/site.ts'
import { assertWellFormed } from '../support/well-formed.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const id = fc.integer({ min: 1, max: 9 })
const size = fc.oneof(fc.integer({ min: -1, max: 5000 }), fc.constantFrom('', 'wide', 1.5))
const markup = fc.oneof(
  fc.constantFrom(']]>', '<b>', '&amp;', '&', '"', "'", '<![CDATA[', '</title>', '<a', '&#xD800;'),
  fc.constantFrom('<p>&#11;</p>', '<script>alert(1)</script>', '<img src=x onerror=alert(1)>'),
  fc.constantFrom('<a href="/x">y</a>', '<svg onload=x>'),
)
const anything = fc.oneof(hostileText, markup, fc.jsonValue({ maxDepth: 1 }))
const address = fc.oneof(
  anything,
  fc.constantFrom('/files/a.jpg', 'https://a.example/b.png?c=1&d="<>', '//x.example/a.gif'),
  fc.constantFrom('javascript:alert(1)//a.jpg', 'data:image/png,x.png', 'http://a.example/a.jpg'),
  fc.constantFrom('<iframe src="https://www.youtube.com/embed/x">', '/a.constructor'),
)
const dateTime = fc.constantFrom(
  '2026-03-05 09:30:00',
  '2026-03-08 02:30:00',
  '1900-01-01 00:00:00',
  '2026-01-01',
)
const listOf = (thing: object) => fc.array(fc.record(thing as never), { maxLength: 2 })

const texts =
  'headline title author text address units mutualAid category location contact endDate modified createdBy'
const record = fc.record({
  ...Object.fromEntries(texts.split(' ').map((name) => [name, anything])),
  id,
  date: dateTime,
  deployed: fc.constantFrom(0, 1),
  status: fc.constantFrom(0, 1, 2),
  categoryId: fc.oneof(id, anything),
  startDate: fc.constantFrom('2026-03-05', '2026-03-08'),
  allDay: fc.constantFrom(0, 1),
  startTime: fc.constantFrom('', '02:30'),
  expires: fc.oneof(dateTime, fc.constant('')),
  created: fc.oneof(dateTime, anything),
  featured: fc.constantFrom(0, 1),
  links: listOf({ text: anything, url: address }),
  images: listOf({
    id,
    url: address,
    caption: anything,
    width: size,
    height: size,
    fileSize: size,
    front: size,
  }),
  attachments: listOf({ id, fileName: anything, url: address, fileSize: size }),
  videos: listOf({ id, embedCode: address }),
})

const requests = fc.record({
  query: fc.constantFrom('', 'limit=1', 'content=summary', 'category=3', 'featured=1'),
  name: hostileText,
})

/** Returns all executable markup and broken links in a feed. */
function faultsOf(html: string): readonly string[] {
  const tags = html.match(/<[^>]*>/g) ?? []
  const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url)
  return [
    ...tags.filter((tag) => /\son\w+\s*=|<(?:script|iframe|svg|style|object|form)/i.test(tag)),
    ...addresses.filter((url) => !/^(?:https?|mailto|tel):/.test(url)),
  ]
}

test.for([
  ['news', 'news'],
  ['announcements', 'announce'],
  ['events', 'events'],
] as const)(
  'renders any %s records as well-formed, valid and harmless feeds',
  { timeout: 120_000 },
  async ([feed, resource]) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { maxLength: 4 }), { minLength: 1, maxLength: 2 }),
        requests,
        async (readings, { query, name }) => {
          const collection = await collectionAfter(resource, readings, now)
          const hubs = ['https://hub.example/?a=1&b=2']
          const site = siteFrom({ ...testSite, name }, { ...testSite, hubs })
          const render = (format: 'rss' | 'atom' | 'json') =>
            renderFeed(feed, collection, { now, site, query, format }).text
          assertWellFormed(render('rss'))
          assertWellFormed(render('atom'))
          expect(lintJsonFeed(render('json'))).toEqual([])
          const { items } = JSON.parse(render('json')) as {
            readonly items: readonly { readonly content_html: string }[]
          }
          const rss = parseRssFeed(render('rss')).items ?? []
          const atom = parseAtomFeed(render('atom')).entries ?? []
          expect([rss.length, atom.length]).toEqual([items.length, items.length])
          const contents = [
            ...items.map(({ content_html: html }) => html),
            ...rss.map(({ content }) => content?.encoded ?? ''),
            ...atom.map(({ content }) => content?.value ?? ''),
          ]
          expect(contents.flatMap(faultsOf)).toEqual([])
          const enclosures = rss.flatMap(({ enclosures: each = [] }) => each)
          expect(enclosures.filter(({ url = '' }) => !url.startsWith('https://'))).toEqual([])
          expect(new Set(atom.map(({ id: entryId }) => entryId)).size).toBe(atom.length)
          expect(render('rss')).toBe(render('rss'))
        },
      ),
      { numRuns: 75 },
    )
  },
)

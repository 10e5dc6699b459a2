import fc from 'fast-check'
import FeedMe from 'feedme'
import { parseRssFeed } from 'feedsmith'
import { convert } from 'html-to-text'
import { expect, test } from 'vitest'
import { renderBoardRss } from '../../src/feeds/board-rss.ts'
import { siteFrom } from '../../src/feeds/site.ts'
import { cleanText } from '../../src/text/text.ts'
import { boardItem } from '../../src/signage/board-item.ts'
import { itemDefaults, type FeedItem } from '../../src/syndication/feed-item.ts'
import { renderRss } from '../../src/syndication/rss.ts'
import { hostileText } from '../support/hostile-text.ts'
import { testSite } from '../support/site.ts'
import { assertWellFormed } from '../support/well-formed.ts'

/* Most feed readers treat titles and descriptions as HTML. Some also strip tags from names and categories. */

const now = Date.parse('2026-03-05T15:00:00Z')

const picture = {
  url: 'https://cedarhollow.example/files/a.jpg',
  type: 'image/jpeg',
  fileSize: 1,
  width: undefined,
  height: undefined,
}

function rssWith(text: string): string {
  const channel = {
    id: 'tag:cedarhollow.example,2026:news',
    title: text,
    description: text,
    homeUrl: 'https://cedarhollow.example/',
    author: text,
    updatedAt: now,
    language: 'en-US',
  }
  const item: FeedItem = {
    ...itemDefaults,
    id: 'tag:cedarhollow.example,2026:news-7',
    recordId: 7,
    url: 'https://feeds.cedarhollow.example/news/7',
    title: text,
    summary: text,
    contentHtml: '<p>Text</p>',
    author: text,
    category: text,
    pictures: [{ ...picture, title: text }],
    publishedAt: now,
    updatedAt: now,
  }
  return renderRss(channel, [item])
}

function boardRssWith(text: string): string {
  const item = boardItem({
    id: 'news-7',
    kind: 'news',
    role: 'story',
    title: text,
    text,
    category: text,
    when: 'Thursday',
    start: '2026-03-05T09:00:00',
    end: null,
  })
  return renderBoardRss([item], { site: siteFrom({ ...testSite, name: text }, testSite), now })
}

test('gives every item of a board a link of its own', () => {
  const shown = { title: 'Text', when: 'Thursday', end: null } as const
  const change = {
    ...shown,
    kind: 'changes',
    role: 'changes',
    start: '2026-03-05T09:00:00',
  } as const
  const emergency = { ...shown, id: 'emergency', kind: 'emergency', role: 'emergency' } as const
  const items = [
    boardItem({ ...change, id: 'changes-calendar-7-1772377200-2' }),
    boardItem({ ...change, id: 'changes-calendar-8-1772377200-2' }),
    boardItem({ ...emergency, start: '2026-03-05T09:00:00' }),
    boardItem({ ...emergency, start: '2026-03-06T09:00:00' }),
  ]
  const rss = renderBoardRss(items, { site: testSite, now })
  expect(parseRssFeed(rss).items?.map(({ link }) => link)).toEqual([
    `${testSite.url}/#changes-calendar-7-1772377200-2`,
    `${testSite.url}/#changes-calendar-8-1772377200-2`,
    `${testSite.url}/#emergency-2026-03-05T09:00:00`,
    `${testSite.url}/#emergency-2026-03-06T09:00:00`,
  ])
})

type Fields = Readonly<Record<string, unknown>>

function fieldsBy(parser: 'feedsmith' | 'feedme', xml: string): readonly Fields[] {
  assertWellFormed(xml)
  if (parser === 'feedsmith') {
    const { title, description, items = [] } = parseRssFeed(xml)
    const [item] = items
    return [
      { title, description },
      {
        title: item?.title,
        description: item?.description,
        category: item?.categories?.[0]?.name,
        creator: item?.dc?.creators?.[0],
      },
    ]
  }
  const channel: Record<string, unknown> = {}
  const items: Fields[] = []
  const reader = new FeedMe()
  reader.on('title', (title) => void (channel['title'] = title))
  reader.on('description', (description) => void (channel['description'] = description))
  reader.on('item', ({ title, description, category, 'dc:creator': creator }) => {
    items.push({ title, description, category, creator })
  })
  reader.end(xml)
  return [channel, ...items]
}

const textOfHtml = (html: unknown) => convert(String(html), { wordwrap: false })

const valuesOf = (fields: readonly Fields[]) =>
  fields.flatMap((each) => Object.values(each).filter((value) => value !== undefined))

const parsers = ['feedsmith', 'feedme'] as const

test.for([
  '<script>alert(1)</script>',
  'Fire <update> & more',
  'How to write &lt; and &#60; and &copy in HTML',
  'I <3 Cedar Hollow',
  '5 < 6 & 7 > 6',
  'a <b>bold</b> ]]> claim',
  '<![CDATA[x]]>',
])('shows %s as text in readers that treat the field as HTML', (text) => {
  for (const parser of parsers) {
    const values = valuesOf(fieldsBy(parser, rssWith(text)))
    expect(values).toHaveLength(6)
    for (const value of values) {
      expect(value).toEqual(expect.not.stringContaining('<'))
      expect(textOfHtml(value)).toBe(text)
    }
    const [channel, item] = fieldsBy(parser, boardRssWith(text))
    expect(textOfHtml(channel?.['title'])).toBe(text)
    for (const name of ['title', 'description', 'category']) {
      expect(textOfHtml(item?.[name])).toBe(text)
    }
  }
})

test.for(['Bill & Ted', 'AT&T', 'Hose "A" -> hydrant', 'Q&A; R&D', "It's 5 & 6", 'a ]]> b'])(
  'leaves %s unchanged for readers that treat the field as text',
  (text) => {
    for (const parser of parsers) {
      const values = valuesOf(fieldsBy(parser, rssWith(text)))
      expect(values).toEqual(Array.from({ length: 6 }, () => text))
      for (const value of values) expect(textOfHtml(value)).toBe(text)
    }
  },
)

test('writes any text so that it decodes to the same text', () => {
  const oneLine = hostileText
    .map((text) => cleanText(text).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
  fc.assert(
    fc.property(oneLine, (text) => {
      for (const value of valuesOf(fieldsBy('feedsmith', rssWith(text)))) {
        expect(textOfHtml(value).trim()).toBe(text)
      }
    }),
    { numRuns: 300 },
  )
})

test('shows a caption with a literal character reference as it is', () => {
  const rss = rssWith('Engine &amp; crew')
  expect(/<media:description>(.*?)<\/media:description>/.exec(rss)?.[1]).toBe(
    'Engine &amp;amp; crew',
  )
})

test('shortens titles for the screens of signage players', () => {
  const text = boardRssWith(`${'x'.repeat(130)}y`)
  const item = parseRssFeed(text).items?.[0]
  expect(item?.title).toBe('x'.repeat(130))
})

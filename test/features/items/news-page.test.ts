import { expect, test } from 'vitest'
import { newSearches } from '../../../src/web/context.ts'
import { storiesIn } from '../../../src/features/items/news-page.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sharedPages } from '../../support/shared-service.ts'
import { startTestService } from '../../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [story] = sample.news
if (!story) throw new TypeError('an empty sample')

const plain = { ...story, deployed: 1 as const, images: [], attachments: [], videos: [], links: [] }
const dataset = {
  ...sample,
  news: [
    ...Array.from({ length: 25 }, (_, index) => ({
      ...plain,
      id: 100 + index,
      headline: `Story ${index}`,
      date: `2026-01-${String(index + 1).padStart(2, '0')} 12:00:00`,
      categoryId: 1,
      category: 'Incidents',
    })),
    {
      ...plain,
      id: 7,
      headline: 'Café <b>reopens</b> & more',
      date: '2026-03-04 12:00:00',
      categoryId: 2,
      category: 'Town',
    },
    { ...plain, id: 8, headline: 'Tomorrow', date: '2026-03-06 12:00:00' },
    { ...plain, id: 9, headline: 'Draft', deployed: 0 as const },
  ],
}

const { get } = sharedPages(dataset)

const titlesIn = (text: string) =>
  [...text.matchAll(/<strong[^>]*>(.+?)<\/strong>/g)].map(([, title]) =>
    title?.replaceAll(/<\/?mark>/g, ''),
  )

test('lists stories on pages, newest first', async () => {
  const { text } = await get('news')
  expect(titlesIn(text)).toHaveLength(20)
  expect(titlesIn(text).slice(0, 2)).toEqual(['Café reopens &amp; more', 'Story 24'])
  expect(text).toContain('Yesterday · Town')
  expect(text).toContain('rel="next" href="news?page=2"')
  const second = await get('news?page=2')
  expect(titlesIn(second.text)).toHaveLength(6)
  expect(second.text).not.toContain('rel="next"')
})

test.for([
  ['news?category=2', ['Café reopens &amp; more'], '1 story'],
  ['news?month=2026-03', ['Café reopens &amp; more'], 'from March 2026'],
  ['news?q=cafe+REOPENS', ['Café reopens &amp; more'], 'with “cafe REOPENS”'],
  ['news?q=story+24', ['Story 24'], '1 story'],
  ['news?q="reopens+%26+more"', ['Café reopens &amp; more'], '<mark>reopens &amp; more</mark>'],
  ['news?q=story+-24+-23+12', ['Story 12'], '<mark>Story</mark> <mark>12</mark>'],
  ['news?category=1&q=cafe', [], '0 stories'],
  ['news?q=tomorrow', [], '0 stories'],
  ['news?q=draft', [], '0 stories'],
  ['news?q=%3Cscript%3E', [], '“&lt;script&gt;”'],
] as const)('finds stories for %s', async ([path, titles, words]) => {
  const { status, text } = await get(path)
  expect(status).toBe(200)
  expect(titlesIn(text)).toEqual(titles)
  expect(text).toContain(words)
  expect(text).toContain('<a href="news">Show all</a>')
})

test('keeps the other choices in its links', async () => {
  const { text } = await get('news?category=1&q=story')
  expect((await get('news?q=story')).text).toContain('href="news?month=2026-01&amp;q=story"')
  expect(text).toContain('href="news?category=2&amp;q=story"')
  expect(text).toContain('href="news?category=1&amp;q=story&amp;page=2"')
  expect(text).toContain('href="news.rss?category=1&amp;q=story"')
})

test('lists title matches before text matches, and shows the words', async () => {
  const texts = [
    { id: 1, headline: 'Old', text: '<p>Long ago,</p><p>a <i>nee</i>dle &lt;b&gt;</p>' },
    { id: 2, headline: 'Needle', text: 'Thread', date: '2026-01-01 12:00:00' },
    { id: 3, headline: 'Other', category: 'Needles', date: '2026-01-02 12:00:00' },
    { id: 4, headline: 'New', author: 'N. E. Edle', text: `${'x '.repeat(2_000)} needle` },
    { id: 5, headline: 'Unrelated', text: 'Thread' },
  ].map((each) => ({ ...plain, date: '2026-02-01 12:00:00', text: '', ...each }))
  await using part = await startTestService({
    publicFeedIds: ['news'],
    sandbox: { datasetOn: () => ({ ...sample, news: texts }) },
  })
  await fetch(`${part.url}/news.rss`)
  const { text } = await get('news?q=needle', `${part.url}/`)
  expect(titlesIn(text)).toEqual(['Needle', 'Other', 'New', 'Old'])
  expect(text).toContain('Long ago, a <mark>needle</mark> &lt;b&gt;<')
  expect(text).toMatch(/… (?:x )+<mark>needle<\/mark></)
})

test('limits the searches of a client', async () => {
  await using part = await startTestService({ publicFeedIds: ['news'] })
  await fetch(`${part.url}/news.rss`)
  const statuses: number[] = []
  while (statuses.length < newSearches.burst + 1) {
    statuses.push((await get(`news?q=${statuses.length}`, `${part.url}/`)).status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(newSearches.burst)
  expect(statuses.at(-1)).toBe(429)
})

test.for([
  ['news?month=2026-13', 'month must be a year and a number, like 2026-11.'],
  ['news?category=x', 'category must be'],
  ['news?page=0', 'page must be a whole number from 1 to 500.'],
  [`news?q=${'x'.repeat(101)}`, 'q must be at most 100 characters and 8 words.'],
  ['news?q=1+2+3+4+5+6+7+8+9', 'q must be at most 100 characters and 8 words.'],
] as const)('answers %s with a sentence', async ([path, sentence]) => {
  const { status, text } = await get(path)
  expect(status).toBe(400)
  expect(text).toContain(sentence)
})

test('exists below a link even if news are private', async () => {
  await using part = await startTestService({ publicFeedIds: ['events'] })
  const link = await part.addLink({})
  await fetch(`${link}news.rss`)
  expect((await get('news', `${part.url}/`)).status).toBe(404)
  expect((await get('news', link)).text).toContain('class="story')
})

test('makes only the stories that it shows, because that is expensive', () => {
  const made: number[] = []
  const drafts = Array.from({ length: 100 }, (_, recordId) => ({
    recordId,
    publishedAt: recordId,
    expiresAt: Infinity,
    title: () => `Drill ${recordId}`,
    make: () => void made.push(recordId),
  }))
  const ranks = new Map(drafts.flatMap(({ recordId: id }) => (id % 4 === 0 ? [[id, id % 8]] : [])))
  const { stories, count } = storiesIn(
    drafts as unknown as Parameters<typeof storiesIn>[0],
    { month: undefined, page: 1, ranks },
    { now: 100, timeZone: 'America/New_York' },
  )
  expect([count, stories.length]).toEqual([25, 20])
  const newestFirst = Array.from({ length: 25 }, (_, index) => 96 - 4 * index)
  const best = newestFirst.filter((id) => id % 8 === 0)
  const others = newestFirst.filter((id) => id % 8 !== 0)
  expect(made).toEqual([...best, ...others].slice(0, 20))
})

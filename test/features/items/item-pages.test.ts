import supertest from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { maxNesting } from '../../../src/text/markup.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { startTestService } from '../../support/service.ts'

const hostile = `Fire </script><script>alert("1")</script> & 'more' <b>`
const sample = sampleDatasetOn('2026-03-05')
const [story] = sample.news
if (!story) throw new TypeError('an empty sample')

const dataset = {
  ...sample,
  news: [
    { ...story, id: 7, headline: hostile, author: hostile, deployed: 1 as const },
    { ...story, id: 8, date: '2026-03-05 12:00:00', deployed: 1 as const },
    { ...story, id: 9, deployed: 0 as const },
    ...sample.news.filter(({ images }) => images.length > 0).slice(0, 3),
  ],
  events: [
    sampleEvent(7, '2026-03-08T08:00:00', '2026-03-08T11:30:00', {
      title: hostile,
      location: hostile,
      text: hostile,
    }),
    sampleEvent(8, '2026-03-08', '2026-03-09'),
  ],
}

const service = await startTestService({ sandbox: { datasetOn: () => dataset } })
afterAll(() => service[Symbol.asyncDispose]())
const http = supertest(service.url)
await http.get('/news.rss').expect(200)
await http.get('/events.ics').expect(200)

async function pageOf(path: string) {
  const { text } = await http
    .get(path)
    .expect(200)
    .expect('Content-Type', /^text\/html/)
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
  const meta = (property: string) =>
    new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(text)?.[1]
  return { text, meta, data: JSON.parse(data) as Record<string, unknown> }
}

test('has metadata of a story for previews and search engines', async () => {
  const { text, meta, data } = await pageOf('/news/7')
  const url = `${service.url}/news/7`
  expect(text).toContain(`<link rel="canonical" href="${url}">`)
  expect(text).toContain('<a href="../news">All news</a>')
  expect(meta('og:type')).toBe('article')
  expect(meta('og:url')).toBe(url)
  expect(meta('og:title')).toContain('Fire')
  expect(meta('description')).toBe(meta('og:description'))
  expect(data).toMatchObject({
    '@type': 'NewsArticle',
    mainEntityOfPage: url,
    publisher: { name: 'Cedar Hollow Volunteer Fire Department' },
  })
  expect(data['datePublished']).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}-0[45]:00$/)
})

test('shows the picture of a story in previews', async () => {
  const withPicture = dataset.news.find(
    ({ images, deployed }) => images.length > 0 && deployed === 1,
  )
  const { meta, data } = await pageOf(`/news/${withPicture?.id}`)
  expect(meta('og:image')).toMatch(/^https:.*\.jpg$/)
  expect(data['image']).toEqual([meta('og:image')])
  expect(Date.parse(String(data['dateModified']))).toBeGreaterThanOrEqual(
    Date.parse(String(data['datePublished'])),
  )
})

test('links to the news feed for feed readers', async () => {
  const { text } = await pageOf('/news/7')
  for (const [type, file] of [
    ['rss+xml" title="News (RSS)', 'news.rss'],
    ['atom+xml" title="News (Atom)', 'news.atom'],
    ['feed+json" title="News (JSON Feed)', 'news.json'],
  ])
    expect(text).toContain(`type="application/${type}" href="${service.url}/${file}">`)
})

test.for(['/news/8', '/news/9', '/news/6'])(
  'says that a story is not on the website, whether it is unpublished or deleted: %s',
  async (path) => {
    const { text } = await http.get(path).expect(410).expect('Cache-Control', 'no-store')
    expect(text).toContain('This is no longer on the website')
    expect(text).toMatch(/<a class="ev" href="\d+">/)
  },
)

test('describes the days of an event to search engines, and links to its calendar', async () => {
  const { text, data } = await pageOf('/events/8')
  expect(data).toMatchObject({ startDate: '2026-03-08', endDate: '2026-03-09' })
  expect(text).toContain(
    `<link rel="alternate" type="text/calendar" title="Events (calendar)" href="${service.url}/events.ics">`,
  )
})

test.for(['/news/7', '/events/7'])('never runs code from records on %s', async (path) => {
  const { text } = await pageOf(path)
  const scripts = text
    .match(/<script[^>]*>/g)
    ?.filter((tag) => !/^<script type="module" src="\/assets\/[\w.-]+">$/.test(tag))
  expect(scripts).toEqual(['<script type="application/ld+json">'])
  expect(text).not.toMatch(/alert\("/)
})

test('flattens thousands of nested elements in a story, both on its page and in every feed', async () => {
  // Some parsers take ten seconds to parse this story.
  const text = `${'<div>'.repeat(20_000)}Deep down${'</p>'.repeat(20_000)}`
  const news = [{ ...story, id: 7, deployed: 1 as const, text }]
  await using nested = await startTestService({
    publicFeedIds: ['news'],
    sandbox: { datasetOn: () => ({ ...sample, news }) },
  })
  for (const path of ['/news.rss', '/news.atom', '/news.json', '/news/7', '/news/7']) {
    const response = await fetch(`${nested.url}${path}`)
    const shown = await response.text()
    expect([path, response.status]).toEqual([path, 200])
    expect(shown).toContain('Deep down')
    expect(shown.match(/<div>|&lt;div&gt;/g)?.length ?? 0).toBeLessThanOrEqual(maxNesting)
  }
})

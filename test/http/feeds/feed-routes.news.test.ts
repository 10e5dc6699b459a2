import { parseJsonFeed, parseOpml } from 'feedsmith'
import supertest from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { startTestService } from '../../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')
/** The service's clock is at 10:00 on this day. */
const shownNow = (expires: string) => expires === '' || expires > '2026-03-05 10:00:00'

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
const http = supertest(service.url)
await http.get('/news.json').expect(200)
await http.get('/announcements.json').expect(200)

async function itemsOf(path: string) {
  const { body } = await http.get(path).expect(200)
  return parseJsonFeed(JSON.stringify(body)).items ?? []
}

test('serves the page of an announcement until it expires', async () => {
  const [item] = await itemsOf('/announcements.json')
  const path = new URL(item?.url ?? '').pathname
  expect((await http.get(path).expect(200)).text).toContain('<h1 dir="auto">')
  const over = sample.announce.find(({ status, expires }) => status === 2 && !shownNow(expires))
  await http.get(`/announcements/${over?.id}`).expect(410)
})

test('serves a news category as a feed with its name', async () => {
  const { categoryId, category } = sample.news[0] ?? {}
  const { body } = await http.get(`/news.json?category=${categoryId}`).expect(200)
  expect(body.title).toBe(`Cedar Hollow Volunteer Fire Department: ${category}`)
  expect(body.feed_url).toBe(`${service.url}/news.json?category=${categoryId}`)
  const items = await itemsOf(`/news.json?category=${categoryId}`)
  expect(new Set(items.flatMap(({ tags = [] }) => tags))).toEqual(new Set([category]))
})

test('lists the categories by name, and the changes, on the feeds page', async () => {
  const { text } = await http.get('/feeds').expect(200)
  expect(text).toContain('href="changes.rss"')
  const names = new Set(
    sample.news.filter(({ deployed }) => deployed === 1).map(({ category }) => category),
  )
  for (const name of names)
    expect(text).toMatch(
      new RegExp(`<input type="checkbox" name="category" value="\\d+"> ${name}</label>`),
    )
})

test('applies options that set the number, length and selection of items', async () => {
  expect(await itemsOf('/news.json?limit=3')).toHaveLength(3)
  const [full] = await itemsOf('/news.json?limit=1')
  const [short] = await itemsOf('/news.json?limit=1&content=summary')
  expect(short?.content_html).not.toBe(full?.content_html)
  expect(short?.content_html).toContain(short?.summary?.slice(0, 20))
  const featured = new Set(
    sample.news.filter((story) => story.featured === 1).map(({ headline }) => headline),
  )
  const titles = (await itemsOf('/news.json?featured=1')).map(({ title }) => title)
  expect(titles.length).toBeGreaterThan(0)
  expect(titles.filter((title = '') => !featured.has(title))).toEqual([])
})

test('lists public feeds at working URLs in /feeds.opml', async () => {
  const { text, headers } = await http.get('/feeds.opml').expect(200)
  expect(headers['content-type']).toBe('text/x-opml; charset=utf-8')
  const { body } = parseOpml(text)
  const urls = body?.outlines?.map(({ xmlUrl = '' }) => xmlUrl) ?? []
  expect(urls.map((url) => new URL(url).pathname)).toEqual(
    ['events', 'news', 'announcements', 'changes'].map((id) => `/${id}.rss`),
  )
  for (const url of urls) expect((await fetch(url)).status).toBe(200)
  await using closed = await startTestService({ publicFeedIds: ['events'] })
  expect(await (await fetch(`${closed.url}/feeds.opml`)).text()).not.toContain('news.rss')
  await using none = await startTestService({ publicFeedIds: ['rental'] })
  expect((await fetch(`${none.url}/feeds.opml`)).status).toBe(404)
})

test('adds hub and self links to news feeds, but not to calendars', async () => {
  const environment = { WEBSUB_HUBS: 'https://localhost:1/ https://localhost:2/' }
  await using told = await startTestService({ environment })
  const linkOf = async (path: string) => (await fetch(`${told.url}${path}`)).headers.get('link')
  expect(await linkOf('/news.atom?utm_source=x')).toBe(
    `<https://localhost:1/>; rel="hub", <https://localhost:2/>; rel="hub", <${told.url}/news.atom>; rel="self"`,
  )
  // Feeds with options have no hub.
  expect(await linkOf('/news.atom?limit=3')).toBeNull()
  expect(await (await fetch(`${told.url}/news.atom`)).text()).toContain('rel="hub"')
  expect(await (await fetch(`${told.url}/news.atom?limit=3`)).text()).not.toContain('rel="hub"')
  expect(await linkOf('/events.ics')).toBeNull()
  expect((await http.get('/news.rss')).headers['link']).toBeUndefined()
})

test('removes an announcement when it expires, and adds a story when its date arrives', async () => {
  const announcement = {
    id: 1,
    headline: 'Ban',
    text: '',
    status: 2 as const,
    expires: '2026-03-05 10:02:00',
    created: '2026-03-01 09:00:00',
    createdBy: '',
    modified: '',
    modifiedBy: '',
  }
  const [first] = sample.news
  if (!first) throw new TypeError('no news')
  const story = { ...first, id: 1, deployed: 1 as const, date: '2026-03-05 10:02:00' }
  const datasetOn = () => ({ ...sample, announce: [announcement], news: [story] })
  await using timed = await startTestService({ sandbox: { datasetOn } })
  const read = async (path: string) => {
    const response = await fetch(`${timed.url}${path}`)
    const { items } = (await response.json()) as { readonly items: readonly unknown[] }
    const header = (name: string) => response.headers.get(name) ?? ''
    return {
      count: items.length,
      etag: header('etag'),
      changed: Date.parse(header('last-modified')),
    }
  }
  const before = [await read('/announcements.json'), await read('/news.json')]
  await timed.clock.advance(119_000)
  expect([await read('/announcements.json'), await read('/news.json')]).toEqual(before)
  await timed.clock.advance(1_000)
  const after = [await read('/announcements.json'), await read('/news.json')]
  expect(before.map(({ count }) => count)).toEqual([1, 0])
  expect(after.map(({ count }) => count)).toEqual([0, 1])
  for (const [index, { etag, changed }] of after.entries()) {
    expect(etag).not.toBe(before[index]?.etag)
    expect(changed).toBe(Date.parse('2026-03-05T15:02:00Z'))
  }
})

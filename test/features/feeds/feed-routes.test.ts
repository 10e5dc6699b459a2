import { parseJsonFeed, parseOpml, parseRssFeed } from 'feedsmith'
import supertest from 'supertest'
import { escapeHtml } from '../../../src/text/html.ts'
import { afterAll, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../../support/calendar-lint.ts'
import { fewRecords } from '../../support/few-records.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { startTestService } from '../../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
const http = supertest(service.url)
await service.readAll()

async function calendar(path: string) {
  const { text, headers } = await http.get(path).expect(200)
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  return { text, etag: headers['etag'], ...readCalendar(text) }
}

const onlineOf = (calendarId: number) =>
  sample.calendar.filter((event) => event.status === 2 && event.calendarId === calendarId)

test('names a file after its calendar if only one calendar is selected', async () => {
  const [event] = onlineOf(2)
  const { events, text } = await calendar('/calendar.ics?calendar=2')
  expect(events).toHaveLength(onlineOf(2).length)
  expect(new Set(events.flatMap(({ categories }) => categories))).toEqual(
    new Set([event?.calendar]),
  )
  expect(text).toContain(`X-WR-CALNAME:Cedar Hollow Volunteer Fire Department: ${event?.calendar}`)
  expect(text.replaceAll('\r\n ', '')).toContain(
    `SOURCE;VALUE=URI:${service.url}/calendar.ics?calendar=2\r\n`,
  )
})

test('lists calendars, rental types and categories by name on the feeds page, with working URLs', async () => {
  const { text } = await http.get('/feeds').expect(200)
  expect(text).toContain('href="changes.rss"')
  const names = [
    ...sample.calendar.filter(({ status }) => status === 2).map(({ calendar }) => calendar),
    ...sample.news.filter(({ deployed }) => deployed === 1).map(({ category }) => category),
    'Social Hall',
    'Pavilion',
    'Training Room',
  ]
  const box =
    /<input type="checkbox" name="(calendar|type|category)" value="(\d+)"> <span dir="auto">([^<]+)</g
  const choices = [...text.matchAll(box)]
  const shown = choices.map(([, , , name]) => name)
  expect(new Set(shown)).toEqual(new Set(names.map(escapeHtml)))
  const files = new Map([
    ['calendar', 'calendar.ics'],
    ['type', 'rental.ics'],
    ['category', 'news.rss'],
  ])
  for (const [, name = '', value] of choices) {
    const url = `${service.url}/${files.get(name)}?${name}=${value}`
    const page = await service.get(`feeds?feed=${files.get(name)?.split('.')[0]}&${name}=${value}`)
    expect(page.text).toContain(`value="${url}"`)
    expect((await fetch(url)).status).toBe(200)
  }
})

test('links entries and stories to their pages on the website', async () => {
  const links = {
    events: 'https://www.example.org/?event={id}',
    news: 'https://www.example.org/n/{id}',
  }
  await using linked = await startTestService({ sandbox: fewRecords, links })
  const events = await (await fetch(`${linked.url}/events.ics`)).text()
  expect(events).toMatch(/\r\nURL:https:\/\/www\.example\.org\/\?event=\d+\r\n/)
  expect(await (await fetch(`${linked.url}/news.rss`)).text()).toMatch(
    /<link>https:\/\/www\.example\.org\/n\/\d+<\/link>/,
  )
  const { text } = await linked.get('calendar.ics')
  expect(text).toContain(`URL:${linked.url}/calendar/`)
  const [id = ''] = /(?<=\/n\/)\d+/.exec((await linked.get('news.rss')).text) ?? []
  expect((await linked.get(`news/${id}`)).text).toContain(
    `<link rel="canonical" href="https://www.example.org/n/${id}">`,
  )
})

/** The service's clock is at 10:00 on this day. */
const shownNow = (expires: string) => expires === '' || expires > '2026-03-05 10:00:00'

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
    ['events', 'news', 'announcements', 'changes', 'digest'].map((id) => `/${id}.rss`),
  )
  for (const url of urls) expect((await fetch(url)).status).toBe(200)
  await using closed = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  expect(await (await fetch(`${closed.url}/feeds.opml`)).text()).not.toContain('news.rss')
  await using none = await startTestService({ sandbox: fewRecords, publicFeedIds: ['rental'] })
  expect((await fetch(`${none.url}/feeds.opml`)).status).toBe(404)
})

test('adds hub and self links to news feeds, but not to calendars', async () => {
  const environment = { WEBSUB_HUBS: 'https://localhost:1/ https://localhost:2/' }
  await using told = await startTestService({ sandbox: fewRecords, environment })
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

const forumLink = await service.addLink({ feedIds: ['forum'], profile: 'members' })

async function itemsAt(path: string) {
  const response = await fetch(`${forumLink}${path}`)
  expect(response.status).toBe(200)
  const feed = parseRssFeed(await response.text())
  return { title: feed.title, items: feed.items ?? [] }
}

const callsUsed = async () => (await service.status()).budget.day.used

/** Returns the id of a topic with replies. */
async function topicWithReplies(): Promise<string> {
  const { items } = await itemsAt('forum.rss')
  const topic = items.find(({ description }) => /^[2-9] replies/.test(description ?? ''))
  return topic?.guid?.value?.split('forum-')[1] ?? ''
}

test('serves the replies to a topic to a link that names the forum, with one call', async () => {
  const id = await topicWithReplies()
  const calls = await callsUsed()
  const { title, items } = await itemsAt(`forum.rss?topic=${id}`)
  expect(title).toContain(': ')
  expect(items.length).toBeGreaterThan(1)
  expect(items.every((item) => item.guid?.value?.includes(':reply-'))).toBe(true)
  for (const format of ['rss', 'atom', 'json']) {
    const response = await fetch(`${forumLink}forum.${format}?topic=${id}`)
    const etag = response.headers.get('etag') ?? ''
    await response.arrayBuffer()
    const again = await fetch(`${forumLink}forum.${format}?topic=${id}`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  }
  expect(await callsUsed()).toBe(calls + 1)
})

test('has no replies to a topic that the forum does not have, and makes no call for it', async () => {
  await itemsAt('forum.rss')
  const calls = await callsUsed()
  const { items } = await itemsAt('forum.rss?topic=999999')
  expect(items).toEqual([])
  expect(await callsUsed()).toBe(calls)
})

test('neither the public nor a link without the forum can read replies', async () => {
  const all = await service.addLink({ profile: 'full' })
  for (const base of [`${service.url}/`, all]) {
    expect((await fetch(`${base}forum.rss?topic=3`)).status).toBe(403)
  }
})

import supertest from 'supertest'
import { escapeHtml } from '../../../src/syndication/html.ts'
import { afterAll, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../../support/calendar-lint.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'
import { parseJsonFeed, parseOpml } from 'feedsmith'

const sample = sampleDatasetOn('2026-03-05')

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
const http = supertest(service.url)
for (const feed of ['calendar', 'events', 'rental', 'signup', 'news']) {
  await fetch(`${service.url}/${feed}.${feed === 'news' ? 'rss' : 'ics'}`)
}

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

test('serves the same bytes for equivalent options, and ignores unknown options', async () => {
  const { etag } = await calendar('/calendar.ics?calendar=1,2&alarm=30')
  for (const query of [
    'alarm=30&calendar=2,1',
    'calendar=2&calendar=1&alarm=030&cancelled=drop',
    'x=%zz&alarm=30&calendar=1,2',
  ]) {
    expect((await calendar(`/calendar.ics?${query}`)).etag).toBe(etag)
  }
  expect((await calendar('/calendar.ics?type=99')).etag).toBe(
    (await calendar('/calendar.ics')).etag,
  )
})

test('lists calendars and rental types by name on the feeds page, with working URLs', async () => {
  const { text } = await http.get('/feeds').expect(200)
  const names = new Set(
    sample.calendar.filter(({ status }) => status === 2).map((event) => event.calendar),
  )
  const choices = [
    ...text.matchAll(/<input type="checkbox" name="(calendar|type)" value="(\d+)"> ([^<]+)</g),
  ]
  expect(new Set(choices.map(([, , , name]) => name))).toEqual(
    new Set([...names, 'Social Hall', 'Pavilion', 'Training Room'].map(escapeHtml)),
  )
  for (const [, parameter, value] of choices) {
    const feed = parameter === 'calendar' ? 'calendar' : 'rental'
    const composed = await http.get(`/feeds?feed=${feed}&${parameter}=${value}`).expect(200)
    const [, url = ''] = /value="(http:[^"]+\.ics\?[^"]+)"/.exec(composed.text) ?? []
    expect(url).toBe(`${service.url}/${feed}.ics?${parameter}=${value}`)
    expect((await fetch(url)).status).toBe(200)
  }
})

test('shows no more of a booking on its page than in the calendar', async () => {
  const [booking] = sample.rental
  const { text } = await http.get(`/rental/${booking?.id}`).expect(200)
  expect(text).toContain(`<h1 dir="auto">Reserved: ${booking?.type}</h1>`)
  expect(text).not.toContain(booking?.renter)
})

test('links entries and stories to their pages on the website', async () => {
  const links = {
    events: 'https://www.example.org/?event={id}',
    news: 'https://www.example.org/n/{id}',
  }
  await using linked = await startTestService({ links })
  const events = await (await fetch(`${linked.url}/events.ics`)).text()
  expect(events).toMatch(/\r\nURL:https:\/\/www\.example\.org\/\?event=\d+\r\n/)
  expect(await (await fetch(`${linked.url}/news.rss`)).text()).toMatch(
    /<link>https:\/\/www\.example\.org\/n\/\d+<\/link>/,
  )
  expect(await (await fetch(`${linked.url}/calendar.ics`)).text()).toContain(
    `URL:${linked.url}/calendar/`,
  )
})

test('lists feeds and repaired records at /status', async () => {
  const [first] = sample.events
  if (!first) throw new TypeError('no event')
  const spoilt = { ...first, status: 2, startDate: '2026-03-06', endDate: '2026-03-01' } as const
  await using odd = await startTestService({
    sandbox: { datasetOn: (today) => ({ ...sampleDatasetOn(today), events: [spoilt] }) },
  })
  await fetch(`${odd.url}/events.ics`)
  const { ok, sentences, feeds } = await odd.status()
  expect(feeds).toContainEqual({
    name: 'events',
    repairedCount: 1,
    repaired: [{ id: first.id, reason: 'ends before it starts' }],
    omittedCount: 0,
  })
  expect(sentences.join('\n')).toContain('events has 1 record with invalid times')
  expect(ok === true).toBe(sentences.includes('Everything has been read and is up to date.'))
  const told = odd.lines.filter((line) => line.includes('records shown with repaired times'))
  expect(told).toHaveLength(1)
})

test('compresses feeds with brotli only for clients that accept it', async () => {
  const compressed = async () => {
    const { text } = await http.get('/metrics')
    const samples = text.matchAll(/representation_bytes\{feed="(\w+)".*encoding="br"\}/g)
    return samples.map(([, feed]) => feed).toArray()
  }
  await http.get('/events.ics').set('Accept-Encoding', 'gzip').expect(200)
  await http.get('/rental.ics').set('Accept-Encoding', 'br').expect(200)
  // Feeds are compressed in the order of their requests.
  await waitFor(async () => expect(await compressed()).toContain('rental'))
  expect(await compressed()).not.toContain('events')
})

/** The service's clock is at 10:00 on this day. */
const shownNow = (expires: string) => expires === '' || expires > '2026-03-05 10:00:00'

afterAll(() => service[Symbol.asyncDispose]())

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

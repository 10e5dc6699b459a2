import FeedMe from 'feedme'
import { parseRssFeed } from 'feedsmith'
import ical from 'node-ical'
import { request } from 'undici'
import { expect, test } from 'vitest'
import type { BoardData, BoardItem } from '../../../src/signage/board-item.ts'
import type { concertoContents } from '../../../src/signage/concerto.ts'
import { fewRecords } from '../../support/few-records.ts'
import { createManager } from '../../support/manager.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'
import { assertWellFormed } from '../../support/well-formed.ts'

const service = sharedService()

const ask = (path: string, origin = service().url) => exchange(origin, requestText(path))

async function itemsOf(query = ''): Promise<readonly BoardItem[]> {
  return JSON.parse((await ask(`/board.json${query}`)).body.toString()) as readonly BoardItem[]
}

const kindsOf = (items: readonly BoardItem[]) => new Set(items.map(({ kind }) => kind))

test('/board.json is a flat list of strings, numbers, booleans and nulls', async () => {
  const items = await itemsOf()
  expect(items.length).toBeGreaterThan(50)
  const names = Object.keys(items[0] ?? {})
  expect(names.slice(0, 3)).toEqual(['id', 'kind', 'title'])
  for (const item of items) {
    expect(Object.keys(item)).toEqual(names)
    for (const value of Object.values(item))
      expect(typeof value === 'object' ? value : null).toBeNull()
  }
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  const kinds = ['events', 'calendar', 'rental', 'signup', 'announcements', 'news']
  expect(kindsOf(items)).toEqual(new Set(kinds))
})

test('shows only the requested feeds', async () => {
  expect(kindsOf(await itemsOf('?show=news,signup'))).toEqual(new Set(['news', 'signup']))
  // Gives the service time to read each sign-up sheet's details, one at a time.
  await service().clock.advance(30_000)
  const places = (await itemsOf('?show=signup')).filter(({ open }) => open !== null)
  expect(places.length).toBeGreaterThan(0)
  for (const { open, places: all } of places) expect(open).toBeLessThanOrEqual(all ?? 0)
})

test('preloads every script that the page imports, so that the service worker caches it', async () => {
  const page = (await ask('/board')).body.toString()
  expect(page).not.toContain('>undefined<')
  const [start = ''] = /\/assets\/[^"]+\/board\.js/.exec(page) ?? []
  const imported = new Set([start])
  for (const path of imported) {
    const { status, body } = await ask(path)
    expect([path, status]).toEqual([path, 200])
    // Screens would download a third more with comments.
    expect([path, body.toString().match(/^\s*\/\*.*/gm)]).toEqual([path, null])
    for (const [, name = ''] of body.toString().matchAll(/^(?:import .*|\}) from '\.\/(.+)'$/gm)) {
      imported.add(path.replace(/[^/]+$/, name))
    }
  }
  const preloaded = page.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)
  expect(new Set([start, ...[...preloaded].map(([, path]) => path)])).toEqual(imported)
})

test('reports when the website was last read, no matter when screens poll', async () => {
  await using station = await startTestService({
    sandbox: fewRecords,
    publicFeedIds: ['events', 'news'],
  })
  await station.readAll()
  const start = station.clock.now()
  const readAt = async (query: string) => {
    const { headers } = await ask(`/board.json${query}`, station.url)
    expect(headers['board-time']).toBe(new Date(station.clock.now()).toISOString())
    return Date.parse(String(headers['board-read']))
  }
  await station.clock.leap(10 * 60_000)
  await waitFor(async () => expect(await readAt('')).toBe(station.clock.now()))
  const lastReadAt = station.clock.now()
  await (await createManager(station.sandbox)).setProject(1, { endpoints: ['events'] })
  await station.clock.leap(30 * 60_000)
  await waitFor(async () => expect(await readAt('?show=events')).toBe(station.clock.now()))
  expect(await readAt('?show=events,news')).toBe(lastReadAt)
  expect(lastReadAt).toBeGreaterThan(start)
  const page = (await ask('/board?show=news', station.url)).body.toString()
  expect(page).toMatch(/<p id="as-of" class="amber">Website last read 10:10\sAM<\/p>/)
  expect(page).toContain(`"readAt":${lastReadAt}`)
})

test('does not mark a board as outdated before its next read is due', async () => {
  await using station = await startTestService({
    sandbox: fewRecords,
    publicFeedIds: ['events'],
    environment: { FRESH_SECONDS: '21600' },
  })
  await station.readAll()
  await ask('/board.json', station.url)
  await station.clock.leap(4 * 60 * 60_000)
  const { headers } = await ask('/board.json', station.url)
  expect(Number(headers['board-interval'])).toBeGreaterThanOrEqual(21_600)
  const page = (await ask('/board', station.url)).body.toString()
  expect(page).toMatch(/<p id="as-of" class="">Website last read 10:00\sAM<\/p>/)
})

test('responds with 503 before the first read, so that screens keep their content', async () => {
  await using cold = await startTestService({ sandbox: { apiEnabled: false } })
  const feed = await ask('/events.ics', cold.url)
  const { 'retry-after': retryAfter } = feed.headers
  expect(Number(retryAfter)).toBeGreaterThan(0)
  const paths = ['/board', '/board.json', '/board.rss', '/board/concerto.json', '/embed/events']
  for (const path of paths) {
    const { status, headers, body } = await ask(path, cold.url)
    expect([path, status, body.toString()]).toEqual([path, 503, feed.body.toString()])
    expect(headers['retry-after']).toBeDefined()
  }
  const page = await exchange(cold.url, requestText('/board', { headers: { Accept: 'text/html' } }))
  expect(page.headers['refresh']).toBe(page.headers['retry-after'])
})

test('marks error responses as coming from Feedhouse', async () => {
  for (const path of ['/board?rows=x', '/l/nobody/board', '/l/nobody/board.json']) {
    const { status, headers } = await ask(path)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers['board-time']).toBe(new Date(service().clock.now()).toISOString())
  }
})

test.for([
  [
    'show=everything',
    'show must be one or more of calendar, events, rental, signup, news, announcements.',
  ],
  ['rows=2', 'rows must be a whole number from 3 to 12.'],
  ['rotate=1', 'rotate must be a whole number from 5 to 300.'],
  ['theme=pink', 'theme must be dark or light or auto.'],
  ['lang=x', 'lang must be a language, like en, en-GB or es.'],
  ['lang="><script>', 'lang must be a language, like en, en-GB or es.'],
  ['distance=4', 'distance must be 3, 5 or 10 meters, like distance=5.'],
  ['inches=5', 'inches must be a whole number from 10 to 200.'],
  [
    'accent=nice',
    'accent must be a CSS color name like firebrick, or six hexadecimal digits like b22222.',
  ],
  ['duty=crew', 'duty must be 1 to 20 comma-separated numbers, like duty=2,5.'],
  ['qr=2', 'qr must be 0 or 1.'],
  ['motion=maybe', 'motion must be 0 or 1.'],
  [`title=${'x'.repeat(81)}`, 'title must be at most 80 characters.'],
] as const)('responds to %s with an explanation', async ([query, sentence]) => {
  for (const path of ['/board', '/board.json', '/board.rss', '/board/concerto.json']) {
    const { status, body } = await ask(`${path}?${encodeURI(query)}`)
    expect([status, body.toString()]).toEqual([400, `${sentence}\n`])
  }
})

const kinds = async (base: string) => [
  ...kindsOf((await (await fetch(`${base}board.json`)).json()) as readonly BoardItem[]),
]

async function dataIn(path: string): Promise<BoardData> {
  const page = (await ask(path)).body.toString()
  const [, json = ''] = /id="board">(.*)<\/script>/.exec(page) ?? []
  return JSON.parse(json) as BoardData
}

test('offers an address to subscribe to on public boards only', async () => {
  const far = await dataIn('/board?distance=far&inches=43&accent=firebrick')
  const accent = { brand: { accent: '#b22222' } }
  expect(far).toMatchObject({ follow: `${service().url}/`, distance: 10, inches: 43, accent })
  expect(await dataIn('/board?distance=near')).toMatchObject({ distance: 5, accent: null })
  expect(await dataIn('/board?qr=0')).toMatchObject({ distance: 3, inches: 55, follow: null })
  const link = await service().addLink({})
  expect((await dataIn(`${link.slice(service().url.length)}board`)).follow).toBeNull()
})

test('omits private feeds, and rejects requests that name a private feed', async () => {
  await using part = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  await fetch(`${part.url}/events.ics`)
  expect(await kinds(`${part.url}/`)).toEqual(['events'])
  expect((await ask('/board?show=rental', part.url)).status).toBe(403)
  const link = await part.addLink({ profile: 'full', feedIds: ['rental'] })
  await fetch(`${link}rental.ics`)
  expect(await kinds(link)).toEqual(['rental'])
  const { headers } = await ask(`${link.slice(part.url.length)}board`, part.url)
  expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test('serves pictures from news stories unchanged, even before anyone requests a board', async () => {
  const [named] = (await itemsOf('?show=news')).flatMap(({ pictureUrl }) => pictureUrl ?? [])
  const path = named?.slice(service().url.length) ?? ''
  expect(path).toMatch(/^\/board\/images\/[\w-]{22}$/)
  const { status, headers, body } = await ask(path)
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=86400'])
  expect(headers['content-type']).toMatch(/^image\//)
  expect(body.length).toBeGreaterThan(1000)
})

test('handles other requests between new boards', async () => {
  const answered: string[] = []
  async function get(path: string): Promise<void> {
    const { statusCode, body } = await request(`${service().url}${path}`)
    expect([path, statusCode]).toEqual([path, 200])
    await body.dump()
    answered.push(path)
  }
  const boards = Array.from({ length: 20 }, (_, index) => `/board?title=T${index}`)
  // Connections are accepted one at a time.
  await Promise.all([...boards, ''].map(() => get('/livez')))
  await Promise.all([...boards, '/news.rss'].map(get))
  expect(answered.slice(21).indexOf('/news.rss')).toBeLessThan(10)
})

test('limits how many new boards a client can request, but not boards that screens show', async () => {
  await using station = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  await station.readAll()
  const statusOf = async (query: string) => {
    const response = await fetch(`${station.url}/board.json${query}`)
    await response.text()
    return response.status
  }
  expect(await statusOf('?title=Station')).toBe(200)
  // Boards that show a private feed are rejected early, but count as well.
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => statusOf(`?show=news&title=${index}`)),
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  expect(await statusOf('?title=Other')).toBe(429)
  await station.clock.leap(60_000)
  expect(await statusOf('?title=Station')).toBe(200)
  expect(await statusOf('')).toBe(200)
})

test('serves /board.rss with plain text and at most one picture per item', async () => {
  const { body, headers } = await ask('/board.rss')
  expect(headers['content-type']).toMatch(/^application\/rss\+xml/)
  const text = body.toString()
  assertWellFormed(text)
  expect(text).not.toContain('content:encoded')
  const { items = [] } = parseRssFeed(text)
  const now = service().clock.now()
  expect(items.length).toBeGreaterThan(50)
  for (const item of items) {
    expect(`${item.title}${item.description}`).not.toMatch(/<\w+[^>]*>|&\w+;/)
    expect(Date.parse(String(item.pubDate))).toBeLessThanOrEqual(now)
    expect(item.enclosures?.length ?? 0).toBeLessThanOrEqual(1)
    const pictures = [item.enclosures ?? [], item.media?.contents ?? []]
    const [enclosed, media] = pictures.map((all) => all.map(({ url }) => url))
    expect(media).toEqual(enclosed)
  }
  const dates = items.map(({ pubDate }) => String(pubDate))
  expect(dates[0]).toBe('Thu, 05 Mar 2026 05:00:00 GMT')
  expect(new Set(items.map(({ link }) => link)).size).toBeGreaterThan(50)
  const [pictured] = items.flatMap(({ enclosures }) => enclosures ?? [])
  const picture = await fetch(String(pictured?.url))
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, pictured?.type])
})

test('serves /board/concerto.json in Concerto’s remote feed format', async () => {
  const { body } = await ask('/board/concerto.json')
  const contents = JSON.parse(body.toString()) as ReturnType<typeof concertoContents>
  expect(new Set(contents.map(({ type, name }) => `${type} ${name}`)).size).toBe(contents.length)
  for (const content of contents) {
    // Seconds.
    expect(content.duration).toBe(content.type === 'Graphic' ? 15 : 12)
    expect(content.type === 'Graphic' ? content.url : content.text).not.toBe('')
    const end = Date.parse(content.end_time ?? '2100-01-01')
    expect(end).toBeGreaterThan(service().clock.now())
  }
  expect(contents.some(({ type }) => type === 'Graphic')).toBe(true)
})

const keyOf = (title: unknown, start: number) => JSON.stringify([title, start])

test("serves feeds that MagicMirror's calendar and news parsers read like board.json", async () => {
  const { body } = await ask('/events.ics')
  const all = Object.values(ical.sync.parseICS(body.toString()))
  const entries = all.filter((entry) => entry?.type === 'VEVENT')
  expect(entries.length).toBeGreaterThan(20)
  const starts = new Set(entries.map(({ summary, start }) => keyOf(summary, start.getTime())))
  const items = (await itemsOf('?show=events')).filter(({ startAt }) => startAt !== null)
  expect(items.length).toBeGreaterThan(10)
  const isListed = ({ title, startAt }: BoardItem) =>
    starts.has(keyOf(title, Date.parse(startAt ?? '')))
  expect(items.filter((item) => !isListed(item))).toEqual([])
  for (const path of ['/board.rss', '/news.rss', '/events.rss']) {
    const parser = new FeedMe()
    const seen: { readonly title?: string; readonly pubdate?: string }[] = []
    parser.on('item', (item) => void seen.push(item))
    parser.end((await ask(path)).body.toString())
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.filter(({ title, pubdate }) => !title || !pubdate)).toEqual([])
  }
})

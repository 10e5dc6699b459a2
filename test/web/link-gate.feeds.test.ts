import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import supertest from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { revokeLink } from '../../src/links/link-edits.ts'
import { storedLinks } from '../../src/links/stored-links.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { feedUrlsUnder } from '../support/feed-urls.ts'
import { exchangeUrl as ask } from '../support/raw-http.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService, testDirectory } from '../support/service.ts'

const dayMs = 24 * 60 * 60 * 1000

const service = await startTestService({
  publicFeedIds: ['events'],
  environment: { WEBSUB_HUBS: 'https://localhost:1/' },
})
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ label: 'Crew' })

test('prevents shared caching, indexing and referrers for URLs under a link', async () => {
  const feedPaths = ['calendar.ics', 'calendar.ics', 'my.ics', 'news.rss']
  for (const path of ['', ...feedPaths, 'feeds.opml', 'nothing']) {
    const { headers } = await ask(`${link}${path}`)
    // The page has a form, whose origin browsers send only with this policy.
    const policy = path === '' ? 'same-origin' : 'no-referrer'
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': policy })
    expect(headers['cache-control'] ?? 'private').toMatch(/private|no-store/)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers).not.toHaveProperty('link')
    expect(headers['cross-origin-resource-policy']).not.toBe('cross-origin')
  }
})

test('includes neither the link nor any URLs of missing pages in feeds', async () => {
  const key = link.split('/')[4] ?? ''
  expect(key).toHaveLength(32)
  for (const url of feedUrlsUnder(link)) {
    const text = (await ask(url)).body.toString()
    expect(text).not.toContain(key)
    const own = text.match(new RegExp(`${service.url}/[^\\s"<\\\\]+`, 'g')) ?? []
    for (const address of new Set(own)) {
      // A private item's page says that it is private.
      const expected = /\/\d+$/.test(address) ? [200, 403] : [200]
      expect(expected).toContain((await ask(address)).status)
    }
  }
})

test("serves entry pages under the link with the link's profile", async () => {
  const full = await service.addLink({ profile: 'full' })
  const { text } = await supertest(full).get('feeds')
  const [, path = ''] = /<a href="(rental\/\d+)"[^>]*>[^<]*Harriet Bloom/.exec(text) ?? []
  const page = await ask(`${full}${path}`)
  expect(page.status).toBe(200)
  expect(page.body.toString()).toContain('Harriet Bloom')
  expect(page.body.toString()).not.toContain('og:url')
  expect((await ask(`${link}${path}`)).body.toString()).not.toContain('Harriet Bloom')
  expect((await ask(`${service.url}/${path}`)).status).toBe(403)
})

test('serves only the feeds that the link includes', async () => {
  const rentals = await service.addLink({ feedIds: ['rental'] })
  expect((await ask(`${rentals}rental.ics`)).status).toBe(200)
  for (const path of ['calendar.ics', 'events.ics', 'events/1']) {
    const { status, body } = await ask(`${rentals}${path}`)
    expect(status).toBe(403)
    expect(body.toString()).toMatch(
      /^This feed link does not include the feed "\w+"\. Ask the organization/,
    )
  }
  expect((await ask(`${rentals}feeds.opml`)).status).toBe(404)
  const page = (await ask(`${rentals}feeds`)).body.toString()
  expect([...page.matchAll(/<article id="(\w+)"/g)].map(([, id]) => id)).toEqual([
    'rental',
    'doctor',
  ])
})

test('keeps a response to a failed condition private', async () => {
  const { status, headers } = await ask(`${link}news.rss`, { 'If-Match': '"x"' })
  expect([status, headers['cache-control']]).toEqual([412, 'no-store'])
  expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test('accepts keys in capital letters', async () => {
  const [, key = ''] = /\/l\/(\w+)\//.exec(link) ?? []
  const answer = await ask(`${link.replace(key, key.toUpperCase())}feeds`)
  expect(answer.status).toBe(200)
  expect(answer.body.toString()).toContain(`value="${link}calendar.ics"`)
})

test('redirects to the URL of a link with a trailing slash', async () => {
  const { status, headers } = await ask(link.slice(0, -1))
  expect(status).toBe(301)
  expect(new URL(headers['location'] ?? '', link.slice(0, -1)).href).toBe(link)
  expect(headers['cache-control']).toBe('private, no-cache')
  const composed = await ask(`${link.slice(0, -1)}?feed=events&alarm=5`)
  expect(composed.headers['location']).toMatch(/\/\?feed=events&alarm=5$/)
})

test.for(['PUT', 'OPTIONS'])(
  'rejects %s under a link with headers that keep the link private',
  async (method) => {
    const { headers } = await ask(`${link}calendar.ics`, {}, method)
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  },
)

test('lists the link’s feeds in OPML with working URLs', async () => {
  const list = (await ask(`${link}feeds.opml`)).body.toString()
  const urls = [...list.matchAll(/xmlUrl="([^"]+)"/g)].map(([, url = '']) => url)
  expect(urls).toEqual(
    ['events', 'news', 'announcements', 'changes'].map((id) => `${link}${id}.rss`),
  )
  expect((await ask(`${link}feeds.opml`)).headers['cache-control']).toBe('private, no-cache')
})

test('an ended link serves a single entry with a notice in every format, and later responds with 410', async () => {
  await using running = await startTestService({ publicFeedIds: ['events'] })
  const url = await running.addLink({ expiresAt: running.clock.now() + dayMs })
  for (const each of feedUrlsUnder(url)) expect((await ask(each)).status).toBe(200)
  const before = await ask(`${url}calendar.ics`)
  await running.clock.leap(dayMs)
  const title = 'This feed link has expired'
  for (const each of feedUrlsUnder(url)) {
    const { status, headers, body } = await ask(each)
    expect(status).toBe(200)
    expect(headers['cache-control']).toMatch(/^private, /)
    const text = body.toString()
    const titles = each.endsWith('.ics')
      ? readCalendar(text).events.map(({ summary }) => summary)
      : titlesOf(each.slice(each.lastIndexOf('.') + 1), text)
    expect([each, titles]).toEqual([each, [title]])
  }
  const { body, headers } = await ask(`${url}calendar.ics`, {
    'If-None-Match': before.headers['etag'] ?? '',
  })
  expect(lintCalendar(body)).toEqual([])
  expect(body.toString()).toContain('DTSTART;VALUE=DATE:20260306\r\nDTEND;VALUE=DATE:20260320\r\n')
  expect(body.toString().replaceAll('\r\n ', '')).toContain('expired on March 6\\, 2026')
  const again = await ask(`${url}calendar.ics`, { 'If-None-Match': headers['etag'] ?? '' })
  expect(again.status).toBe(304)
  const page = await ask(url)
  expect([page.status, page.body.toString().includes(`<h1>${title}</h1>`)]).toEqual([200, true])
  await running.clock.leap(14 * dayMs)
  for (const path of ['', 'calendar.ics', 'news.rss', 'nothing']) {
    const gone = await ask(`${url}${path}`)
    expect(gone.status).toBe(410)
    expect(gone.body.toString()).toContain('Ask the webmaster for a new link')
  }
})

test('stops serving a link, even from the hot path, within five seconds after another process revokes it', async () => {
  const file = join(testDirectory(), 'store.sqlite')
  const options = { publicFeedIds: ['events'], storeFileIn: () => file }
  await using one = await startTestService(options)
  const url = await one.addLink({})
  // Otherwise, the other replica could be reading it, and this one would wait for that.
  expect((await ask(`${url}calendar.ics`)).status).toBe(200)
  await using other = await startTestService(options)
  await using store = openSqliteStore(file, one.clock.now)
  const urls = [url, url.replace(one.url, other.url)].map((each) => `${each}calendar.ics`)
  for (const each of [...urls, ...urls, ...urls]) expect((await ask(each)).status).toBe(200)
  const [listed] = await storedLinks(store.documents)
  const now = one.clock.now()
  await revokeLink(store.documents, listed?.id ?? '', { now, random: randomBytes })
  for (const { clock } of [one, other]) await clock.advance(3000)
  for (const each of urls) {
    expect((await ask(each)).body.toString()).toContain('This feed link was revoked')
  }
})

test('reads a private feed from the website while a link includes it', async () => {
  await using running = await startTestService({ publicFeedIds: ['events'] })
  const read = running.resourcesRead
  expect(await read()).toEqual(['events'])
  const url = await running.addLink({ feedIds: ['rental'], expiresAt: running.clock.now() + dayMs })
  expect((await ask(`${url}rental.ics`)).status).toBe(200)
  expect(await read()).toEqual(['events', 'rental'])
  await running.clock.leap(dayMs)
  expect(await read()).toEqual(['events'])
})

const boards = ['board', 'board.json', 'board.rss', 'board/concerto.json']

test.for([...boards.map((path) => `${path}?show=events`), 'board/worker.js', 'embed/events'])(
  'keeps %s under a feed link out of shared caches',
  async (path) => {
    const { status, headers } = await ask(`${link}${path}`)
    expect(status).toBe(200)
    expect(headers['cache-control']).toMatch(/^private, /)
  },
)

test.for(['board?rows=x', 'nothing', 'events/999999'])(
  'prevents caching of errors at %s under a feed link',
  async (path) => {
    const { status, headers } = await ask(`${link}${path}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers['cache-control']).toBe('no-store')
  },
)

const unknown = 'Unknown feed link. Ask the person who gave it to you for a new one.\n'

test('an unknown link gets the same response no matter why it is unknown', async () => {
  // Other guesses no longer count.
  await service.clock.advance(60_000)
  const key = link.split('/')[4] ?? ''
  const similar = ['a'.repeat(32), key.slice(1), `${key}a`, 'a']
  const others = [...similar, '%ff', '%2e%2e', 'x'.repeat(2000), '']
  const answers = await Promise.all(
    others.flatMap((other) =>
      ['', 'calendar.ics', 'x/y'].map((path) => ask(`${service.url}/l/${other}/${path}`)),
    ),
  )
  const seen = answers.map(({ status, head, body }) => ({
    status,
    head: head.filter((line) => !/^X-Request-Id|^Retry-After/.test(line)),
    text: body.toString(),
  }))
  const missing = seen.filter(({ status }) => status === 404)
  expect(missing.length).toBe(20)
  for (const answer of missing) expect(answer).toEqual({ ...missing[0], text: unknown })
  for (const { status } of seen) expect([404, 429]).toContain(status)
})

test('guessing links is rate-limited, which does not affect known links', async () => {
  await using other = await startTestService({ publicFeedIds: ['events'] })
  const known = await other.addLink({})
  const guess = (index: number) => ask(`${other.url}/l/${'b'.repeat(24)}${10_000_000 + index}/`)
  const statuses = []
  for (let index = 0; index < 22; index += 1) statuses.push((await guess(index)).status)
  expect(statuses).toEqual([...Array(20).fill(404), 429, 429])
  const refused = await guess(99)
  expect(refused.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' })
  for (const url of feedUrlsUnder(known)) expect((await ask(url)).status).toBe(200)
  await other.clock.advance(10_000)
  expect((await guess(100)).status).toBe(404)
  expect((await guess(101)).status).toBe(429)
  const lines = other.lines.filter((line) => line.includes('too many guesses'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join()).not.toContain('bbbbbbbb')
})

function titlesOf(format: string, text: string): readonly (string | undefined)[] {
  switch (format) {
    case 'rss':
      return (parseRssFeed(text).items ?? []).map(({ title }) => title)
    case 'atom':
      return (parseAtomFeed(text).entries ?? []).map(({ title }) => title?.value)
    default:
      return (parseJsonFeed(JSON.parse(text)).items ?? []).map(({ title }) => title)
  }
}

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import supertest from 'supertest'
import { afterAll, describe, expect, test } from 'vitest'
import { revokeLink } from '../../../src/links/link-edits.ts'
import { storedLinks } from '../../../src/links/stored-links.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { lintCalendar } from '../../support/calendar-lint.ts'
import { feedUrlsUnder } from '../../support/feed-urls.ts'
import { exchangeUrl as ask } from '../../support/raw-http.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { startTestService, temporaryDirectory } from '../../support/service.ts'

const dayMs = 24 * 60 * 60 * 1000

const service = await startTestService({ publicFeedIds: ['events'] })
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ label: 'Crew' })

test('serves every feed in every format under a link', async () => {
  for (const url of feedUrlsUnder(link)) expect([url, (await ask(url)).status]).toEqual([url, 200])
})

test('prevents shared caching, indexing and referrers for URLs under a link', async () => {
  for (const path of ['', 'calendar.ics', 'calendar.ics', 'news.rss', 'feeds.opml', 'nothing']) {
    const { headers } = await ask(`${link}${path}`)
    // The page has a form, whose origin browsers send only with this policy.
    const policy = path === '' ? 'same-origin' : 'no-referrer'
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': policy })
    expect(headers['cache-control'] ?? 'private').toMatch(/private|no-store/)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('includes neither the link nor any inaccessible URLs in feeds', async () => {
  const key = link.split('/')[4] ?? ''
  expect(key).toHaveLength(32)
  for (const url of feedUrlsUnder(link)) {
    const text = (await ask(url)).body.toString()
    expect(text).not.toContain(key)
    const own = text.match(new RegExp(`${service.url}/[^\\s"<\\\\]+`, 'g')) ?? []
    for (const address of new Set(own))
      expect([address, (await ask(address)).status]).toEqual([address, 200])
  }
})

test('shows renters only to the full profile', async () => {
  const full = await service.addLink({ profile: 'full' })
  const texts = await Promise.all(
    [link, full].map(async (base) => (await ask(`${base}rental.ics`)).body.toString()),
  )
  const [members = '', everything = ''] = texts.map((text) => text.replaceAll('\r\n ', ''))
  expect(everything).toContain('Harriet Bloom')
  expect(members).not.toContain('Harriet Bloom')
})

test("serves entry pages under the link with the link's profile", async () => {
  const full = await service.addLink({ profile: 'full' })
  const { text } = await supertest(full).get('feeds')
  const [, path = ''] = /<a href="(rental\/\d+)">[^<]*Harriet Bloom/.exec(text) ?? []
  const page = await ask(`${full}${path}`)
  expect(page.status).toBe(200)
  expect(page.body.toString()).toContain('Harriet Bloom')
  expect(page.body.toString()).not.toContain('og:url')
  expect((await ask(`${link}${path}`)).body.toString()).not.toContain('Harriet Bloom')
  expect((await ask(`${service.url}/${path}`)).status).toBe(403)
})

test('keeps URLs short, even if they contain options', async () => {
  const options = '?calendar=12,34&past=3650&future=3650&alarm=40320&cancelled=mark&busy=1'
  const longest = `https://${'a'.repeat(72)}/l/${'a'.repeat(32)}/announcements.json`
  expect(longest.length).toBeLessThanOrEqual(200)
  expect(
    `https://${'a'.repeat(72)}/l/${'a'.repeat(32)}/calendar.ics${options}`.length,
  ).toBeLessThanOrEqual(200)
  expect((await ask(`${link}calendar.ics${options}`)).status).toBe(200)
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
  expect([...page.matchAll(/<article id="(\w+)"/g)].map(([, id]) => id)).toEqual(['rental'])
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
    const failed = await ask(`${link}calendar.ics`, { 'If-Match': '"x"' })
    expect(failed.status).toBe(412)
    expect(failed.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
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

/** Starts a service with a feed link that has just expired. */
async function ended() {
  const running = await startTestService({ publicFeedIds: ['events'] })
  const expiresAt = running.clock.now() + dayMs
  const url = await running.addLink({ expiresAt })
  for (const each of feedUrlsUnder(url)) expect((await ask(each)).status).toBe(200)
  const before = await ask(`${url}calendar.ics`)
  await running.clock.leap(dayMs)
  return { running, url, before, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

describe('an ended link', () => {
  test('serves a single entry with a notice in every format, and later responds with 410', async () => {
    await using link = await ended()
    const { running, url, before } = link
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
    expect(body.toString()).toContain(
      'DTSTART;VALUE=DATE:20260306\r\nDTEND;VALUE=DATE:20260320\r\n',
    )
    expect(body.toString().replaceAll('\r\n ', '')).toContain('expired on March 6\\, 2026')
    const again = await ask(`${url}calendar.ics`, { 'If-None-Match': headers['etag'] ?? '' })
    expect(again.status).toBe(304)
    for (const path of ['rental/1', 'feeds.opml', 'nothing']) {
      expect([path, (await ask(`${url}${path}`)).status]).toEqual([path, 404])
    }
    const page = await ask(url)
    expect([page.status, page.body.toString().includes(`<h1>${title}</h1>`)]).toEqual([200, true])
    await running.clock.leap(14 * dayMs)
    for (const path of ['', 'calendar.ics', 'news.rss', 'nothing']) {
      const gone = await ask(`${url}${path}`)
      expect(gone.status).toBe(410)
      expect(gone.body.toString()).toContain('Ask the webmaster for a new link')
    }
  })
})

test('stops serving a link, even from the hot path, within five seconds after another process revokes it', async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, 'store.sqlite')
  const options = { publicFeedIds: ['events'], storeFileIn: () => file }
  await using one = await startTestService(options)
  const url = await one.addLink({})
  await using other = await startTestService(options)
  await using store = openSqliteStore(file, one.clock.now)
  const urls = [url, url.replace(one.url, other.url)].map((each) => `${each}calendar.ics`)
  for (const each of [...urls, ...urls, ...urls]) expect((await ask(each)).status).toBe(200)
  const [listed] = await storedLinks(store.documents)
  const now = one.clock.now()
  await revokeLink(store.documents, listed?.id ?? '', { now, random: randomBytes })
  for (const { clock } of [one, other]) await clock.advance(3000)
  for (const each of urls) {
    expect((await ask(each)).body.toString()).toContain('This feed link was withdrawn')
  }
})

test('reads a private feed from the website while a link includes it', async () => {
  await using running = await startTestService({ publicFeedIds: ['events'] })
  const read = async () => (await running.status()).collections.map(({ name }) => name)
  expect(await read()).toEqual(['events'])
  const url = await running.addLink({ feedIds: ['rental'], expiresAt: running.clock.now() + dayMs })
  expect((await ask(`${url}rental.ics`)).status).toBe(200)
  expect(await read()).toEqual(['events', 'rental'])
  await running.clock.leap(dayMs)
  expect(await read()).toEqual(['events'])
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

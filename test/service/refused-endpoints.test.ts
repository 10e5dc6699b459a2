import { expect, onTestFinished, test } from 'vitest'
import { createAdmin, testPassword } from '../support/admin.ts'
import { createManager } from '../support/manager.ts'
import { startTestService, type TestServiceOptions } from '../support/service.ts'
import { advanceUntil } from '../support/wait-for.ts'

/** Starts a service whose API Project may read only some endpoints. */
async function serviceOf(endpoints: readonly string[], options: TestServiceOptions = {}) {
  const service = await startTestService({
    prepare: async (sandbox) => (await createManager(sandbox)).setProject(1, { endpoints }),
    ...options,
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const { clock, sandbox, get } = service
  const until = (expected: () => Promise<void>) => advanceUntil(clock, expected)
  const ready = () => until(async () => expect((await get('/readyz')).status).toBe(200))
  const allow = async (all: readonly string[]) =>
    (await createManager(sandbox)).setProject(1, { endpoints: all })
  return { ...service, until, ready, allow }
}

const some = ['events', 'news', 'calendar']
const all = [...some, 'rental', 'signup', 'announce']

test('switches off a refused feed, and responds with a message and no Retry-After', async () => {
  const { get, ready } = await serviceOf(some)
  const first = await get('/rental.ics')
  expect(first.status).toBe(404)
  expect(first.headers.get('retry-after')).toBeNull()
  expect(first.text).toMatch(
    /^This feed is currently unavailable\. Keep your subscription: .*\.\n$/,
  )
  await ready()
  expect((await get('/events.ics')).status).toBe(200)
  expect((await get('/rental.ics')).status).toBe(404)
  expect((await get('/announcements.rss')).status).toBe(404)
  const page = await get('/rental.ics', { accept: 'text/html' })
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.text).toContain('This feed is currently unavailable.')
})

test.for(['the public', 'a feed link'])(
  'omits a refused feed for %s from all lists without waiting for it',
  async (reader) => {
    const { get, ready, addLink, url } = await serviceOf(some)
    const base = reader === 'the public' ? `${url}/` : await addLink({})
    const board = await get(`${base}board.json`)
    expect(board.status).toBe(200)
    const kinds = (JSON.parse(board.text) as { readonly kind: string }[]).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['events', 'calendar', 'news']))
    expect((await get(`${base}rental.ics`)).status).toBe(404)
    await ready()
    const page = (await get(base)).text
    expect(page).toContain('calendar.ics')
    expect(page).not.toMatch(/rental\.ics|announcements\.rss|turned off/)
    const list = (await get(`${base}feeds.opml`)).text
    expect(list).toContain('/news.rss')
    expect(list).not.toContain('announcements')
    expect(JSON.parse((await get('/readyz')).text)).toEqual({ ready: true, waitingFor: [] })
  },
)

test('responds with 503 to requests for a board whose feeds are all turned off, so that screens keep their content', async () => {
  const { get } = await serviceOf(some)
  const board = await get('/board.json?show=rental,signup')
  expect(board.status).toBe(503)
  expect(Number(board.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(board.text).toMatch(/^The feeds on this board are currently unavailable\. .*\.\n$/)
  expect((await get('/board?show=rental,signup')).status).toBe(503)
  expect((await get('/board.json?show=rental,events')).status).toBe(200)
})

test('shows an empty subscribe page if all feeds are turned off', async () => {
  const { get, until } = await serviceOf(['members'], { publicFeedIds: ['events'] })
  await until(async () =>
    expect((await get('/')).text).toContain('There is nothing to subscribe to right now.'),
  )
  expect((await get('/feeds.opml')).status).toBe(404)
  expect((await get('/readyz')).status).toBe(200)
})

test('reports the endpoint, its feeds and the remedy in the status, in the log and on the admin page', async () => {
  const environment = { ADMIN_PASSWORD: testPassword }
  const { get, ready, status, lines, url } = await serviceOf(some, { environment })
  await ready()
  const { ok, sentences, collections } = await status()
  expect(ok).toBe(false)
  const sentence =
    /^The API Project is not allowed to read announce, so the feed announcements is turned off\. Ask a website manager to allow the endpoint announce on the API Project, in the website's Members Area under Manage > API\. Feedhouse then reads it within 20 minutes\. To read it right away, run: npx feedhouse check$/
  expect(sentences.filter((each) => sentence.test(each))).toHaveLength(1)
  expect(sentences).toHaveLength(3)
  expect(collections.find(({ name }) => name === 'announce')).toMatchObject({
    isSwitchedOff: true,
    records: null,
    refusedSince: expect.stringMatching(/^2026-03-05T/),
  })
  expect(collections.find(({ name }) => name === 'news')).toMatchObject({
    isSwitchedOff: false,
    refusedSince: null,
  })
  expect(lines.join('')).toContain('so the feed announcements is turned off')
  expect((await get('/metrics')).status).toBe(200)
  const { see } = await createAdmin(url).signIn()
  const text = await see('/admin/status')
  expect(text).toContain('so the feed announcements is turned off')
  expect(text.match(/Not allowed by the API Project: turned off/g)).toHaveLength(3)
})

test('does not report a refused endpoint as a problem if no feed link includes its feeds', async () => {
  const options = { publicFeedIds: ['news', 'events'] }
  const { ready, until, status, addLink } = await serviceOf(some, options)
  await addLink({})
  await ready()
  await until(async () => expect((await status()).sentences).toHaveLength(4))
  const { ok, sentences } = await status()
  expect(ok).toBe(true)
  expect(sentences[0]).toBe('All feeds that are configured by name are up to date.')
  await addLink({ feedIds: ['rental'] })
  expect((await status()).ok).toBe(false)
})

test('keeps serving the last copy from an endpoint that is refused later', async () => {
  const { get, ready, until, status, allow } = await serviceOf(all)
  await ready()
  const before = await get('/news.rss')
  await allow(['events'])
  await until(async () => {
    const { sentences } = await status()
    expect(sentences.join(' ')).toMatch(
      /the feed news still shows the last good copy, from Thu, Mar 5, 10:0\d AM/,
    )
  })
  const after = await get('/news.rss')
  expect([after.status, after.text]).toEqual([200, before.text])
  expect((await get('/readyz')).status).toBe(200)
  expect((await get('/')).text).toContain('/news.rss')
})

test('switches a feed back on once its endpoint is allowed', async () => {
  const { get, ready, until, status, allow, clock } = await serviceOf(some)
  await ready()
  await allow(all)
  await clock.advance(10 * 60_000)
  expect((await get('/rental.ics')).status).toBe(404)
  await clock.advance(9 * 60_000)
  await until(async () => expect((await get('/rental.ics')).status).toBe(200))
  await until(async () => expect((await status()).ok).toBe(true))
  expect((await get('/')).text).toContain('rental.ics')
})

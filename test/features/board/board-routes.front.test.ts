import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storedLinks } from '../../../src/links/stored-links.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService, testDirectory } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

// Without other feeds, no records change during the tests.
const fronted = { publicFeedIds: ['events'], openServer: openFrontedServer }
const service = sharedService(fronted)

const ask = (path: string, origin = service().url) => exchange(origin, requestText(path))

/** Returns the number of requests that the front did not answer itself. */
const handled = (station: ReturnType<typeof service>) =>
  station.lines.filter((line) => line.includes('"id":')).length

const types = {
  '/board': 'text/html; charset=utf-8',
  '/board.json': 'application/json; charset=utf-8',
  '/board.rss': 'application/rss+xml; charset=utf-8',
  '/board/concerto.json': 'application/json; charset=utf-8',
}

test.for(Object.entries(types))('the front answers %s, compressed and with 304', async (each) => {
  const [path, type] = each
  const url = `${path}?limit=7`
  const text = requestText(url, { headers: { 'Accept-Encoding': 'gzip, br' } })
  const first = await exchange(service().url, text)
  await service().clock.advance(1000)
  const before = handled(service())
  const { status, headers, body } = await exchange(service().url, text)
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'content-type': type, 'content-encoding': 'br' })
  expect(headers['etag']).toMatch(/^"[\w-]{43}-br"$/)
  expect(body.equals(first.body)).toBe(true)
  const known = { 'If-None-Match': headers['etag'] ?? '', 'Accept-Encoding': 'gzip, br' }
  const again = await exchange(service().url, requestText(url, { headers: known }))
  expect([again.status, again.body.length]).toEqual([304, 0])
  expect(handled(service())).toBe(before)
})

test.for([
  ['a board', `/board?title=${'&'.repeat(15_000)}`, 200],
  ['a redirect', `/BOARD?title=${'"'.repeat(15_000)}`, 431],
] as const)('the front accepts %s for a long URL only if it fits', async ([, path, status]) => {
  expect((await ask(path)).status).toBe(status)
})

test.for(['/board', '/board.json'])('the front sends the current time with %s', async (path) => {
  const { headers: first } = await ask(`${path}?limit=8`)
  await service().clock.advance(1000)
  const time = new Date(service().clock.now()).toISOString()
  const { headers } = await ask(`${path}?limit=8`)
  // There is no date in the second of a change.
  const dated = { 'last-modified': expect.any(String), 'board-time': time }
  expect(headers).toEqual({ ...first, ...dated })
  const known = { 'If-None-Match': first['etag'] ?? '' }
  const again = await exchange(service().url, requestText(`${path}?limit=8`, { headers: known }))
  expect(again.headers).toMatchObject({
    'board-time': time,
    'board-read': first['board-read'],
    'board-interval': first['board-interval'],
    'board-version': first['board-version'],
    'access-control-allow-origin': '*',
  })
})

test('counts the front’s responses to screens as uses of their link', async () => {
  const file = join(testDirectory(), 'store.sqlite')
  await using station = await startTestService({ ...fronted, storeFileIn: () => file })
  await using store = openSqliteStore(file, station.clock.now)
  const path = `${(await station.addLink({ feedIds: ['events'] })).slice(station.url.length)}board.json`
  await waitFor(async () => expect((await ask(path, station.url)).status).toBe(200))
  // Until the first records have been read, the board keeps changing.
  await waitFor(async () => {
    const before = handled(station)
    await ask(path, station.url)
    expect(handled(station)).toBe(before)
  })
  const usedAt = station.clock.now()
  await waitFor(async () => {
    await station.clock.advance(10_000)
    const [stored] = await storedLinks(store.documents)
    expect(stored?.lastUse?.at).toBeGreaterThanOrEqual(usedAt)
  })
})

test('sends a notice instead of the board of an ended link', async () => {
  await using station = await startTestService(fronted)
  const expiresAt = station.clock.now() + 60_000
  const path = `${(await station.addLink({ feedIds: ['events'], expiresAt })).slice(station.url.length)}board.json`
  await waitFor(async () => expect((await ask(path, station.url)).status).toBe(200))
  await station.clock.advance(60_000)
  const notice = (await ask(path, station.url)).body.toString()
  expect(notice).toContain('This feed link has expired')
  expect(notice).toContain('for a new link, and open its board on this screen.')
  expect(notice).not.toContain('subscri')
})

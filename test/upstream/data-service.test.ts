import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createConnection, type Call, type Transport } from '../../src/upstream/connection.ts'
import {
  createDataService,
  requestAccessToken,
  type Query,
} from '../../src/upstream/data-service.ts'
import { createThrottle, throttledConnection } from '../../src/upstream/throttle.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestWindow } from '../support/store.ts'
import { createTestTokens } from './tokens.ts'

/** Starts a complete client and a sandbox on the same clock, and records all calls. */
async function connect(options: SandboxOptions = {}) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  const sandbox = resources.use(await createSandbox({ now: clock.now, ...options }))
  const calls: Call[] = []
  const caPem = readFileSync(sandbox.caFile, 'utf8')
  const direct = resources.use(createConnection({ siteUrl: sandbox.url, caPem, now: clock.now }))
  const noted: Transport = {
    request(call) {
      calls.push(call)
      return direct.request(call)
    },
  }
  const window = openTestWindow(clock.now)
  const throttle = createThrottle({ callsPerMinute: 30, callsPerDay: 5000, window, clock })
  const connection = throttledConnection(noted, throttle)
  const refreshToken = sandbox.projects[0]?.refreshToken ?? ''
  const { tokens } = createTestTokens({
    clock,
    requestToken: (admit) => requestAccessToken(connection, refreshToken, admit),
  })
  const dataService = createDataService(connection, tokens)
  const readAll = async (endpoint: string, query: Query = {}) =>
    (await dataService.readAll(endpoint, query, () => 'person')).items
  const paths = () => calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  return { clock, readAll, paths, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('exchanges the refresh token for an access token, and uses it to read data', async () => {
  await using client = await connect()
  const items = await client.readAll('news')
  expect(items).toEqual(
    sampleDatasetOn('2026-03-05').news.map(({ id }) => expect.objectContaining({ id })),
  )
  await client.readAll('events', { All: '1' })
  expect(client.paths()).toEqual([
    'POST /apps/api/refresh/',
    'GET /apps/api/news/',
    'GET /apps/api/events/',
  ])
})

test('replaces an expired access token', async () => {
  await using client = await connect({ accessTokenSeconds: 60 })
  await client.readAll('news')
  await client.clock.advance(61_000)
  expect(await client.readAll('news')).not.toEqual([])
  expect(client.paths().filter((path) => path.startsWith('POST'))).toHaveLength(2)
})

test('reports a service error by its code', async () => {
  await using client = await connect()
  await expect(client.readAll('news', { ID: '999' })).rejects.toMatchObject({
    kind: 'not_found',
    message: 'news: status 404',
  })
})

test('reports a website that does not have the service', async () => {
  await using client = await connect({ apiEnabled: false })
  await expect(client.readAll('news')).rejects.toMatchObject({ kind: 'api_disabled' })
})

test('waits as long as the service requests after rate_limited', async () => {
  await using client = await connect({ callsPerMinute: 2 })
  await client.readAll('news')
  await client.clock.advance(20_000)
  await expect(client.readAll('news')).rejects.toMatchObject({
    kind: 'rate_limited',
    retryAfterMs: 40_000,
  })
  const waiting = client.readAll('news')
  await client.clock.advance(39_999)
  expect(client.paths()).toHaveLength(3)
  await client.clock.advance(1)
  expect(await waiting).not.toEqual([])
})

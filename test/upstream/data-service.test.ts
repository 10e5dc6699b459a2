import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createConnection, type Call, type Transport } from '../../src/upstream/connection.ts'
import {
  createDataService,
  requestAccessToken,
  type Query,
  isTakenAsAccessToken,
} from '../../src/upstream/data-service.ts'
import {
  createThrottle,
  throttledConnection,
  type ThrottledConnection,
} from '../../src/upstream/throttle.ts'
import { maxTextBytes } from '../../src/upstream/reading-limits.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestWindow } from '../support/store.ts'
import { createTestTokens, tokensOf } from './tokens.ts'
import type { Page } from '../../src/upstream/envelope.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { serviceErrorCodes } from '../../src/upstream/upstream-error.ts'

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

const mebibyte = 1024 * 1024

function websiteOf(
  pages: Readonly<Record<'rows' | 'bytes' | 'total', number>> & { readonly text?: string },
) {
  let calls = 0
  const tokens = {
    current: () => Promise.resolve('token'),
    discard: () => undefined,
    blocked: () => Promise.resolve(),
  }
  const connection: ThrottledConnection = {
    async request({ path }) {
      calls += 1
      const startRow = Number(new URL(path, 'https://site.example').searchParams.get('StartRow'))
      const { rows, text } = pages
      const items = Array.from({ length: rows }, (_, row) => ({ id: startRow + row, a: [], text }))
      const endpoint = path.split('/')[3]
      const body = { endpoint, startRow, totalCount: pages.total, items }
      return { status: 200, body, bodyBytes: pages.bytes, retryAfterMs: undefined }
    },
  }
  const service = createDataService(connection, tokens)
  const read = (knownPart?: (page: Page) => Page) =>
    service.readAll('news', {}, () => 'person', knownPart)
  const readOf = async (endpoint: string, query: Query) => {
    const listing = await service.readListing(
      endpoint,
      query,
      () => 'person',
      (page) => page,
    )
    return listing.pages()
  }
  return { read, readOf, calls: () => calls }
}

test.for([
  { rows: 10, bytes: 8 * mebibyte, total: 40 },
  { rows: 100_000, bytes: 1, total: 200_000 },
])('accepts a collection of $total records in pages of $bytes bytes', async (pages) => {
  expect((await websiteOf(pages).read()).items).toHaveLength(pages.total)
})

test.for([
  { rows: 10, bytes: 7 * mebibyte, total: 100, calls: 5, size: 'larger than 32 MiB' },
  {
    rows: 100_001,
    bytes: 1,
    total: 200_002,
    calls: 2,
    size: 'have more than 200000 records and nested objects',
  },
])('rejects a collection whose pages together are or $size', async ({ calls, size, ...pages }) => {
  const website = websiteOf(pages)
  const message = expect.stringMatching(`^news: all pages together (?:are )?${size}$`)
  await expect(website.read()).rejects.toMatchObject({ kind: 'collection_too_large', message })
  expect(website.calls()).toBe(calls)
})

test('rejects a collection that has too much text together with the others, until one has less', async () => {
  // Half of the limit for 40 records.
  const halfBytes = Math.floor(maxTextBytes() / 2 / 40)
  const pages = { rows: 10, bytes: 1, total: 40, text: 'é'.repeat(halfBytes / 2) }
  const { readOf } = websiteOf(pages)
  const readEvents = (day: string) => readOf('events', { StartDate: day })
  await readEvents('2026-11-05')
  await readEvents('2026-11-06')
  const readDatabase = (id: string) => readOf('databases', { DatabaseID: id })
  await readDatabase('1')
  const most = Math.round(maxTextBytes() / mebibyte)
  const message = `databases: all collections together have more than ${most} MiB of text`
  await expect(readDatabase('2')).rejects.toMatchObject({ kind: 'collection_too_large', message })
  pages.text = ''
  await readEvents('2026-11-07')
  pages.text = 'e'.repeat(halfBytes)
  expect((await readDatabase('2')).items).toHaveLength(40)
})

/** Text of a record, of which 40 have this share of the limit. */
const share = (part: number) => 'e'.repeat(Math.floor((maxTextBytes() * part) / 40))

test('rejects collections that have too much text together if they are read at the same time', async () => {
  const { readOf } = websiteOf({ rows: 10, bytes: 1, total: 40, text: share(0.6) })
  const results = await Promise.allSettled([readOf('events', {}), readOf('news', {})])
  expect(results.filter(({ status }) => status === 'rejected')).not.toEqual([])
})

test('does not count what it has rejected', async () => {
  const pages = { rows: 10, bytes: 1, total: 40, text: share(0.5) }
  const { readOf } = websiteOf(pages)
  await readOf('events', {})
  pages.text = share(0.6)
  await expect(readOf('news', {})).rejects.toMatchObject({ kind: 'collection_too_large' })
  pages.text = share(0.4)
  expect((await readOf('announce', {})).items).toHaveLength(40)
})

test.for([
  [4096, 64],
  [1024, 64],
  [384, 24],
])('with a heap of %i MiB, collections have at most %i MiB of text', ([heap = 0, text = 0]) => {
  expect(maxTextBytes(heap * mebibyte)).toBe(text * mebibyte)
})

test('keeps only the known part of each page', async () => {
  const { read } = websiteOf({ rows: 2, bytes: 1, total: 2 })
  const { items } = await read((page) => ({ ...page, items: page.items.map(() => 'known') }))
  expect(items).toEqual(['known', 'known'])
})

/** Creates a client for an endpoint that rejects the first calls with the given error code. */
async function refusing(code: string, times: number) {
  const seen: (string | undefined)[] = []
  let toBreak = 0
  const breakNext = (calls: number) => void (toBreak = calls)
  const { url: siteUrl, caPem } = await startHttpsServer((request, response) => {
    if (toBreak > 0) {
      toBreak -= 1
      return void response.destroy()
    }
    seen.push(request.headers.authorization)
    const page = { status: 200, endpoint: 'news', startRow: 1, totalCount: 0, items: [] }
    const refusal = { status: 401, error: 'Unauthorized', code, message: '' }
    const body = seen.length > times ? page : refusal
    response.writeHead(body.status).end(JSON.stringify(body))
  })
  const connection = createConnection({ siteUrl, caPem, now: Date.now })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const { tokens, clock } = tokensOf()
  // The first token was issued some time ago.
  await tokens.current()
  await clock.advance(3_600_000)
  const { readAll } = createDataService(connection, tokens)
  const readNews = async () => (await readAll('news', {}, () => 'person')).items
  return { seen, readNews, breakNext }
}

test.for(['token_expired', 'token_invalid'])('requests one new token after %s', async (code) => {
  const endpoint = await refusing(code, 1)
  expect(await endpoint.readNews()).toEqual([])
  expect(endpoint.seen).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test.for(['token_expired', 'token_invalid'])('pauses after a second %s', async (code) => {
  const endpoint = await refusing(code, 2)
  await expect(endpoint.readNews()).rejects.toMatchObject({ kind: code })
  const paused = { kind: 'token_invalid', retryAfterMs: 300_000 }
  await expect(endpoint.readNews()).rejects.toMatchObject(paused)
  expect(endpoint.seen).toHaveLength(2)
})

test('does not request a new token after any other error', async () => {
  const endpoint = await refusing('refresh_token_supplied', 1)
  await expect(endpoint.readNews()).rejects.toMatchObject({ kind: 'refresh_token_supplied' })
  expect(endpoint.seen).toHaveLength(1)
})

test('retries an interrupted call once', async () => {
  const endpoint = await refusing('', 0)
  endpoint.breakNext(1)
  expect(await endpoint.readNews()).toEqual([])
  endpoint.breakNext(2)
  await expect(endpoint.readNews()).rejects.toMatchObject({ kind: 'interrupted' })
})

/** Codes that the service returns only after it has recognized the access token. */
const accepted = new Set([
  'token_expired',
  'project_disabled',
  'ip_not_allowed',
  'endpoint_not_allowed',
])

test.for(serviceErrorCodes)('an access token that gets %s is recognized or not', async (code) => {
  const body = { status: 401, error: 'Unauthorized', code, message: '' }
  const request = async () => ({ status: 401, body, bodyBytes: 1, retryAfterMs: undefined })
  expect(await isTakenAsAccessToken({ request }, 'token')).toBe(accepted.has(code))
})

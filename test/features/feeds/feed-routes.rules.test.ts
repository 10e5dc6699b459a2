import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { exchange, readAnswer, requestText, send, type RawAnswer } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/*
 * Tests the HTTP rules for feed responses over real sockets, with the front and without it. The tests of
 * `accept-encoding.ts` and `conditional.ts` list all forms of the headers.
 */

const path = '/events.ics'

type Encoding = 'identity' | 'gzip' | 'br'
type Status = 200 | 304 | 412

const past = 'Thu, 01 Jan 2026 00:00:00 GMT'
const future = 'Fri, 01 Jan 2027 00:00:00 GMT'

/**
 * Headers of a request, and the status and encoding of the expected response. In the headers,
 * `{br}` and other encodings represent the ETag of that encoding, and `{date}` represents
 * Last-Modified.
 */
const feedRequests: readonly (readonly [headers: string, Status, Encoding?])[] = [
  ['', 200, 'identity'],
  ['Accept-Encoding: gzip, deflate, br, zstd', 200, 'br'],
  ['Accept-Encoding: gzip', 200, 'gzip'],
  ['Accept-Encoding: br;q=0.1, gzip;q=0.2', 200, 'gzip'],
  ['Accept-Encoding: zstd, identity;q=0', 200, 'identity'],
  ['If-None-Match: {identity}', 304, 'identity'],
  ['If-None-Match: "a", W/{identity} , "b"', 304, 'identity'],
  ['If-None-Match: *', 304, 'identity'],
  ['If-None-Match: "a"', 200, 'identity'],
  ['Accept-Encoding: gzip\nIf-None-Match: {gzip}', 304, 'gzip'],
  ['Accept-Encoding: gzip, br\nIf-None-Match: {gzip}', 304, 'gzip'],
  ['If-None-Match: {gzip}', 200, 'identity'],
  ['Accept-Encoding: gzip\nIf-None-Match: {identity}', 304, 'identity'],
  ['Accept-Encoding: gzip, identity;q=0\nIf-None-Match: {identity}', 200, 'gzip'],
  ['If-None-Match: {identity}\nCache-Control: no-cache\nPragma: no-cache', 304, 'identity'],
  ['If-Modified-Since: {date}', 304, 'identity'],
  [`If-Modified-Since: ${future}`, 200, 'identity'],
  [`If-Modified-Since: ${past}`, 200, 'identity'],
  [`If-None-Match: "a"\nIf-Modified-Since: ${future}`, 200, 'identity'],
  [`If-None-Match: {identity}\nIf-Modified-Since: ${past}`, 304, 'identity'],
  ['If-Match: {identity}', 200, 'identity'],
  ['If-Match: W/{identity}', 412],
  [`If-Unmodified-Since: ${past}`, 412],
  ['If-Unmodified-Since: {date}', 200, 'identity'],
  ['Range: bytes=0-9\nIf-Range: {identity}', 200, 'identity'],
]

type Station = Awaited<ReturnType<typeof startTestService>>
type Bodies = Readonly<Record<Encoding, RawAnswer>>
type Way = 'the front' | 'Express'

async function bodiesOf({ url, clock }: Station): Promise<Bodies> {
  const inEncoding = (encoding: Encoding) =>
    exchange(url, requestText(path, { headers: { 'Accept-Encoding': encoding } }))
  // Brotli compression finishes after the other encodings.
  await waitUntil(async () => (await inEncoding('br')).headers['content-encoding'] === 'br')
  // Responses have no date in the second of a change.
  await clock.advance(1000)
  return {
    identity: await inEncoding('identity'),
    gzip: await inEncoding('gzip'),
    br: await inEncoding('br'),
  }
}

const started = new AsyncDisposableStack()
afterAll(() => started.disposeAsync())
const publicFeedIds = ['events', 'news']
const service = started.use(
  await startTestService({ publicFeedIds, openServer: openFrontedServer }),
)
const stations: Readonly<Record<Way, Station>> = {
  'the front': service,
  Express: started.use(await startTestService({ publicFeedIds })),
}
/** Response in each encoding. */
const bodies: Readonly<Record<Way, Bodies>> = {
  'the front': await bodiesOf(stations['the front']),
  Express: await bodiesOf(stations.Express),
}

const tagOf = (encoding: Encoding, way: Way = 'the front') =>
  bodies[way][encoding].headers['etag'] ?? ''
const lastModified = (way: Way) => bodies[way].identity.headers['last-modified'] ?? ''

/** Returns the text of a keep-alive request. */
const keeping = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: feeds.example\r\n${headers}\r\n`

/** Sends a request, and checks that its log line has a request id only if Express responded. */
async function handledBy(way: Way, text: string): Promise<Buffer> {
  const { url, clock, lines } = stations[way]
  // The front caches the response in each encoding.
  for (const encoding of ['identity', 'gzip', 'br', 'br, gzip']) {
    await exchange(url, requestText(path, { headers: { 'Accept-Encoding': encoding } }))
  }
  await clock.advance(1000)
  const handled = () => lines.filter((line) => line.includes('"id":')).length
  const before = handled()
  const bytes = await send(url, text)
  const isPrecondition = /If-(?:Match|Unmodified-Since)/i.test(text)
  await waitFor(() =>
    expect(handled()).toBe(before + (way === 'Express' || isPrecondition ? 1 : 0)),
  )
  return bytes
}

/** Reads the headers of a request in the table, and fills in ETags and times. */
function filled(text: string, way: Way): Readonly<Record<string, string>> {
  const lines = text
    .replaceAll(/\{(identity|gzip|br)\}/g, (_match, encoding: Encoding) => tagOf(encoding, way))
    .replace('{date}', lastModified(way))
    .split('\n')
  return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(': ')))
}

const failedText = 'The feed does not match the conditions in the request.\n'

const alwaysSent = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=300, stale-if-error=86400',
  vary: 'Accept-Encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Feedhouse-Unknown-Parameters',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Returns all expected headers except connection headers. */
function expectedHeaders(way: Way, status: Status, encoding: Encoding) {
  if (status === 412) {
    const type = 'text/plain; charset=utf-8'
    const length = String(failedText.length)
    const { 'cache-control': _public, vary: _vary, ...crossOrigin } = alwaysSent
    const rest = {
      'content-type': type,
      'cache-control': 'no-store',
      'content-length': length,
      'x-content-type-options': 'nosniff',
    }
    return { ...rest, ...crossOrigin }
  }
  const always = { ...alwaysSent, etag: tagOf(encoding, way), 'last-modified': lastModified(way) }
  if (status === 304) return { ...always, 'x-content-type-options': 'nosniff' }
  return {
    ...always,
    'content-type': 'text/calendar; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline; filename="Cedar Hollow Volunteer Fire Department - Events.ics"',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    'content-length': String(bodies[way][encoding].body.length),
  }
}

function expectedBody(way: Way, status: Status, encoding: Encoding): Buffer {
  if (status === 304) return Buffer.alloc(0)
  if (status === 412) return Buffer.from(failedText)
  return bodies[way][encoding].body
}

describe.for(['the front', 'Express'] as const)('%s', (way) => {
  test.for(feedRequests)(
    'responds to GET and HEAD with the headers %j: %s',
    async ([headers, status, encoding = 'identity']) => {
      const ask = (method: string) =>
        handledBy(way, requestText(path, { method, headers: filled(headers, way) }))
      const [get, head] = [await ask('GET'), await ask('HEAD')]
      const answer = readAnswer(get)
      expect(answer.status).toBe(status)
      const expected = expectedHeaders(way, status, encoding)
      expect(answer.headers).toEqual({ ...expected, connection: 'close' })
      expect(answer.body.equals(expectedBody(way, status, encoding))).toBe(true)
      expect(readAnswer(head)).toEqual({ ...answer, body: Buffer.alloc(0) })
    },
  )

  test('closes HTTP/1.0 connections after the response', async () => {
    const bytes = await handledBy(way, `GET ${path} HTTP/1.0\r\n\r\n`)
    const { status, headers, body } = readAnswer(bytes)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ connection: 'close', etag: tagOf('identity', way) })
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(body.equals(bodies[way].identity.body)).toBe(true)
  })
})

test('accepts an absolute-form request target, even when it is repeated', async () => {
  for (let time = 0; time < 2; time += 1) {
    const { headers } = await exchange(service.url, requestText(`http://feeds.example${path}`))
    expect(headers['etag']).toBe(tagOf('identity'))
  }
})

test('keeps an HTTP/1.0 connection alive on request', async () => {
  const keep = `GET ${path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`
  const bytes = await send(service.url, `${keep}GET ${path} HTTP/1.0\r\n\r\n`)
  expect(bytes.toString('latin1').match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('serves each encoding with a strong ETag that is different from the others', () => {
  const { identity, gzip, br } = bodies['the front']
  expect(identity.body.toString()).toMatch(/^BEGIN:VCALENDAR\r\n/)
  expect(gunzipSync(gzip.body).equals(identity.body)).toBe(true)
  expect(brotliDecompressSync(br.body).equals(identity.body)).toBe(true)
  expect(br.body.length).toBeLessThan(gzip.body.length)
  const tags = [tagOf('identity'), tagOf('gzip'), tagOf('br')]
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]{43}(?:-gzip|-br)?"$/)
  expect(new Set(tags).size).toBe(3)
})

test('the front and Express send the same headers in the same order', async () => {
  for (const [headers] of feedRequests) {
    const headOf = async (way: Way) => {
      const text = requestText(path, { headers: filled(headers, way) })
      const { head } = readAnswer(await handledBy(way, text))
      return head.map((line) => line.split(':', 1)[0])
    }
    expect(await headOf('the front')).toEqual(await headOf('Express'))
  }
})

test('responds to pipelined requests in order', async () => {
  await exchange(service.url, requestText(path))
  const bytes = await send(
    service.url,
    [
      keeping(path),
      keeping('/news.rss?x=pipelined'),
      keeping(path, `If-None-Match: ${tagOf('identity')}\r\n`),
      requestText('/nothing'),
    ].join(''),
  )
  const text = bytes.toString('latin1')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    [200, 200, 304, 404].map((status) => `HTTP/1.1 ${status}`),
  )
  expect(text.indexOf('BEGIN:VCALENDAR')).toBeLessThan(text.indexOf('<rss'))
})

describe('the download option', () => {
  test.for([
    ['/events.ics?download=1', 'attachment', 'Events.ics'],
    ['/events.ics?download=0', 'inline', 'Events.ics'],
    ['/news.json?download=1', 'attachment', 'News.json'],
  ] as const)('serves %s as %s', async ([target, type, name]) => {
    const disposition = `${type}; filename="Cedar Hollow Volunteer Fire Department - ${name}"`
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await exchange(service.url, requestText(target))
      expect(headers['content-disposition']).toBe(disposition)
    }
  })

  test('does not change the content', async () => {
    const { headers } = await exchange(service.url, requestText('/events.ics?download=1'))
    expect(headers['etag']).toBe(tagOf('identity'))
  })

  test('responds with 400 to other values', async () => {
    const { status, body } = await exchange(service.url, requestText('/events.ics?download=yes'))
    expect([status, body.toString()]).toEqual([400, 'download must be 0 or 1.\n'])
  })
})

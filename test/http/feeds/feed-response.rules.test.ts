import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepting, feedRequests, type Case, type Encoding } from '../../support/feed-requests.ts'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { exchange, readAnswer, requestText, send, type RawAnswer } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/*
 * Tests all HTTP rules for feed responses over real sockets, with the front and without it.
 */

const path = '/events.ics'

type Station = Awaited<ReturnType<typeof startTestService>>
type Bodies = Readonly<Record<Encoding, RawAnswer>>
type Way = 'the front' | 'Express'

let service: Station
let stations: Readonly<Record<Way, Station>>
/** Response in each encoding. */
let bodies: Readonly<Record<Way, Bodies>>

async function bodiesOf({ url }: Station): Promise<Bodies> {
  const inEncoding = (encoding: Encoding) =>
    exchange(url, requestText(path, { headers: { 'Accept-Encoding': encoding } }))
  // Brotli compression finishes after the other encodings.
  await waitUntil(async () => (await inEncoding('br')).headers['content-encoding'] === 'br')
  return {
    identity: await inEncoding('identity'),
    gzip: await inEncoding('gzip'),
    br: await inEncoding('br'),
  }
}

beforeAll(async () => {
  const publicFeedIds = ['events', 'news']
  service = await startTestService({ publicFeedIds, openServer: openFrontedServer })
  stations = { 'the front': service, Express: await startTestService({ publicFeedIds }) }
  bodies = {
    'the front': await bodiesOf(stations['the front']),
    Express: await bodiesOf(stations.Express),
  }
})

afterAll(async () => {
  for (const station of Object.values(stations)) await station[Symbol.asyncDispose]()
})

const tagOf = (encoding: Encoding, way: Way = 'the front') =>
  bodies[way][encoding].headers['etag'] ?? ''
const lastModified = (way: Way) => bodies[way].identity.headers['last-modified'] ?? ''

/** Returns the text of a keep-alive request. */
const keeping = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: feeds.example\r\n${headers}\r\n`

/** Sends a request, and checks that its log line has a request id only if Express responded. */
async function handledBy(way: Way, text: string): Promise<Buffer> {
  const { url, clock, lines } = stations[way]
  // The front keeps the response in each encoding.
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

/** Replaces `{br}` and other encodings with their ETags, and `{date}` with the Last-Modified time. */
function filled(headers: Readonly<Record<string, string>>, way: Way) {
  const values = Object.entries(headers).map(([name, value]) => [
    name,
    value
      .replace(/\{(identity|gzip|br)\}/g, (_match, encoding: Encoding) => tagOf(encoding, way))
      .replace('{date}', lastModified(way)),
  ])
  return Object.fromEntries(values) as Record<string, string>
}

const failedText = 'The feed does not match the conditions in the request.\n'

const alwaysSent = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=300, stale-if-error=86400',
  vary: 'Accept-Encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Returns all expected headers except connection headers. */
function expectedHeaders({ status, encoding = 'identity' }: Case['expected'], way: Way) {
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

function expectedBody({ status, encoding = 'identity' }: Case['expected'], way: Way): Buffer {
  if (status === 304) return Buffer.alloc(0)
  if (status === 412) return Buffer.from(failedText)
  return bodies[way][encoding].body
}

describe.for(['the front', 'Express'] as const)('%s', (way) => {
  test.for(feedRequests)(
    'responds to GET and HEAD with $name: $expected',
    async ({ headers, expected }) => {
      const ask = (method: string) =>
        handledBy(way, requestText(path, { method, headers: filled(headers, way) }))
      const [get, head] = [await ask('GET'), await ask('HEAD')]
      const answer = readAnswer(get)
      expect(answer.status).toBe(expected.status)
      expect(answer.headers).toEqual({ ...expectedHeaders(expected, way), connection: 'close' })
      expect(answer.body.equals(expectedBody(expected, way))).toBe(true)
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
  for (const { headers } of feedRequests) {
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
    [
      '/events.ics?download=1',
      'attachment; filename="Cedar Hollow Volunteer Fire Department - Events.ics"',
    ],
    [
      '/events.ics?download=0',
      'inline; filename="Cedar Hollow Volunteer Fire Department - Events.ics"',
    ],
    [
      '/news.json?download=1',
      'attachment; filename="Cedar Hollow Volunteer Fire Department - News.json"',
    ],
  ] as const)('serves %s as %s', async ([target, disposition]) => {
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

test.for(['/news.rss', '/news.atom', '/news.json'])('compresses %s', async (target) => {
  const zipped = await exchange(service.url, requestText(target, { headers: accepting('gzip') }))
  const plain = await exchange(service.url, requestText(target))
  expect(zipped.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
})

import { expect, test } from 'vitest'
import type { AcceptEncoding } from '../../src/front/accept-encoding.ts'
import { createCachedFetch } from '../../src/front/cached-fetch.ts'
import { createResponseCache } from '../../src/front/response-cache.ts'
import { createFakeClock, timesOf } from '../support/fake-clock.ts'
import { workerResponse } from './worker-response.ts'

const minuteMs = 60_000
const origin = { used: () => undefined, isFollowed: () => true }
const limits = { recentMs: 8, hangingMs: 100, anyMs: 2_000, maxMs: 9_000 }

type Sent = { readonly path: string; readonly headers: readonly string[] }

/** A front whose worker's responses are controlled by the test. */
function frontWith(respond: (sent: Sent) => Promise<Partial<Reply>> | Partial<Reply>) {
  const clock = createFakeClock()
  const times = timesOf(clock)
  const cache = createResponseCache(times)
  const fetched: Sent[] = []
  const cached = createCachedFetch({
    cache,
    times,
    clock,
    limits,
    connection: () => ({
      async get(_client, path, headers) {
        const sent = { path, headers }
        fetched.push(sent)
        return messageOf(await respond(sent))
      },
    }),
  })
  return {
    clock,
    cache,
    cached,
    fetched,
    ask: (path: string, accept: AcceptEncoding = 'gzip', isShared = true) =>
      cached.answer({
        asked: { key: path, host: 'a', path, origin },
        client: '192.0.2.1',
        accept,
        rawHeaders: ['Host', 'a'],
        isShared,
      }),
  }
}

type Reply = {
  readonly status: number
  readonly body: string
  readonly representation: string
  readonly maxAge: number
  readonly headers: Readonly<Record<string, string>>
}

function messageOf({
  status = 200,
  body = 'body',
  representation = 'news',
  maxAge = 300,
  headers: more = {},
}: Partial<Reply>) {
  const fields = {
    'feedhouse-site': 'main',
    'feedhouse-representation': representation,
    'feedhouse-tags': '',
    'feedhouse-cache-control': `max-age=${maxAge}, stale-while-revalidate=60, stale-if-error=600`,
    'feedhouse-use': '',
  }
  return workerResponse(status, { body, etag: body }, { ...fields, ...more })
}

const never = new Promise<never>(() => undefined)

test('answers at least 95% of the requests of 1,000 links without the worker', async () => {
  let version = 0
  const { clock, cache, cached, ask } = frontWith(({ path }) => ({
    body: String(version),
    representation: path.split('/')[3] ?? '',
  }))
  const feeds = ['events.ics', 'news.rss', 'all.ics']
  const urls = Array.from({ length: 1_000 }, (_, link) =>
    feeds.map((feed) => `/l/${link}/${feed}`),
  ).flat()
  let [requests, fromCache] = [0, 0]
  for (let minute = 0; minute < 120; minute += 1) {
    if (minute % 10 === 0) {
      version += 1
      await cached.refetch(cache.expire('main', feeds, minuteMs), origin)
    }
    // Each link reads its feeds every half hour. The first half hour fills the cache.
    for (const url of urls.slice((minute % 30) * 100, (minute % 30) * 100 + 100)) {
      const kept = cache.peek(url)?.representation.responses.get('gzip')
      const isFresh = kept !== undefined && kept.freshUntil.at > clock.now()
      if (minute >= 30) {
        requests += 1
        fromCache += isFresh ? 1 : 0
      }
      const answer = await ask(url)
      const body = answer.kind === 'cached' ? answer.response.body.toString() : ''
      expect(body).toBe(String(version))
    }
    await clock.advance(minuteMs)
  }
  expect(requests).toBe(9_000)
  expect(fromCache / requests).toBeGreaterThan(0.95)
})

test('fetches once for all clients that are waiting for the same response', async () => {
  const { ask, fetched } = frontWith(() => ({}))
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/news')))
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['cached']))
  expect(fetched).toHaveLength(1)
})

test('fetches again for each client with cookies or a password, and for uncacheable responses', async () => {
  const { ask, fetched } = frontWith(({ path }) =>
    path === '/own' ? { headers: { 'set-cookie': 'a=b' } } : {},
  )
  await Promise.all([1, 2].map(() => ask('/news', 'gzip', false)))
  expect(fetched).toHaveLength(2)
  const answers = await Promise.all([1, 2].map(() => ask('/own')))
  expect(answers.map(({ kind }) => kind)).toEqual(['passed', 'passed'])
  expect(new Set(answers.map((each) => each.kind === 'passed' && each.response)).size).toBe(2)
})

test('revalidates with its own ETag, and takes the fields of a 304 response', async () => {
  let headers: Readonly<Record<string, string>> = { 'board-read': 'first' }
  const { clock, ask, fetched } = frontWith(({ headers: sent }) => ({
    status: sent.includes('If-None-Match') ? 304 : 200,
    headers,
  }))
  await ask('/news')
  await clock.advance(5 * minuteMs)
  headers = { 'board-read': 'second' }
  const answer = await ask('/news')
  const condition = ['If-None-Match', '"body-gzip"']
  expect(fetched[1]?.headers).toEqual(['Host', 'a', 'Accept-Encoding', 'gzip', ...condition])
  const response = answer.kind === 'cached' ? answer.response : undefined
  expect(response?.body.toString()).toBe('body')
  expect(response?.head).toContain('second')
  expect(response?.head).not.toContain('first')
  await ask('/news')
  expect(fetched).toHaveLength(2)
})

test('keeps the unknown parameters of each URL when one fetch serves several', async () => {
  const { clock, ask, fetched } = frontWith(({ path, headers: sent }) => ({
    status: sent.includes('If-None-Match') ? 304 : 200,
    headers: path === '/news' ? {} : { 'feedhouse-unknown-parameters': `"${path}"` },
  }))
  const urls = ['/news', '/news?foo', '/news?bar']
  const unknownAt = async (path: string) => {
    const answer = await ask(path)
    return answer.kind === 'cached' ? answer.url.fields.unknownParameters : answer.kind
  }
  for (const order of [urls, urls, urls.toReversed()]) {
    const expected = order.map((path) => (path === '/news' ? undefined : `"${path}"`))
    expect(await Promise.all(order.map(unknownAt))).toEqual(expected)
    await clock.advance(5 * minuteMs)
  }
  expect(fetched).toHaveLength(3 + 1 + 1)
})

test('asks again for a better encoding than it has', async () => {
  const { clock, cache, fetched, ask } = frontWith(() => ({}))
  await ask('/news', 'br, gzip')
  cache.expire('main', ['news'], minuteMs)
  await clock.advance(1)
  await ask('/news', 'br, gzip')
  expect(fetched.map(({ headers }) => headers.includes('If-None-Match'))).toEqual([false, false])
})

test.for([
  { name: 'recently outdated, after 8 milliseconds', sinceMs: minuteMs - 10, waitMs: 8 },
  { name: 'outdated for longer, after 2 seconds', sinceMs: minuteMs, waitMs: 2_000 },
])('sends a response that is $name', async ({ sinceMs, waitMs }) => {
  let count = 0
  const { clock, ask } = frontWith(() => (count++ === 0 ? {} : never))
  await ask('/news')
  await clock.advance(5 * minuteMs + sinceMs)
  const answering = ask('/news')
  let isAnswered = false
  void answering.then(() => (isAnswered = true))
  await clock.advance(waitMs - 1)
  expect(isAnswered).toBe(false)
  await clock.advance(1)
  expect((await answering).kind).toBe('cached')
})

test('waits only a few milliseconds for all requests together while a response is being fetched', async () => {
  let count = 0
  const { clock, ask } = frontWith(() => (count++ === 0 ? {} : never))
  await ask('/news')
  await clock.advance(6 * minuteMs - 10)
  void ask('/news')
  await clock.advance(limits.recentMs)
  const askedAt = clock.now()
  expect([(await ask('/news')).kind, clock.now() - askedAt, count]).toEqual(['cached', 0, 2])
})

test('does not wait again for a slow worker until it responds', async () => {
  let respond: ((reply: Partial<Reply>) => void) | undefined
  let isHanging = false
  const { clock, ask } = frontWith(({ path }) => {
    const reply = { representation: path }
    if (!isHanging) return reply
    const responding = new Promise<Partial<Reply>>((resolve) => (respond = resolve))
    const failing = clock.sleep(limits.maxMs).then(() => Promise.reject(new Error('timeout')))
    return Promise.race([responding, failing])
  })
  const timeFor = async (path: string) => {
    const askedAt = clock.now()
    const waitedMs = ask(path).then(() => clock.now() - askedAt)
    await clock.advance(limits.anyMs)
    return waitedMs
  }
  for (const path of ['/a', '/b', '/c']) await ask(path)
  await clock.advance(7 * minuteMs)
  isHanging = true
  expect([await timeFor('/a'), await timeFor('/b')]).toEqual([2_000, 100])
  respond?.({ representation: '/b' })
  await clock.advance(1)
  expect([await timeFor('/c'), await timeFor('/b')]).toEqual([2_000, 0])
  // All pending requests have failed, as when the process has been replaced.
  await clock.advance(limits.maxMs)
  expect(await timeFor('/c')).toBe(2_000)
})

test('fails after half a minute for feed readers', async () => {
  const { clock, ask } = frontWith(() => never)
  const answering = ask('/news.rss')
  let isAnswered = false
  void answering.then(() => (isAnswered = true))
  await clock.advance(29_999)
  expect(isAnswered).toBe(false)
  await clock.advance(1)
  expect((await answering).kind).toBe('failed')
})

test('fails after nine seconds if it has nothing, or nothing that is not too old', async () => {
  let count = 0
  const { clock, ask } = frontWith(() => (count++ === 0 ? {} : never))
  await ask('/news')
  await clock.advance(5 * minuteMs + 600_000)
  for (const path of ['/news', '/other']) {
    const answering = ask(path)
    await clock.advance(12_000)
    expect((await answering).kind).toBe('failed')
  }
})

test('refetches changed responses in every encoding that clients have used', async () => {
  const { cached, cache, fetched, ask } = frontWith(({ headers }) => ({
    headers: headers.includes('identity') ? { 'content-encoding': 'identity' } : {},
  }))
  await ask('/news')
  await ask('/news', 'identity')
  const newOwner = { ...origin }
  await cached.refetch(cache.expire('main', ['news'], minuteMs), newOwner)
  expect(fetched).toHaveLength(4)
  expect(cache.peek('/news')?.origin).toBe(newOwner)
  const before = fetched.length
  expect(await ask('/news')).toMatchObject({ kind: 'cached' })
  expect(fetched).toHaveLength(before)
})

test.for([
  { accept: 'br, gzip', kind: 'cached' },
  { accept: 'br', kind: 'failed' },
  { accept: 'identity', kind: 'failed' },
] as const)(
  'sends a response fetched for another encoding if the worker fails: $accept',
  async ({ accept, kind }) => {
    let count = 0
    const { ask, cache } = frontWith(() => (count++ === 0 ? {} : Promise.reject(new Error('gone'))))
    await ask('/news')
    expect(cache.ifError({ asked: { key: '/news' }, accept }) !== undefined).toBe(kind === 'cached')
    expect((await ask('/news', accept)).kind).toBe(kind)
  },
)

import { expect, test } from 'vitest'
import type { AcceptEncoding } from '../../src/front/accept-encoding.ts'
import type { CacheFields } from '../../src/front/cache-fields.ts'
import { deadlineAfter, type CachedResponse } from '../../src/front/cached-response.ts'
import { cacheLimits, createResponseCache } from '../../src/front/response-cache.ts'

const start = { at: 1_000_000, elapsed: 0 }
const origin = { used: () => undefined, isFollowed: () => true }

function cacheOf(limits: Partial<typeof cacheLimits> = {}) {
  let now = start
  const free = { urlBytes: 0, responseBytes: 0 }
  const cache = createResponseCache(() => now, { ...cacheLimits, ...free, ...limits })

  function put(
    key: string,
    fields: Partial<CacheFields> & {
      body?: string
      accept?: AcceptEncoding
      lastModified?: string
    } = {},
    fetched = cache.beginFetch(),
  ) {
    const { body = key, accept = 'gzip', lastModified = '', ...others } = fields
    const complete: CacheFields = {
      site: 'main',
      representation: key,
      tags: [],
      maxAgeMs: 300_000,
      staleWhileRevalidateMs: 60_000,
      staleIfErrorMs: 600_000,
      use: '',
      ...others,
    }
    const response = {
      etag: `"${body}"`,
      lastModified,
      etagsFor: () => [`"${body}"`],
      body: Buffer.from(body),
      freshUntil: deadlineAfter(now, complete.maxAgeMs),
      staleWhileRevalidateMs: complete.staleWhileRevalidateMs,
      staleIfErrorMs: complete.staleIfErrorMs,
      coding: 'identity',
      head: [],
      notModifiedHead: [],
      timeField: undefined,
    } satisfies CachedResponse
    const asked = { key, host: '', path: key, origin }
    const url = cache.store(asked, accept, { fields: complete, response }, fetched)
    fetched[Symbol.dispose]()
    return url
  }

  const responseOf = (key: string, accept: AcceptEncoding = 'gzip') =>
    cache.find(key, now)?.representation.responses.get(accept)
  return {
    cache,
    put,
    responseOf,
    bodyOf: (key: string) => responseOf(key)?.body.toString(),
    freshMsOf: (key: string) => (responseOf(key)?.freshUntil.at ?? NaN) - now.at,
    setTimes: (at: number, elapsed: number) =>
      void (now = { at: start.at + at, elapsed: start.elapsed + elapsed }),
  }
}

const dateOf = (ms: number) => new Date(ms).toUTCString()

test('sends other content as modified later than any of its URLs', () => {
  const { put, responseOf } = cacheOf()
  const modifiedAt = () => Date.parse(responseOf('/l/a')?.lastModified ?? '')
  const shared = { representation: 'events' }
  put('/l/a', { ...shared, body: 'old', lastModified: dateOf(100_000) })
  put('/l/b', { ...shared, body: 'old', lastModified: dateOf(100_000), changedAt: 900_000 })
  expect(modifiedAt()).toBe(100_000)
  put('/l/a', { ...shared, body: 'new', lastModified: dateOf(800_000) })
  expect(modifiedAt()).toBe(start.at)
})

test('sends content that changed again in the same second as modified later', () => {
  const { put, responseOf } = cacheOf()
  put('/a', { representation: 'events', body: 'old', lastModified: dateOf(100_000) })
  put('/a', { representation: 'events', body: 'new', lastModified: dateOf(100_000) })
  expect(Date.parse(responseOf('/a')?.lastModified ?? '')).toBe(start.at)
})

test('shares bodies and freshness among the URLs of a representation', () => {
  const { cache, put, bodyOf } = cacheOf()
  put('/a', { representation: 'news', body: 'one' })
  put('/b', { representation: 'news', body: 'two' })
  expect([bodyOf('/a'), bodyOf('/b')]).toEqual(['two', 'two'])
  expect(cache.bytes()).toBe(2 * 2 + 3)
  cache.removeUrl('/a')
  expect([bodyOf('/a'), bodyOf('/b')]).toEqual([undefined, 'two'])
  cache.removeUrl('/b')
  expect(cache.bytes()).toBe(0)
})

test('counts the unknown parameters of a URL', () => {
  const { cache, put } = cacheOf()
  put('/a', { body: 'one', unknownParameters: '"foo"' })
  expect(cache.bytes()).toBe(2 + 3 + 5)
  cache.removeUrl('/a')
  expect(cache.bytes()).toBe(0)
})

test('keeps a body once that is the same for two kinds of clients', () => {
  const { cache, put, responseOf } = cacheOf()
  put('/a', { body: 'zipped', accept: 'gzip' })
  put('/a', { body: 'zipped', accept: 'br, gzip' })
  expect(responseOf('/a', 'br, gzip')?.body).toBe(responseOf('/a', 'gzip')?.body)
  expect(cache.bytes()).toBe(2 + 6)
})

test('removes a site’s responses with a tag, but none of other sites', () => {
  const { cache, put, bodyOf } = cacheOf()
  put('/a', { tags: ['link:1', 'pages'] })
  put('/b', { tags: ['pages'] })
  put('/c', { tags: ['pages'], site: 'other' })
  cache.remove('main', ['link:1', 'unknown'])
  expect(['/a', '/b', '/c'].map(bodyOf)).toEqual([undefined, '/b', '/c'])
  cache.remove('main')
  expect(['/b', '/c'].map(bodyOf)).toEqual([undefined, '/c'])
})

test('expires representations by name or tag, with the time for which they may still be sent', () => {
  const { cache, put, responseOf, freshMsOf } = cacheOf()
  put('/news')
  put('/page', { tags: ['pages'] })
  put('/other')
  const expired = cache.expire('main', ['/news', 'pages'], 0)
  expect(expired.map(({ name }) => name)).toEqual(['/news', '/page'])
  expect(['/news', '/page', '/other'].map(freshMsOf)).toEqual([0, 0, 300_000])
  expect(responseOf('/news')).toMatchObject({ staleWhileRevalidateMs: 0, staleIfErrorMs: 600_000 })
})

test('returns only representations to fetch again that were used within the hour', () => {
  const { cache, put, setTimes, responseOf } = cacheOf()
  put('/used')
  put('/unused')
  setTimes(3_000_000, 3_000_000)
  responseOf('/used')
  setTimes(3_700_000, 3_700_000)
  expect(cache.expire('main', ['/used', '/unused'], 0).map(({ name }) => name)).toEqual(['/used'])
})

test.for([
  { name: 'the time has come', at: 60_000, elapsed: 60_000, isKept: false },
  { name: 'the clock jumps ahead', at: 60_000, elapsed: 1, isKept: false },
  { name: 'the clock jumps back', at: -1_000_000, elapsed: 60_000, isKept: false },
  { name: 'the time has not come', at: 59_999, elapsed: 59_999, isKept: true },
])('does not find the URL of a link that ends: $name', ({ at, elapsed, isKept }) => {
  const { put, bodyOf, setTimes } = cacheOf()
  put('/l/key', { until: start.at + 60_000 })
  setTimes(at, elapsed)
  expect(bodyOf('/l/key') !== undefined).toBe(isKept)
})

test('does not cache a response that was removed while it was being fetched', () => {
  const { cache, put, bodyOf } = cacheOf()
  for (const remove of [
    () => cache.remove('main'),
    () => cache.remove('main', ['pages']),
    () => cache.remove('main', ['/a']),
    () => cache.removeUrl('/a'),
  ]) {
    const fetched = cache.beginFetch()
    remove()
    expect(put('/a', { tags: ['pages'] }, fetched)).toBeUndefined()
  }
  const fetched = cache.beginFetch()
  cache.remove('main', ['other'])
  cache.remove('other')
  expect(put('/a', { tags: ['pages'] }, fetched)).toBeDefined()
  expect(bodyOf('/a')).toBe('/a')
})

test('keeps a response that expired while it was fetched only as an outdated one', () => {
  const { cache, put, freshMsOf } = cacheOf()
  const fetched = cache.beginFetch()
  cache.expire('main', ['/a'], 60_000)
  put('/a', {}, fetched)
  expect(freshMsOf('/a')).toBe(0)
})

test('survives a storm of purges while a response is fetched', () => {
  const { cache, put } = cacheOf({ maxPurges: 100 })
  const fetched = cache.beginFetch()
  for (let id = 0; id < 10_000; id += 1) cache.remove('main', [`link:${id}`])
  expect(put('/a', {}, fetched)).toBeUndefined()
  expect(put('/a')).toBeDefined()
})

test('removes the URLs of 10,000 edited links', () => {
  const { cache, put } = cacheOf()
  for (let id = 0; id < 10_000; id += 1) {
    put(`/l/${id}`, { representation: 'news', tags: [`link:${id}`] })
  }
  for (let id = 0; id < 10_000; id += 1) cache.remove('main', [`link:${id}`])
  expect(cache.bytes()).toBe(0)
})

test('forgets the least recently used URLs of the largest site when it is full', () => {
  const { put, bodyOf } = cacheOf({ maxBytes: 40 })
  put('/small', { site: 'small', body: 'small' })
  for (const key of ['/1', '/2']) put(key, { body: '0123456789' })
  bodyOf('/1')
  put('/3', { body: '0123456789' })
  expect(['/small', '/1', '/2', '/3'].filter(bodyOf)).toEqual(['/small', '/1', '/3'])
})

test('limits the number of URLs', () => {
  const { put, bodyOf } = cacheOf({ maxUrls: 3 })
  put('/other', { site: 'other' })
  for (const key of ['/1', '/2', '/3']) put(key, { representation: 'same' })
  expect(['/other', '/1', '/2', '/3'].filter(bodyOf)).toEqual(['/other', '/2', '/3'])
})

test('keeps no response that is larger than the cache, or that has a long URL', () => {
  const { cache, put, bodyOf } = cacheOf({ maxBytes: 20, maxUrlLength: 10 })
  put('/a')
  expect(put('/a', { body: 'a'.repeat(21) })).toBeDefined()
  expect(put(`/${'b'.repeat(10)}`)).toBeDefined()
  expect(bodyOf('/a')).toBeUndefined()
  expect(cache.bytes()).toBe(0)
})

test('marks all responses of an exited server as outdated, but may still send them', () => {
  const { cache, put, responseOf, freshMsOf } = cacheOf()
  put('/a')
  cache.expireOrigin({ used: () => undefined, isFollowed: () => true })
  expect(freshMsOf('/a')).toBe(300_000)
  cache.expireOrigin(origin)
  expect([freshMsOf('/a'), responseOf('/a')?.staleIfErrorMs]).toEqual([0, 600_000])
})

test('sends no response of a site while its server is slow if a purge may have been lost', () => {
  const { cache, put, responseOf, freshMsOf } = cacheOf()
  put('/a', { staleWhileRevalidateMs: 60_000 })
  cache.distrustSite('main')
  const { staleWhileRevalidateMs, staleIfErrorMs } = responseOf('/a') ?? {}
  expect([freshMsOf('/a'), staleWhileRevalidateMs, staleIfErrorMs]).toEqual([0, 0, 600_000])
})

test('keeps responses of a site that starts again with the same settings, as outdated ones', () => {
  const { cache, put, bodyOf, freshMsOf, responseOf } = cacheOf()
  cache.restart('main', 'settings 1', [])
  const old = cache.beginFetch()
  put('/feed')
  put('/private', { tags: ['pages', 'link'] })
  put('/ended', { tags: ['pages', 'ended link'] })
  cache.restart('main', 'settings 1', ['pages', 'link'])
  expect(['/feed', '/private'].map(freshMsOf)).toEqual([0, 0])
  expect(responseOf('/feed')?.staleWhileRevalidateMs).toBe(60_000)
  expect(bodyOf('/ended')).toBeUndefined()
  expect(put('/late', {}, old)).toBeUndefined()
})

test('removes all responses of a site that starts again with other settings', () => {
  const { cache, put, bodyOf } = cacheOf()
  const restarts = [
    () => cache.restart('main', 'settings 2', []),
    () => {
      cache.distrustSite('main')
      cache.restart('main', 'settings 1', [])
    },
    () => {
      cache.remove('main')
      put('/feed')
      cache.restart('main', 'settings 1', [])
    },
  ]
  for (const restart of restarts) {
    cache.restart('main', 'settings 1', [])
    put('/feed')
    restart()
    expect(bodyOf('/feed')).toBeUndefined()
  }
})

test('counts the memory of URLs and headers, so that many small pages stay within the limit', () => {
  const limits = { urlBytes: 10, responseBytes: 100, maxBytes: 1_000 }
  const { cache, put, bodyOf } = cacheOf(limits)
  put('/1', { representation: 'one', body: '1' })
  expect(cache.bytes()).toBe('/1'.length + 10 + 100 + 1)
  for (let index = 2; index <= 20; index += 1) {
    put(`/${index}`, { representation: `page ${index}`, body: '1' })
  }
  expect(cache.bytes()).toBeLessThanOrEqual(1_000)
  expect([bodyOf('/1'), bodyOf('/20')]).toEqual([undefined, '1'])
  cache.remove('main')
  expect(cache.bytes()).toBe(0)
})

import { expect, test } from 'vitest'
import { accessTokenFrom, isDomainOf, pageFrom } from '../../src/upstream/envelope.ts'
import { serviceErrorCodes } from '../../src/upstream/upstream-error.ts'

const page = { status: 200, endpoint: 'news', startRow: 1, totalCount: 1, items: [{ id: 1 }] }

function answer(status: number, body: unknown, retryAfterMs?: number) {
  return { status, body, retryAfterMs }
}

test('reads a page', () => {
  expect(pageFrom(answer(200, page), 'news').items).toEqual([{ id: 1 }])
})

const noCode = (status: number) => `news: status ${status} without an error code`

test.for<[name: string, status: number, body: unknown, message?: string]>([
  ['not JSON', 200, undefined],
  ['an array', 200, []],
  ['without items', 200, { ...page, items: undefined }],
  ['items that are not an array', 200, { ...page, items: {} }],
  ['an invalid total count', 200, { ...page, totalCount: 'many' }],
  ['from another endpoint', 200, { ...page, endpoint: 'members' }],
  ['an unknown code', 403, { code: 'quota_of_the_future' }, noCode(403)],
  ['a redirect', 302, undefined, noCode(302)],
  ['a missing page', 404, undefined, noCode(404)],
])('rejects a response that is not from the service: %s', ([, status, body, message]) => {
  expect(() => pageFrom(answer(status, body), 'news')).toThrow(
    expect.objectContaining({ kind: 'unexpected_answer', ...(message && { message }) }),
  )
})

test.for([500, 502, 503, 504, 521])('reports a page with status %i as unavailable', (status) => {
  expect(() => pageFrom(answer(status, undefined, 7000), 'news')).toThrow(
    expect.objectContaining({ kind: 'unavailable', retryAfterMs: 7000 }),
  )
})

test('accepts numbers that are strings, and accepts missing informational properties', () => {
  const odd = { ...page, startRow: '1', totalCount: '1', domain: 7, generated: undefined }
  const read = { startRow: 1, totalCount: 1, domain: '', generated: '' }
  expect(pageFrom(answer(200, odd), 'news')).toMatchObject(read)
})

test('ignores a time that is too long', () => {
  const endless = { ...page, generated: `2026-03-05 10:00:00${' '.repeat(100)}` }
  expect(pageFrom(answer(200, endless), 'news').generated).toBe('')
})

test.for([null, ''])('reads %j instead of items as none', (items) => {
  expect(pageFrom(answer(200, { ...page, items }), 'news').items).toEqual([])
})

const inUpperCase = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toUpperCase(), value]))

test('reads the names of properties, and the endpoint, in any case', () => {
  const odd = inUpperCase({ ...page, endpoint: 'News', sheet: { id: 1 } })
  expect(pageFrom(answer(200, odd), 'news')).toMatchObject({ items: [{ id: 1 }], sheet: { id: 1 } })
  const failure = inUpperCase({ code: 'rate_limited', message: 'Slow down' })
  expect(() => pageFrom(answer(429, failure), 'news')).toThrow(
    expect.objectContaining({ kind: 'rate_limited', remoteMessage: 'Slow down' }),
  )
  const token = inUpperCase({ endpoint: 'Refresh', access_token: 'abc', expires_in: 60 })
  expect(accessTokenFrom(answer(200, token))).toEqual({ token: 'abc', lifetimeMs: 60_000 })
})

test.for<[name: string, change: object, detail: string | undefined]>([
  ['missing', { totalCount: undefined }, 'news: totalCount is missing'],
  ['invalid', { totalCount: 'many' }, 'news: totalCount is invalid'],
  ['invalid', { items: {} }, 'news: items is invalid'],
  ['of another endpoint', { endpoint: 'x' }, 'news: the response is from another endpoint'],
  ['from something else', { endpoint: undefined }, undefined],
])('says what is %s: %j', ([, change, detail]) => {
  expect(() => pageFrom(answer(200, { ...page, ...change }), 'news')).toThrow(
    expect.objectContaining({ kind: 'unexpected_answer', detail }),
  )
})

test('keeps endpoint-specific envelope properties', () => {
  const detail = { ...page, endpoint: 'signup', sheet: { contact: 'Pat' } }
  expect(pageFrom(answer(200, detail), 'signup')['sheet']).toEqual({ contact: 'Pat' })
})

test.for(serviceErrorCodes)('maps the error code %s to an error of the same kind', (code) => {
  const body = { status: 400, error: 'Reason', code, message: 'Sentence' }
  expect(() => pageFrom(answer(400, body, 9000), 'news')).toThrow(
    expect.objectContaining({
      name: 'UpstreamError',
      kind: code,
      message: 'news: status 400',
      retryAfterMs: 9000,
    }),
  )
})

test('reads an access token and its lifetime', () => {
  const body = { status: 200, endpoint: 'refresh', access_token: 'abc', expires_in: 86_400 }
  expect(accessTokenFrom(answer(200, body))).toEqual({ token: 'abc', lifetimeMs: 86_400_000 })
})

test.for([
  { name: 'as text', body: { expires_in: '3600' }, seconds: 3600 },
  { name: 'missing', body: { access_token_expire: '2026-03-06 10:00:00' }, seconds: 86_400 },
  {
    name: 'empty',
    body: { expires_in: '', access_token_expire: '2026-03-06 10:00:00' },
    seconds: 86_400,
  },
])('reads a lifetime that is $name', ({ body, seconds }) => {
  const token = { status: 200, endpoint: 'refresh', access_token: 'abc', ...body }
  expect(accessTokenFrom(answer(200, token))).toEqual({ token: 'abc', lifetimeMs: seconds * 1000 })
})

test.for([
  { name: 'no token', body: { endpoint: 'refresh', expires_in: 60 } },
  { name: 'an empty token', body: { endpoint: 'refresh', access_token: '', expires_in: 60 } },
  { name: 'no lifetime', body: { endpoint: 'refresh', access_token: 'abc', expires_in: 0 } },
])('rejects a token response with $name', ({ body }) => {
  expect(() => accessTokenFrom(answer(200, body))).toThrow(
    expect.objectContaining({ kind: 'unexpected_answer' }),
  )
})

test.for([
  { domain: 'example.org', is: true },
  { domain: 'WWW.Example.org', is: true },
  { domain: '', is: true },
  { domain: 'example.com', is: false },
])('decides whether the domain "$domain" belongs to www.example.org: $is', ({ domain, is }) => {
  expect(isDomainOf(domain, 'https://www.example.org')).toBe(is)
})

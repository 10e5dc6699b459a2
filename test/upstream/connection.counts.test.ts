import { expect, test } from 'vitest'
import { countedConnection, type UpstreamResponse } from '../../src/upstream/connection.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'

const call = { method: 'GET', path: '/apps/api/news/', token: 't' } as const

test('counts calls by outcome', async () => {
  const answers: (() => Promise<UpstreamResponse>)[] = [
    ...[200, 200].map((status) => async () => ({ status, body: {}, retryAfterMs: undefined })),
    ...['rate_limited', 'token_expired', 'made up by somebody'].map((code) => async () => ({
      status: 429,
      body: { code },
      retryAfterMs: undefined,
    })),
    async () => ({ status: 200, body: undefined, retryAfterMs: undefined }),
    async () => ({ status: 502, body: undefined, retryAfterMs: undefined }),
    () => Promise.reject(new UpstreamError('timeout', 'x')),
  ]
  const left = [...answers]
  const { request, counts } = countedConnection({
    request: () => left.shift()?.() ?? Promise.reject(new TypeError('none left')),
  })
  for (const _answer of answers) await request(call).catch(() => undefined)
  expect(Object.fromEntries(counts())).toEqual({
    ok: 2,
    rate_limited: 1,
    token_expired: 1,
    unexpected_answer: 3,
    timeout: 1,
  })
})

test('passes responses and errors through unchanged', async () => {
  const answer = { status: 200, body: {}, retryAfterMs: undefined }
  const error = new UpstreamError('tls', 'x')
  expect(await countedConnection({ request: async () => answer }).request(call)).toBe(answer)
  const failing = countedConnection({ request: () => Promise.reject(error) })
  await expect(failing.request(call)).rejects.toBe(error)
})

import { expect, test } from 'vitest'
import { countedConnection, type UpstreamResponse } from '../../src/upstream/connection.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'

function answer(status: number, body: unknown): UpstreamResponse {
  return { status, body, retryAfterMs: undefined }
}

test('counts calls by outcome', async () => {
  const answers: (UpstreamResponse | UpstreamError)[] = [
    ...[200, 200].map((status) => answer(status, {})),
    ...['rate_limited', 'token_expired', 'made up by somebody'].map((code) =>
      answer(429, { code }),
    ),
    ...[200, 502].map((status) => answer(status, undefined)),
    new UpstreamError('timeout', 'x'),
  ]
  const left = [...answers]
  const { request, counts } = countedConnection({
    async request() {
      const next = left.shift()
      if (!next || next instanceof UpstreamError) throw next ?? new TypeError('none left')
      return next
    },
  })
  // Responses and errors are passed through unchanged.
  for (const each of answers) {
    expect(
      await request({ method: 'GET', path: '/', token: '' }).catch((error: unknown) => error),
    ).toBe(each)
  }
  expect(Object.fromEntries(counts())).toEqual({
    ok: 2,
    rate_limited: 1,
    token_expired: 1,
    unexpected_answer: 3,
    timeout: 1,
  })
})

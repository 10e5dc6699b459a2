import { expect, test } from 'vitest'
import { createTokenSource, type AccessToken } from '../../src/upstream/token-source.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A token source whose requests are counted and fail while there is a failure. */
function sourceOf() {
  const clock = createFakeClock()
  const state: { requests: number; failure: UpstreamErrorKind | undefined } = {
    requests: 0,
    failure: undefined,
  }
  const request = async (): Promise<AccessToken> => {
    state.requests += 1
    await Promise.resolve()
    if (state.failure) throw new UpstreamError(state.failure, `refresh: ${state.failure}`)
    return { token: `token-${state.requests}`, lifetimeMs: dayMs }
  }
  return { clock, state, tokens: createTokenSource(request, clock) }
}

test('callers at the same moment share one token request', async () => {
  const { tokens, state } = sourceOf()
  const got = await Promise.all([tokens.current(), tokens.current(), tokens.current()])
  expect(got).toEqual(['token-1', 'token-1', 'token-1'])
  expect(state.requests).toBe(1)
})

test('a token is kept, and renewed before it expires', async () => {
  const { tokens, clock } = sourceOf()
  await tokens.current()
  await clock.advance(dayMs * 0.89)
  expect(await tokens.current()).toBe('token-1')
  await clock.advance(dayMs * 0.02)
  expect(await tokens.current()).toBe('token-2')
})

test('the old token serves while it cannot be renewed', async () => {
  const { tokens, clock, state } = sourceOf()
  await tokens.current()
  await clock.advance(dayMs * 0.95)
  state.failure = 'network'
  expect(await tokens.current()).toBe('token-1')
  await clock.advance(dayMs * 0.05)
  await expect(tokens.current()).rejects.toMatchObject({ kind: 'network' })
})

test('a discarded token is replaced, once for all who saw it fail', async () => {
  const { tokens, clock, state } = sourceOf()
  const token = await tokens.current()
  await clock.advance(60 * minuteMs)
  tokens.discard(token)
  expect(await tokens.current()).toBe('token-2')
  tokens.discard(token)
  expect(await tokens.current()).toBe('token-2')
  expect(state.requests).toBe(2)
})

test.for([
  { failure: 'token_invalid', waitMs: 5 * minuteMs },
  { failure: 'unexpected_answer', waitMs: 5 * minuteMs },
  { failure: 'refresh_expired', waitMs: 15 * minuteMs },
  { failure: 'project_disabled', waitMs: 15 * minuteMs },
  { failure: 'ip_not_allowed', waitMs: 15 * minuteMs },
  { failure: 'too_many_failures', waitMs: 60 * minuteMs },
  { failure: 'network', waitMs: 10_000 },
] as const)('after $failure no token request for $waitMs ms', async ({ failure, waitMs }) => {
  const { tokens, clock, state } = sourceOf()
  state.failure = failure
  await expect(tokens.current()).rejects.toMatchObject({ kind: failure })
  await clock.advance(waitMs - 1)
  await expect(tokens.current()).rejects.toMatchObject({ kind: failure, retryAfterMs: 1 })
  expect(state.requests).toBe(1)
  await clock.advance(1)
  state.failure = undefined
  expect(await tokens.current()).toBe('token-2')
})

test('after a new token was refused, there is no other for five minutes', async () => {
  const { tokens, clock, state } = sourceOf()
  const token = await tokens.current()
  await clock.advance(1000)
  tokens.discard(token)
  await expect(tokens.current()).rejects.toMatchObject({
    kind: 'token_invalid',
    retryAfterMs: 5 * minuteMs - 1000,
  })
  await clock.advance(5 * minuteMs - 1000)
  expect(await tokens.current()).toBe('token-2')
  expect(state.requests).toBe(2)
})

test('a token that keeps being refused never leads to ten token requests in ten minutes', async () => {
  const { tokens, clock, state } = sourceOf()
  state.failure = 'token_invalid'
  for (let second = 0; second < 600; second += 1) {
    await tokens.current().catch(() => undefined)
    await clock.advance(1000)
  }
  expect(state.requests).toBeLessThanOrEqual(3)
})

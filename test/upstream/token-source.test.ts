import { describe, expect, test, vi } from 'vitest'
import { dayMs, minuteMs } from '../../src/clock.ts'
import type { TokenSource } from '../../src/upstream/token-source.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { tokensOf, createTestTokens } from './tokens.ts'
import { busiest, createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const outcomeOf = (tokens: Pick<TokenSource, 'current'>): Promise<unknown> =>
  tokens.current().catch((error: unknown) => error)

test('shares one token request between concurrent callers', async () => {
  const { tokens, state } = tokensOf()
  const got = await Promise.all([tokens.current(), tokens.current(), tokens.current()])
  expect(got).toEqual(['token-1', 'token-1', 'token-1'])
  expect(state.requests).toBe(1)
})

test('renews a token in the background before it expires', async () => {
  const { tokens, clock, state } = tokensOf()
  await tokens.current()
  await clock.advance(dayMs * 0.84)
  expect(await tokens.current()).toBe('token-1')
  await clock.advance(dayMs * 0.02)
  const renewed = Promise.withResolvers<void>()
  state.hangs = renewed.promise
  expect(await tokens.current()).toBe('token-1')
  renewed.resolve()
  await clock.advance(0)
  expect(await tokens.current()).toBe('token-2')
  expect(state.requests).toBe(2)
})

test('keeps using the old token while renewal fails', async () => {
  const { tokens, clock, state } = tokensOf()
  await tokens.current()
  await clock.advance(dayMs * 0.95)
  state.failure = 'unreachable'
  expect(await tokens.current()).toBe('token-1')
  await clock.advance(dayMs * 0.05)
  await expect(tokens.current()).rejects.toMatchObject({ kind: 'unreachable' })
})

test.for([
  { failure: 'token_invalid', waitMs: 15 * minuteMs },
  { failure: 'refresh_expired', waitMs: 15 * minuteMs },
  { failure: 'too_many_failures', waitMs: 60 * minuteMs },
  { failure: 'unexpected_answer', waitMs: 210_000 },
  { failure: 'unreachable', waitMs: 10_000 },
] as const)(
  'pauses token requests for $waitMs ms after the failure $failure',
  async ({ failure, waitMs }) => {
    const { tokens, clock, state } = tokensOf()
    state.failure = failure
    await expect(tokens.current()).rejects.toMatchObject({ kind: failure })
    expect(tokens.state().failure?.kind).toBe(failure)
    await clock.advance(waitMs - 1)
    await expect(tokens.current()).rejects.toMatchObject({ kind: failure, retryAfterMs: 1 })
    expect(state.requests).toBe(1)
    await clock.advance(1)
    state.failure = undefined
    expect(await tokens.current()).toBe('token-2')
    expect(tokens.state().failure).toBeUndefined()
  },
)

describe('the limit of three failed token requests in ten minutes', () => {
  test.for(['token_invalid', 'server_error', 'unavailable', 'timeout', 'interrupted'] as const)(
    'is respected with %s, three replicas and a restart every second',
    async (failure) => {
      const { start, clock, state } = tokensOf()
      state.failure = failure
      for (let second = 0; second < 1800; second += 1) {
        for (const holder of ['a', 'b', 'c']) await outcomeOf(start(holder))
        await clock.advance(1000)
      }
      const { requestedAt } = state
      expect(busiest(requestedAt, 10 * minuteMs + 1)).toBeLessThanOrEqual(3)
      expect(requestedAt.length).toBeGreaterThanOrEqual(2)
    },
  )

  test('counts from the time a request is sent, not from when it starts to wait', async () => {
    const { start, clock, state } = tokensOf()
    state.failure = 'server_error'
    for (let round = 0; round < 20; round += 1) {
      const room = Promise.withResolvers<void>()
      state.waits = room.promise
      const request = outcomeOf(start())
      await clock.advance(round % 2 === 0 ? 100_000 : 5_000)
      room.resolve()
      await request
      await clock.advance(10_000)
    }
    const { requestedAt } = state
    const gaps = requestedAt.slice(1).map((at, index) => at - (requestedAt[index] ?? 0))
    expect(requestedAt.length).toBeGreaterThan(3)
    expect(Math.min(...gaps)).toBeGreaterThan(200_000)
  })

  test('does not include requests that succeed or never reach the service', async () => {
    const { start, clock, state } = tokensOf()
    for (const failure of ['unreachable', 'tls', undefined] as const) {
      state.failure = failure
      for (const round of [1, 2, 3, 4]) {
        const before = state.requests
        await outcomeOf(start('a', `site ${failure} ${round}`))
        expect(state.requests).toBe(before + 1)
        await clock.advance(1000)
      }
    }
  })
})

test('rounds the time until the next attempt up to whole seconds', async () => {
  const { start, clock, state } = tokensOf()
  state.failure = 'server_error'
  await outcomeOf(start('a'))
  await clock.advance(500)
  await expect(start('b').current()).rejects.toThrow(/next attempt in 3 min 30 s$/)
})

test('checks with the expired token whether the service is back after an unclear outcome', async () => {
  const { tokens, clock, state } = tokensOf()
  await tokens.current()
  state.failure = 'unavailable'
  await clock.advance(dayMs)
  await expect(tokens.current()).rejects.toMatchObject({ kind: 'unavailable' })
  await clock.advance(60 * minuteMs)
  expect(await tokens.current()).toBe('token-1')
  expect(state.requests).toBe(2)
  // The service is back, and reports that the token has expired.
  state.failure = undefined
  tokens.discard('token-1')
  expect(await tokens.current()).toBe('token-3')
})

test('requests no token from a blocked IP address, even after a restart', async () => {
  const { tokens, start, state, clock } = tokensOf()
  await tokens.current()
  await tokens.blocked(new UpstreamError('too_many_failures', 'news: 429 too_many_failures'))
  tokens.discard('token-1')
  for (const source of [tokens, start('c', 'another')]) {
    await expect(source.current()).rejects.toMatchObject({ kind: 'too_many_failures' })
  }
  expect(state.requests).toBe(1)
  await clock.advance(60 * minuteMs)
  expect(await start('c', 'another').current()).toBe('token-2')
})

test('keeps the pause that another replica stored if it is longer', async () => {
  const { tokens, start, clock } = tokensOf()
  const other = start('b')
  await tokens.blocked(new UpstreamError('too_many_failures', 'news: 429 too_many_failures'))
  await other.blocked(new UpstreamError('api_disabled', 'news: 403 api_disabled'))
  await clock.advance(20 * minuteMs)
  await expect(start('c').current()).rejects.toMatchObject({ kind: 'too_many_failures' })
})

test('keeps the token that another replica stored if it is newer', async () => {
  const { tokens, start, clock } = tokensOf()
  const other = start('b')
  expect(await tokens.current()).toBe('token-1')
  await other.blocked(new UpstreamError('api_disabled', 'news: 403 api_disabled'))
  await clock.advance(20 * minuteMs)
  expect(await start('c').current()).toBe('token-1')
})

test('sends no request if another replica has taken the lease while the request was throttled', async () => {
  const { tokens, clock, state, start } = tokensOf()
  const throttle = Promise.withResolvers<void>()
  state.waits = throttle.promise
  const throttled = outcomeOf(tokens)
  await clock.advance(21_000)
  state.waits = undefined
  const response = Promise.withResolvers<void>()
  state.hangs = response.promise
  const requested = start('b').current()
  await clock.advance(0)
  throttle.resolve()
  expect(await throttled).toMatchObject({ kind: 'timeout' })
  response.resolve()
  expect(await requested).toBe('token-1')
  expect(state.requests).toBe(1)
})

test('sends at most three failing requests in any ten minutes, even if an operator asks for more', async () => {
  const { ask, clock, state } = tokensOf()
  state.failure = 'token_invalid'
  for (let minute = 0; minute < 60; minute += 1) {
    await ask()
      .current()
      .catch(() => undefined)
    await clock.advance(minuteMs)
  }
  expect(busiest(state.requestedAt, 10 * minuteMs)).toBe(3)
})

test('replicas wait for another one whose request takes up to 20 seconds', async () => {
  const { start, clock, state } = tokensOf()
  const answered = Promise.withResolvers<void>()
  state.hangs = answered.promise
  const tokens = [0, 12_000, 18_000].map(async (ms, index) => {
    await clock.sleep(ms)
    return start(`${index}`).current()
  })
  const outcomes = Promise.allSettled(tokens)
  await clock.advance(19_000)
  answered.resolve()
  await clock.advance(1_000)
  const values = (await outcomes).map((outcome) => outcome.status === 'fulfilled' && outcome.value)
  expect(values).toEqual(['token-1', 'token-1', 'token-1'])
  expect(state.requests).toBe(1)
})

const newToken = async () => ({ token: 'new', lifetimeMs: dayMs })

describe('a restart', () => {
  test('reuses the stored token without sending a request', async () => {
    const { tokens, start, state, clock } = tokensOf()
    await tokens.current()
    await clock.advance(60 * minuteMs)
    expect(await start().current()).toBe('token-1')
    expect(state.requests).toBe(1)
    const restarted = start()
    await restarted.load()
    expect(restarted.state()).toEqual({
      expiresAt: clock.now() + dayMs - 60 * minuteMs,
      failure: undefined,
    })
  })

  test('ignores a stored access token that was obtained with another refresh token', async () => {
    const { tokens, start } = tokensOf()
    await tokens.current()
    expect(await start('a', 'another').current()).toBe('token-2')
  })
})

describe('a pause that needs an operator', () => {
  test('applies to all replicas and after restarts, and keeps its reason', async () => {
    const { start, clock, state } = tokensOf()
    state.failure = 'refresh_expired'
    for (let minute = 0; minute < 60; minute += 1) {
      for (const holder of ['a', 'b', 'c']) {
        await expect(start(holder).current()).rejects.toMatchObject({ kind: 'refresh_expired' })
      }
      await clock.advance(minuteMs)
    }
    expect(state.requests).toBe(4)
  })
})

test('retries if saving a token fails', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const write = vi.spyOn(store.documents, 'write').mockResolvedValue(false)
  const options = { clock, requestToken: newToken, store }
  const { tokens } = createTestTokens(options)
  await tokens.current()
  await clock.advance(minuteMs - 1)
  await tokens.current()
  expect(write).toHaveBeenCalledTimes(1)
  write.mockRestore()
  await clock.advance(minuteMs)
  await tokens.current()
  const later = createTestTokens({
    ...options,
    requestToken: () => Promise.reject(new Error()),
  })
  expect(await later.tokens.current()).toBe('new')
})

describe('replicas', () => {
  test('use the token that another replica renewed', async () => {
    const { start, clock, state } = tokensOf()
    const [a, b] = [start('a'), start('b')]
    const token = await a.current()
    expect(await b.current()).toBe(token)
    await clock.advance(60 * minuteMs)
    a.discard(token)
    expect(await a.current()).toBe('token-2')
    b.discard(token)
    expect(await b.current()).toBe('token-2')
    expect(state.requests).toBe(2)
  })

  test('wait at most ten seconds for another replica to request a token', async () => {
    const { start, clock, state } = tokensOf()
    state.hangs = new Promise(() => undefined)
    void start('a').current()
    await clock.advance(0)
    const outcome = start('b')
      .current()
      .catch((error: unknown) => error)
    await clock.advance(11_000)
    expect(await outcome).toMatchObject({ kind: 'timeout' })
    expect(state.requests).toBe(1)
  })
})

test('replaces a stored document that is unreadable', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  for (const value of ['{', '[]', '{"token":{"token":7}}']) {
    await store.documents.write([{ bucket: 'tokens', id: 'access', value }])
    expect(await createTestTokens({ clock, requestToken: newToken, store }).tokens.current()).toBe(
      'new',
    )
  }
})

import { describe, expect, test } from 'vitest'
import { type AccessToken } from '../../src/upstream/token-source.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'
import { createTestTokens } from '../support/tokens.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const newToken = async () => ({ token: 'new', lifetimeMs: dayMs })

/** Token sources on one store, whose requests are counted and fail while there is a failure. */
function sourceOf() {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const state: {
    requests: number
    failure: UpstreamErrorKind | undefined
    hangs: Promise<void> | undefined
    /** For room in the budget of calls. */
    waits: Promise<void> | undefined
    readonly requestedAt: number[]
  } = { requests: 0, failure: undefined, hangs: undefined, waits: undefined, requestedAt: [] }
  const requestToken = async (admit: () => Promise<void>): Promise<AccessToken> => {
    await state.waits
    await admit()
    state.requests += 1
    state.requestedAt.push(clock.now())
    const name = `token-${state.requests}`
    await state.hangs
    if (state.failure) throw new UpstreamError(state.failure, `refresh: ${state.failure}`)
    return { token: name, lifetimeMs: dayMs }
  }
  /** A process with the store: another replica, or one after a restart. */
  const start = (holder = 'a', fingerprint = 'site and token') =>
    createTestTokens({ clock, requestToken, store, holder, fingerprint }).tokens
  const ask = () => createTestTokens({ clock, requestToken, store, ignoresPauses: true }).tokens
  return { clock, state, start, ask, tokens: start() }
}

test('callers at the same moment share one token request', async () => {
  const { tokens, state } = sourceOf()
  const got = await Promise.all([tokens.current(), tokens.current(), tokens.current()])
  expect(got).toEqual(['token-1', 'token-1', 'token-1'])
  expect(state.requests).toBe(1)
})

test('a token is renewed before it expires, and nobody waits for that', async () => {
  const { tokens, clock, state } = sourceOf()
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

test('the old token serves while it cannot be renewed', async () => {
  const { tokens, clock, state } = sourceOf()
  await tokens.current()
  await clock.advance(dayMs * 0.95)
  state.failure = 'unreachable'
  expect(await tokens.current()).toBe('token-1')
  await clock.advance(dayMs * 0.05)
  await expect(tokens.current()).rejects.toMatchObject({ kind: 'unreachable' })
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

test.for([
  { failure: 'token_invalid', waitMs: 15 * minuteMs },
  { failure: 'refresh_expired', waitMs: 15 * minuteMs },
  { failure: 'project_disabled', waitMs: 15 * minuteMs },
  { failure: 'api_disabled', waitMs: 15 * minuteMs },
  { failure: 'ip_not_allowed', waitMs: 15 * minuteMs },
  { failure: 'too_many_failures', waitMs: 60 * minuteMs },
  { failure: 'unexpected_answer', waitMs: 210_000 },
  { failure: 'unreachable', waitMs: 10_000 },
] as const)('after $failure no token request for $waitMs ms', async ({ failure, waitMs }) => {
  const { tokens, clock, state } = sourceOf()
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
})

describe('a restart', () => {
  test('goes on with the token of before, without a request', async () => {
    const { tokens, start, state, clock } = sourceOf()
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

  test('with another refresh token does not take over the access token of before', async () => {
    const { tokens, start } = sourceOf()
    await tokens.current()
    expect(await start('a', 'another').current()).toBe('token-2')
  })

  test('does not try again while the address is blocked, with whatever token, whoever asks', async () => {
    const { tokens, start, ask, state, clock } = sourceOf()
    state.failure = 'too_many_failures'
    await expect(tokens.current()).rejects.toMatchObject({ kind: 'too_many_failures' })
    state.failure = undefined
    await clock.advance(59 * minuteMs)
    await expect(ask().current()).rejects.toMatchObject({ kind: 'too_many_failures' })
    await expect(start('a', 'another').current()).rejects.toMatchObject({
      kind: 'too_many_failures',
      retryAfterMs: minuteMs,
    })
    expect(state.requests).toBe(1)
    await clock.advance(minuteMs)
    expect(await start('a', 'another').current()).toBe('token-2')
  })
})

describe('never more than three failed token requests in ten minutes', () => {
  test.for(['token_invalid', 'server_error', 'unavailable', 'timeout', 'interrupted'] as const)(
    'with %s, three replicas and a restart every second',
    async (failure) => {
      const { start, clock, state } = sourceOf()
      state.failure = failure
      for (let second = 0; second < 1800; second += 1) {
        for (const holder of ['a', 'b', 'c']) {
          await start(holder)
            .current()
            .catch(() => undefined)
        }
        await clock.advance(1000)
      }
      const { requestedAt } = state
      const busiest = requestedAt.map(
        (at) => requestedAt.filter((other) => other >= at && other <= at + 10 * minuteMs).length,
      )
      expect(Math.max(...busiest)).toBeLessThanOrEqual(3)
      expect(requestedAt.length).toBeGreaterThanOrEqual(2)
    },
  )

  test('counted from when they are sent, however long they wait for the budget', async () => {
    const { start, clock, state } = sourceOf()
    state.failure = 'server_error'
    for (let round = 0; round < 20; round += 1) {
      const room = Promise.withResolvers<void>()
      state.waits = room.promise
      const request = start()
        .current()
        .catch(() => undefined)
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

  test('but as many as succeed, or never reach the service', async () => {
    const { start, clock, state } = sourceOf()
    for (const failure of ['unreachable', 'tls', undefined] as const) {
      state.failure = failure
      for (const round of [1, 2, 3, 4]) {
        const before = state.requests
        await start('a', `site ${failure} ${round}`)
          .current()
          .catch(() => undefined)
        expect(state.requests).toBe(before + 1)
        await clock.advance(1000)
      }
    }
  })
})

describe('a pause for which somebody has to do something', () => {
  test('holds for all replicas and restarts, and says why', async () => {
    const { start, clock, state } = sourceOf()
    state.failure = 'refresh_expired'
    for (let minute = 0; minute < 60; minute += 1) {
      for (const holder of ['a', 'b', 'c']) {
        await expect(start(holder).current()).rejects.toMatchObject({ kind: 'refresh_expired' })
      }
      await clock.advance(minuteMs)
    }
    expect(state.requests).toBe(4)
  })

  test('does not hold for another refresh token, or when a person asks', async () => {
    const { start, ask, state, clock } = sourceOf()
    state.failure = 'project_disabled'
    await expect(start().current()).rejects.toMatchObject({ kind: 'project_disabled' })
    state.failure = undefined
    await clock.advance(4 * minuteMs)
    expect(await start('a', 'another').current()).toBe('token-2')
    state.failure = 'project_disabled'
    await expect(start().current()).rejects.toMatchObject({ kind: 'project_disabled' })
    state.failure = undefined
    await clock.advance(4 * minuteMs)
    expect(await ask().current()).toBe('token-4')
    expect(await start().current()).toBe('token-4')
  })
})

describe('when nobody knows what became of a token request', () => {
  test('the expired token is used to find out whether the service is back', async () => {
    const { tokens, clock, state } = sourceOf()
    await tokens.current()
    state.failure = 'unavailable'
    await clock.advance(dayMs)
    await expect(tokens.current()).rejects.toMatchObject({ kind: 'unavailable' })
    await clock.advance(60 * minuteMs)
    expect(await tokens.current()).toBe('token-1')
    expect(state.requests).toBe(2)
    // The service is back, and says that the token has expired.
    state.failure = undefined
    tokens.discard('token-1')
    expect(await tokens.current()).toBe('token-3')
  })
})

test('an address that is blocked makes no token request, whoever was told first', async () => {
  const { tokens, start, state, clock } = sourceOf()
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

test('a token that could not be saved is saved later', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  let isFull = true
  const documents = {
    ...store.documents,
    write: async (...args: Parameters<typeof store.documents.write>) =>
      !isFull && store.documents.write(...args),
  }
  const options = { clock, requestToken: newToken, store: { ...store, documents } }
  const { tokens } = createTestTokens(options)
  await tokens.current()
  isFull = false
  await clock.advance(minuteMs)
  await tokens.current()
  const later = createTestTokens({
    ...options,
    store,
    requestToken: () => Promise.reject(new Error()),
  })
  expect(await later.tokens.current()).toBe('new')
})

describe('replicas', () => {
  test('share one token request, and the token', async () => {
    const { start, state, clock } = sourceOf()
    const requested = Promise.withResolvers<void>()
    state.hangs = requested.promise
    const first = start('a').current()
    await clock.advance(0)
    const second = start('b').current()
    await clock.advance(2_000)
    requested.resolve()
    await clock.advance(1_000)
    expect(await Promise.all([first, second])).toEqual(['token-1', 'token-1'])
    expect(state.requests).toBe(1)
  })

  test('take over the token that another has renewed', async () => {
    const { start, clock, state } = sourceOf()
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

  test('wait ten seconds for the request of another, not longer', async () => {
    const { start, clock, state } = sourceOf()
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

test('what cannot be read in the store is replaced', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  for (const value of ['{', '[]', '{"token":{"token":7}}']) {
    await store.documents.write([{ bucket: 'tokens', id: 'access', value }])
    expect(await createTestTokens({ clock, requestToken: newToken, store }).tokens.current()).toBe(
      'new',
    )
  }
})

import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'
import { createTestTokens, tokensOf } from './tokens.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

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

  test('does not retry with any token while the IP address is blocked, even if an operator requests it', async () => {
    const { tokens, start, ask, state, clock } = tokensOf()
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

  test('ends when the refresh token is replaced or an operator requests it', async () => {
    const { start, ask, state, clock } = tokensOf()
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

test('retries if saving a token fails', async () => {
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
  test('share one token request and the token that it returns', async () => {
    const { start, state, clock } = tokensOf()
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

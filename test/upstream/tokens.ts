import type { Clock } from '../../src/clock.ts'
import { createSharedWindow } from '../../src/store/shared-window.ts'
import type { Store } from '../../src/store/store.ts'
import {
  createTokenSource,
  type AccessToken,
  type RequestToken,
} from '../../src/upstream/token-source.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

export function createTestTokens({
  clock,
  requestToken,
  store = openTestStore(clock.now),
  holder = 'a',
  fingerprint = 'site and token',
  ignoresPauses = false,
}: {
  readonly clock: Clock
  readonly requestToken: RequestToken
  readonly ignoresPauses?: boolean
  readonly store?: Store
  readonly holder?: string
  readonly fingerprint?: string
}) {
  const attempts = createSharedWindow(store.windows, 'token requests', {
    shareOf: ({ max }) => max,
    now: clock.now,
  })
  const refreshToken = { fingerprint: () => fingerprint, reread: async () => false }
  const own = { store, holder, attempts, refreshToken }
  const source = { ...own, requestToken, ignoresPauses, clock, random: () => 0 }
  const tokens = createTokenSource(source)
  return { tokens, store }
}

const dayMs = 24 * 60 * 60_000

/**
 * Creates token sources on one store and counts token requests. Requests fail while `failure` is
 * set.
 */
export function tokensOf() {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const state: {
    requests: number
    failure: UpstreamErrorKind | undefined
    hangs: Promise<void> | undefined
    /** Delays requests, as if they had to wait for the call budget. */
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
  /** Simulates starting a process that uses the store, like another replica or a restart. */
  const start = (holder = 'a', fingerprint = 'site and token') =>
    createTestTokens({ clock, requestToken, store, holder, fingerprint }).tokens
  const ask = () => createTestTokens({ clock, requestToken, store, ignoresPauses: true }).tokens
  return { clock, state, start, ask, tokens: start() }
}

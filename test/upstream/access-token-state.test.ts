import { describe, expect, test } from 'vitest'
import {
  coolingDown,
  freshToken,
  keptTokensFrom,
  noToken,
  probingToken,
  refreshTokenReplaced,
  storedFrom,
  storedTokenLoaded,
  tokenIssued,
  tokenRejected,
  type AccessTokenState,
  type StoredToken,
} from '../../src/upstream/access-token-state.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'

const minuteMs = 60_000
const now = 1_000 * minuteMs

const tokenFrom = (token: string, issuedAt: number): StoredToken => ({
  token,
  issuedAt,
  renewAt: issuedAt + 85 * minuteMs,
  expiresAt: issuedAt + 100 * minuteMs,
})
const old = tokenFrom('old', now - 30 * minuteMs)
const recent = tokenFrom('recent', now - minuteMs)
const expired = tokenFrom('expired', now - 100 * minuteMs)

const failed = (kind: UpstreamErrorKind, until = now + minuteMs, state = noToken) => ({
  ...state,
  failure: { error: new UpstreamError(kind, kind), until },
})
const issued = (token: StoredToken) => tokenIssued(noToken, token)

const loaded = (
  state: AccessTokenState,
  stored: Parameters<typeof storedTokenLoaded>[1],
  { isOurs = true, ignoresPauses = false } = {},
) => storedTokenLoaded(state, stored, { now, isOurs, ignoresPauses })
const pause = (kind: UpstreamErrorKind, until: number) => ({ pause: { kind, until } })

const blocked = failed('too_many_failures')

test.for<{ name: string; state: AccessTokenState; expected: object }>([
  {
    name: 'an issued token ends a failure',
    state: tokenIssued(failed('timeout'), recent),
    expected: issued(recent),
  },
  {
    name: 'a rejected token is dropped',
    state: tokenRejected(issued(old), 'old', now),
    expected: { ...noToken, rejected: 'old' },
  },
  {
    name: 'the rejection of an earlier token does not affect the current one',
    state: tokenRejected(issued(recent), 'old', now),
    expected: { rejected: 'old', token: recent, failure: undefined },
  },
  {
    name: 'a rejected new token counts as a failure until five minutes after it was issued',
    state: tokenRejected(issued(recent), 'recent', now),
    expected: {
      rejected: 'recent',
      token: undefined,
      failure: { error: { kind: 'token_invalid' }, until: now + 4 * minuteMs },
    },
  },
  {
    name: 'the rejection of an old token does not change the latest failure',
    state: tokenRejected(failed('timeout', now, issued(old)), 'old', now),
    expected: { token: undefined, failure: { error: { kind: 'timeout' } } },
  },
  {
    name: 'a new refresh token ends a failure',
    state: refreshTokenReplaced(failed('refresh_expired')),
    expected: noToken,
  },
  {
    name: 'a new refresh token keeps a token that is still valid',
    state: refreshTokenReplaced(failed('refresh_expired', now, issued(old))),
    expected: issued(old),
  },
  {
    name: 'a new refresh token leaves a blocked IP address blocked',
    state: refreshTokenReplaced(blocked),
    expected: { failure: { error: { kind: 'too_many_failures' } } },
  },
  {
    name: 'a newer stored token is used and ends a failure',
    state: loaded(failed('timeout', now, issued(old)), { token: recent }),
    expected: issued(recent),
  },
  {
    name: 'an older stored token is ignored',
    state: loaded(issued(recent), { token: old }),
    expected: issued(recent),
  },
  {
    name: 'an expired stored token is ignored',
    state: loaded(noToken, { token: expired }),
    expected: noToken,
  },
  {
    name: 'a stored token that the service rejected is ignored',
    state: loaded({ ...noToken, rejected: 'recent' }, { token: recent }),
    expected: { token: undefined, failure: undefined },
  },
  {
    name: 'a stored token obtained with another refresh token is ignored',
    state: loaded(noToken, { token: recent }, { isOurs: false }),
    expected: noToken,
  },
  {
    name: 'a stored pause is applied',
    state: loaded(issued(old), pause('refresh_expired', now + minuteMs)),
    expected: { token: old, failure: { until: now + minuteMs } },
  },
  {
    name: 'a stored pause from a clock that was ahead ends after 90 minutes',
    state: loaded(noToken, pause('refresh_expired', now * 2)),
    expected: { failure: { until: now + 90 * minuteMs } },
  },
  {
    name: 'an expired stored pause is ignored',
    state: loaded(noToken, pause('refresh_expired', now)),
    expected: noToken,
  },
  {
    name: 'a shorter stored pause is ignored',
    state: loaded(blocked, pause('refresh_expired', now + minuteMs)),
    expected: { failure: { error: { kind: 'too_many_failures' } } },
  },
  {
    name: 'a stored pause is ignored for an operator',
    state: loaded(noToken, pause('refresh_expired', now * 2), { ignoresPauses: true }),
    expected: noToken,
  },
  {
    name: 'a blocked IP address stays blocked for an operator and for another refresh token',
    state: loaded(noToken, pause('too_many_failures', now + minuteMs), {
      isOurs: false,
      ignoresPauses: true,
    }),
    expected: { failure: { error: { kind: 'too_many_failures' } } },
  },
])('$name', ({ state, expected }) => {
  expect(state).toMatchObject(expected)
})

test.for<{ name: string; state: AccessTokenState; use: object }>([
  { name: 'no token', state: noToken, use: {} },
  { name: 'an issued token', state: issued(old), use: { fresh: 'old' } },
  { name: 'an expired token', state: issued(expired), use: {} },
  {
    name: 'an expired token after a failure that needs a person',
    state: failed('refresh_expired', now + minuteMs, issued(expired)),
    use: { cooling: now + minuteMs },
  },
  {
    name: 'an expired token while the service may be down',
    state: failed('unavailable', now + minuteMs, issued(expired)),
    use: { probing: 'expired', cooling: now + minuteMs },
  },
  { name: 'a failure whose pause has ended', state: failed('timeout', now), use: {} },
  {
    name: 'a failure whose pause is implausibly long',
    state: failed('timeout', now * 2),
    use: { cooling: now + 90 * minuteMs },
  },
])('selects the token for $name', ({ state, use }) => {
  const used = {
    fresh: freshToken(state, now)?.token,
    probing: probingToken(state)?.token,
    cooling: coolingDown(state, now)?.until,
  }
  expect(used).toEqual({ fresh: undefined, probing: undefined, cooling: undefined, ...use })
})

describe('the stored state', () => {
  test.for<{ name: string; state: AccessTokenState; stored: object }>([
    { name: 'contains the token', state: issued(old), stored: { token: old } },
    {
      name: 'contains a pause if a person has to act',
      state: failed('refresh_expired', now, issued(old)),
      stored: { token: old, pause: { kind: 'refresh_expired', until: now } },
    },
    {
      name: 'omits a temporary failure, and remains readable',
      state: failed('timeout', now, issued(old)),
      stored: { token: old },
    },
  ])('$name', ({ state, stored }) => {
    const text = JSON.stringify({ fingerprint: 'site', ...storedFrom(state) })
    expect(keptTokensFrom(text)).toEqual({ fingerprint: 'site', ...stored })
  })
})

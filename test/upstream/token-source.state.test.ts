import { expect, test } from 'vitest'
import {
  coolingDown,
  freshToken,
  keptTokensFrom,
  probingToken,
  refreshTokenReplaced,
  storedFrom,
  storedTokenLoaded,
  tokenIssued,
  tokenRejected,
  type AccessTokenState,
  type StoredToken,
} from '../../src/upstream/token-source.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'

const noToken: AccessTokenState = { token: undefined, rejected: undefined, failure: undefined }
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

const failing = (kind: UpstreamErrorKind) => ({ failure: { error: { kind } } })
const expiredAnd = (kind: UpstreamErrorKind) => failed(kind, now + minuteMs, issued(expired))
const forOperator = { isOurs: false, ignoresPauses: true }

test.for<[name: string, state: AccessTokenState, expected: object]>([
  [
    'the rejection of an earlier token does not affect the current one',
    tokenRejected(issued(recent), 'old', now),
    { rejected: 'old', token: recent, failure: undefined },
  ],
  [
    'a rejected new token counts as a failure until five minutes after it was issued',
    tokenRejected(issued(recent), 'recent', now),
    {
      rejected: 'recent',
      token: undefined,
      failure: { error: { kind: 'token_invalid' }, until: now + 4 * minuteMs },
    },
  ],
  [
    'the rejection of an old token does not change the latest failure',
    tokenRejected(failed('timeout', now, issued(old)), 'old', now),
    { token: undefined, ...failing('timeout') },
  ],
  ['a new refresh token ends a failure', refreshTokenReplaced(failed('refresh_expired')), noToken],
  [
    'a new refresh token keeps a token that is still valid',
    refreshTokenReplaced(failed('refresh_expired', now, issued(old))),
    issued(old),
  ],
  [
    'a new refresh token leaves a blocked IP address blocked',
    refreshTokenReplaced(blocked),
    failing('too_many_failures'),
  ],
  [
    'a newer stored token is used and ends a failure',
    loaded(failed('timeout', now, issued(old)), { token: recent }),
    issued(recent),
  ],
  ['an older stored token is ignored', loaded(issued(recent), { token: old }), issued(recent)],
  ['an expired stored token is ignored', loaded(noToken, { token: expired }), noToken],
  [
    'a stored token that the service rejected is ignored',
    loaded({ ...noToken, rejected: 'recent' }, { token: recent }),
    { token: undefined, failure: undefined },
  ],
  [
    'a stored token obtained with another refresh token is ignored',
    loaded(noToken, { token: recent }, { isOurs: false }),
    noToken,
  ],
  [
    'a stored pause is applied',
    loaded(issued(old), pause('refresh_expired', now + minuteMs)),
    { token: old, failure: { until: now + minuteMs } },
  ],
  [
    'a stored pause from a clock that was ahead ends after 90 minutes',
    loaded(noToken, pause('refresh_expired', now * 2)),
    { failure: { until: now + 90 * minuteMs } },
  ],
  ['an expired stored pause is ignored', loaded(noToken, pause('refresh_expired', now)), noToken],
  [
    'a shorter stored pause is ignored',
    loaded(blocked, pause('refresh_expired', now + minuteMs)),
    failing('too_many_failures'),
  ],
  [
    'a stored pause is ignored for an operator',
    loaded(noToken, pause('refresh_expired', now * 2), { ignoresPauses: true }),
    noToken,
  ],
  [
    'a stored pause of another refresh token is ignored',
    loaded(noToken, pause('project_disabled', now + minuteMs), { isOurs: false }),
    noToken,
  ],
  [
    'a blocked IP address stays blocked for an operator and for another refresh token',
    loaded(noToken, pause('too_many_failures', now + minuteMs), forOperator),
    failing('too_many_failures'),
  ],
])('%s', ([, state, expected]) => {
  expect(state).toMatchObject(expected)
})

test.for<[name: string, state: AccessTokenState, use: object]>([
  ['no token', noToken, {}],
  ['an issued token', issued(old), { fresh: 'old' }],
  ['an expired token', issued(expired), {}],
  [
    'an expired token after a failure that needs a person',
    expiredAnd('refresh_expired'),
    { cooling: now + minuteMs },
  ],
  ...(['unavailable', 'server_error', 'unexpected_answer', 'interrupted', 'timeout'] as const).map(
    (kind): [string, AccessTokenState, object] => [
      `an expired token while the service may be down (${kind})`,
      expiredAnd(kind),
      { probing: 'expired', cooling: now + minuteMs },
    ],
  ),
  ['a failure whose pause has ended', failed('timeout', now), {}],
  [
    'a failure whose pause is implausibly long',
    failed('timeout', now * 2),
    { cooling: now + 90 * minuteMs },
  ],
])('selects the token for %s', ([, state, use]) => {
  const used = {
    fresh: freshToken(state, now)?.token,
    probing: probingToken(state)?.token,
    cooling: coolingDown(state, now)?.until,
  }
  expect(used).toEqual({ fresh: undefined, probing: undefined, cooling: undefined, ...use })
})

test.for<[name: string, state: AccessTokenState, stored: object]>([
  ['contains the token', issued(old), { token: old }],
  [
    'contains a pause if a person has to act',
    failed('refresh_expired', now, issued(old)),
    { token: old, ...pause('refresh_expired', now) },
  ],
  [
    'omits a temporary failure, and remains readable',
    failed('timeout', now, issued(old)),
    { token: old },
  ],
])('the stored state %s', ([, state, stored]) => {
  const text = JSON.stringify({ fingerprint: 'site', ...storedFrom(state) })
  expect(keptTokensFrom(text)).toEqual({ fingerprint: 'site', ...stored })
})

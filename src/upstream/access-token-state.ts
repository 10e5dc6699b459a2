import { retryPolicyFor } from './retry-policy.ts'
import type { StoredToken, TokenState } from './token-memory.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const minuteMs = 60_000

/** If a token is rejected this soon after it was issued, a new one would be rejected too. */
const newForMs = 5 * minuteMs

/**
 * Maximum pause, which is longer than any block by the service. If a stored pause is longer, the clock
 * was ahead when it was set.
 */
const maxPauseMs = 90 * minuteMs

/**
 * A failed token request. The next request is sent at `until` or later, in milliseconds since the epoch.
 */
export type TokenFailure = { readonly error: UpstreamError; readonly until: number }

/** State of the access token in this process. The transitions below are pure functions. */
export type AccessTokenState =
  | { readonly status: 'missing'; readonly rejected: string | undefined }
  | {
      readonly status: 'issued'
      readonly rejected: string | undefined
      readonly token: StoredToken
    }
  /** The latest token request failed. An earlier token may still be valid. */
  | {
      readonly status: 'failed'
      /** The latest token that the service rejected. */
      readonly rejected: string | undefined
      readonly token: StoredToken | undefined
      readonly failure: TokenFailure
    }

export const noToken: AccessTokenState = { status: 'missing', rejected: undefined }

export function tokenIssued(state: AccessTokenState, token: StoredToken): AccessTokenState {
  return { status: 'issued', rejected: state.rejected, token }
}

export function requestFailed(state: AccessTokenState, failure: TokenFailure): AccessTokenState {
  return { status: 'failed', rejected: state.rejected, token: tokenIn(state), failure }
}

/** Drops a token that the service rejected. If the token is new, this counts as a failure. */
export function tokenRejected(
  state: AccessTokenState,
  rejected: string,
  now: number,
): AccessTokenState {
  const token = tokenIn(state)
  if (token?.token !== rejected) return { ...state, rejected }
  const until = Math.min(token.issuedAt, now) + newForMs
  const isNew = now < token.expiresAt && now < until
  const error = new UpstreamError('token_invalid', rejectedWhileNew)
  const failure = isNew ? { error, until } : failureIn(state)
  return failure
    ? { status: 'failed', rejected, token: undefined, failure }
    : { status: 'missing', rejected }
}

/** Drops the failure of the old refresh token, unless the service has blocked this IP address. */
export function refreshTokenReplaced(state: AccessTokenState): AccessTokenState {
  return failureIn(state)?.error.kind === 'too_many_failures' ? state : withoutFailure(state)
}

/** Applies a newer token or longer pause that a replica or an earlier process stored. */
export function storedTokenLoaded(
  state: AccessTokenState,
  { token, pause }: TokenState,
  options: {
    readonly now: number
    /** True if it belongs to this site and refresh token. */
    readonly isOurs: boolean
    readonly ignoresPauses: boolean
  },
): AccessTokenState {
  const { now, isOurs, ignoresPauses } = options
  const { rejected } = state
  const isNewer = token && token.issuedAt > (tokenIn(state)?.issuedAt ?? 0)
  const isTaken = isOurs && isNewer && isFresh(token, rejected, now)
  const next: AccessTokenState = isTaken ? tokenIssued(state, token) : state
  const isForUs = pause?.kind === 'too_many_failures' || (isOurs && !ignoresPauses)
  if (!pause || !isForUs) return next
  const until = Math.min(pause.until, now + maxPauseMs)
  if (until <= Math.max(now, failureIn(next)?.until ?? 0)) return next
  const error = new UpstreamError(pause.kind, 'token request: still paused after a failure')
  return requestFailed(next, { error, until })
}

/**
 * Returns the part to store. Includes failures that an operator must fix, so that replicas do not
 * retry.
 */
export function storedFrom(state: AccessTokenState): TokenState {
  const failure = failureIn(state)
  const pause =
    failure && isLasting(failure.error.kind)
      ? { kind: failure.error.kind, until: failure.until }
      : undefined
  return { token: tokenIn(state), pause }
}

export function freshToken(state: AccessTokenState, now: number): StoredToken | undefined {
  const token = tokenIn(state)
  return isFresh(token, state.rejected, now) ? token : undefined
}

/**
 * Returns an expired token while the service may be down. Calls with an expired token show when the
 * service is back, and do not count as token requests.
 */
export function probingToken(state: AccessTokenState): StoredToken | undefined {
  const token = tokenIn(state)
  const isUnclear = unclearKinds.includes(failureIn(state)?.error.kind)
  return isUnclear && token?.token !== state.rejected ? token : undefined
}

/** Returns the failure that prevents token requests at this time. */
export function coolingDown(state: AccessTokenState, now: number): TokenFailure | undefined {
  const failure = failureIn(state)
  if (!failure || now >= failure.until) return undefined
  return { ...failure, until: Math.min(failure.until, now + maxPauseMs) }
}

export function failureIn(state: AccessTokenState): TokenFailure | undefined {
  return state.status === 'failed' ? state.failure : undefined
}

const rejectedWhileNew = 'the service rejects the access token that it just issued'

/** Failures after which the outcome of the token request is unknown. */
const unclearKinds: readonly (UpstreamErrorKind | undefined)[] = [
  'unavailable',
  'server_error',
  'unexpected_answer',
  'interrupted',
  'timeout',
]

/** Returns true if a person has to fix the cause. */
export function isLasting(kind: UpstreamErrorKind): boolean {
  return retryPolicyFor(kind).initialMs >= 15 * minuteMs
}

function tokenIn(state: AccessTokenState): StoredToken | undefined {
  return state.status === 'missing' ? undefined : state.token
}

function withoutFailure(state: AccessTokenState): AccessTokenState {
  const token = tokenIn(state)
  return token ? tokenIssued(state, token) : { status: 'missing', rejected: state.rejected }
}

function isFresh(
  token: StoredToken | undefined,
  rejected: string | undefined,
  now: number,
): boolean {
  return token !== undefined && token.token !== rejected && now < token.expiresAt
}

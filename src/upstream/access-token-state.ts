import { z } from 'zod'
import { minuteMs } from '../clock.ts'
import { parsedJson } from '../json.ts'
import {
  isNeverSent,
  isTransient,
  retryPolicyFor,
  UpstreamError,
  type UpstreamErrorKind,
  upstreamErrorKinds,
} from './upstream-error.ts'

/** If a token is rejected this soon after it was issued, a new one would be rejected too. */
const newForMs = 5 * minuteMs

/**
 * Maximum pause, longer than any block by the service. A longer one was stored while a clock was
 * ahead.
 */
const maxPauseMs = 90 * minuteMs

const keptTokensSchema = z.object({
  /** Identifies the site and the refresh token that `token` and `pause` belong to. */
  fingerprint: z.string(),
  token: z
    .object({
      token: z.string().min(1),
      issuedAt: z.number(),
      renewAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
  /** Pauses token requests until `until`, because the last request failed with this error. */
  pause: z.object({ kind: z.enum(upstreamErrorKinds), until: z.number() }).optional(),
})

/** Persisted token state. Times are in milliseconds since the epoch. */
export type KeptTokens = z.infer<typeof keptTokensSchema>
/** The part of the stored state that applies to one site and refresh token. */
export type StoredTokenState = Omit<KeptTokens, 'fingerprint'>
export type StoredToken = NonNullable<KeptTokens['token']>

export function keptTokensFrom(text: string | undefined): KeptTokens | undefined {
  return keptTokensSchema.safeParse(parsedJson(text ?? '')).data
}

/** The next token request is sent at `until` or later, in milliseconds since the epoch. */
export type TokenFailure = { readonly error: UpstreamError; readonly until: number }

/** State of the access token in this process. The transitions below are pure functions. */
export type AccessTokenState = {
  readonly token: StoredToken | undefined
  /** The latest token that the service rejected. */
  readonly rejected: string | undefined
  /** Failure of the latest token request. An earlier token may still be valid. */
  readonly failure: TokenFailure | undefined
}

export const noToken: AccessTokenState = {
  token: undefined,
  rejected: undefined,
  failure: undefined,
}

export function tokenIssued(state: AccessTokenState, token: StoredToken): AccessTokenState {
  return { ...state, token, failure: undefined }
}

/** Drops a token that the service rejected. If the token is new, this counts as a failure. */
export function tokenRejected(
  state: AccessTokenState,
  rejected: string,
  now: number,
): AccessTokenState {
  const { token, failure } = state
  if (token?.token !== rejected) return { ...state, rejected }
  const until = Math.min(token.issuedAt, now) + newForMs
  const isNew = now < token.expiresAt && now < until
  const error = new UpstreamError('token_invalid', rejectedWhileNew)
  return { token: undefined, rejected, failure: isNew ? { error, until } : failure }
}

/** Drops the old refresh token's failure, unless the service has blocked this IP address. */
export function refreshTokenReplaced(state: AccessTokenState): AccessTokenState {
  const isBlocked = state.failure?.error.kind === 'too_many_failures'
  return isBlocked ? state : { ...state, failure: undefined }
}

/** Applies a newer token or longer pause that a replica or an earlier process stored. */
export function storedTokenLoaded(
  state: AccessTokenState,
  { token, pause }: StoredTokenState,
  options: {
    readonly now: number
    /** True if it belongs to this site and refresh token. */
    readonly isOurs: boolean
    readonly ignoresPauses: boolean
  },
): AccessTokenState {
  const { now, isOurs, ignoresPauses } = options
  const isNewer = token && token.issuedAt > (state.token?.issuedAt ?? 0)
  const isTaken = isOurs && isNewer && isFresh(token, state.rejected, now)
  const next: AccessTokenState = isTaken ? tokenIssued(state, token) : state
  const isForUs = pause?.kind === 'too_many_failures' || (isOurs && !ignoresPauses)
  if (!pause || !isForUs) return next
  const until = Math.min(pause.until, now + maxPauseMs)
  if (until <= Math.max(now, next.failure?.until ?? 0)) return next
  const error = new UpstreamError(pause.kind, 'token request: still paused after a failure')
  return { ...next, failure: { error, until } }
}

/** Includes failures that an operator must fix, so that replicas do not retry. */
export function storedFrom({ token, failure }: AccessTokenState): StoredTokenState {
  if (!failure || !isLasting(failure.error.kind)) return { token }
  return { token, pause: { kind: failure.error.kind, until: failure.until } }
}

export function freshToken(
  { token, rejected }: AccessTokenState,
  now: number,
): StoredToken | undefined {
  return isFresh(token, rejected, now) ? token : undefined
}

/**
 * Returns an expired token while the service may be down. Calls with an expired token reveal when
 * the service is back, and do not count as token requests.
 */
export function probingToken({
  token,
  rejected,
  failure,
}: AccessTokenState): StoredToken | undefined {
  // The outcome of the token request is unknown.
  const isUnclear = isTransient(failure?.error.kind) && !isNeverSent(failure?.error)
  return isUnclear && token?.token !== rejected ? token : undefined
}

export function coolingDown({ failure }: AccessTokenState, now: number): TokenFailure | undefined {
  if (!failure || now >= failure.until) return undefined
  return { ...failure, until: Math.min(failure.until, now + maxPauseMs) }
}

const rejectedWhileNew = 'the service rejects the access token that it just issued'

/** Returns true if a person has to fix the cause. */
export function isLasting(kind: UpstreamErrorKind): boolean {
  return retryPolicyFor(kind).initialMs >= 15 * minuteMs
}

function isFresh(
  token: StoredToken | undefined,
  rejected: string | undefined,
  now: number,
): boolean {
  return token !== undefined && token.token !== rejected && now < token.expiresAt
}

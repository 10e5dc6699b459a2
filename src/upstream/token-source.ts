import { z } from 'zod'
import { minuteMs, retryDelayMs, singleFlight, type Clock } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { SharedWindow } from '../store/shared-window.ts'
import { withFallback } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import {
  isNeverSent,
  isTransient,
  retryPolicyFor,
  UpstreamError,
  type UpstreamErrorKind,
  upstreamErrorKinds,
} from './upstream-error.ts'

/**
 * A token is renewed after this share of its lifetime, plus a random share up to
 * `renewalJitter`.
 */
const renewalShare = 0.85
const renewalJitter = 0.1

/**
 * Ten failed token requests within ten minutes block the IP address for an hour, so we allow at most
 * three. Except for an operator's requests, they are spaced out, so that the wait for the next one is
 * always short.
 */
const maxAttempts = { windowMs: 10 * minuteMs, max: 3 }
const attemptsApart = { windowMs: 3.5 * minuteMs, max: 1 }

/** Lifetime of a lease, which is also the maximum wait after its holder is killed. */
const leaseMs = 20_000
const othersWaitMs = 10_000
const othersPollMs = 1_000

const saveRetryMs = minuteMs

export type AccessToken = { readonly token: string; readonly lifetimeMs: number }

/** Exchanges the refresh token for an access token. Calls `admit` right before sending. */
export type RequestToken = (admit: () => Promise<void>) => Promise<AccessToken>

/** Store bucket for the access token, and for the pause after failed token requests. */
export const tokenBucket = 'tokens'

const document = { bucket: tokenBucket, id: 'access' }

const lease = 'token'

export type AccessTokens = {
  /** Returns an access token. Concurrent callers share one token request. */
  readonly current: () => Promise<string>
  /** Marks a token as rejected by the service, so that `current` returns another one. */
  readonly discard: (token: string) => void
  /** Records that the service rejects every request from this IP address. */
  readonly blocked: (error: UpstreamError) => Promise<void>
}

export type TokenSource = AccessTokens & {
  /** Loads the stored state, so that `state` is correct before the first call. */
  readonly load: () => Promise<void>
  readonly state: () => TokenState
}

/** Times are in milliseconds since the epoch. Without a token, `expiresAt` is undefined. */
export type TokenState = {
  readonly expiresAt: number | undefined
  readonly failure: { readonly kind: UpstreamErrorKind; readonly retryAt: number } | undefined
}

export function createTokenSource(options: {
  readonly requestToken: RequestToken
  /** Keeps the tokens of all replicas. While it is down, replicas do not share tokens. */
  readonly store: Store
  readonly holder: string
  /** Limits failed token requests, even while the store is down. */
  readonly attempts: SharedWindow
  readonly refreshToken: {
    /** Identifies the site and refresh token. Stored tokens for others are ignored. */
    readonly fingerprint: () => string
    /** Checks for a new refresh token. Resolves to true if it has changed. */
    readonly reread: () => Promise<boolean>
  }
  /** True for commands, since an operator may have fixed the cause of a pause. */
  readonly ignoresPauses?: boolean
  readonly clock: Clock
  readonly random: () => number
}): TokenSource {
  const { requestToken, store, holder, attempts, refreshToken, clock, random } = options
  const { ignoresPauses = false } = options
  const { documents, leases } = store
  const attemptLimits = ignoresPauses ? [maxAttempts] : [maxAttempts, attemptsApart]
  let state: AccessTokenState = {}
  let unsavedSince: number | undefined

  /** Acquires or renews the lease. Resolves to false if another replica holds it. */
  async function takeLease(): Promise<boolean> {
    return (await withFallback(() => leases.take(lease, holder, leaseMs))) ?? true
  }

  async function load(): Promise<void> {
    const found = await withFallback(() => documents.get(document.bucket, document.id))
    const stored = keptTokensFrom(found?.value)
    if (!stored) return
    const isOurs = stored.fingerprint === refreshToken.fingerprint()
    state = storedTokenLoaded(state, stored, { now: clock.now(), isOurs, ignoresPauses })
  }

  /** Loads first, so that a newer token or pause from another replica is not overwritten. */
  async function loadAndSave(): Promise<void> {
    await load()
    await save()
  }

  async function save(): Promise<void> {
    const fingerprint = refreshToken.fingerprint()
    const value = JSON.stringify({ fingerprint, ...storedFrom(state) })
    const isSaved = await withFallback(() => documents.write([{ ...document, value }]))
    unsavedSince = isSaved ? undefined : clock.now()
  }

  async function renew(): Promise<string> {
    if (await refreshToken.reread()) state = refreshTokenReplaced(state)
    await load()
    const token = freshToken(state, clock.now())
    if (token && clock.now() < token.renewAt) return token.token
    const paused = coolingDown(state, clock.now())
    if (paused) throw again(paused)
    if (!(await takeLease())) return tokenOfAnother()
    try {
      return await request()
    } finally {
      await withFallback(() => leases.release(lease, holder))
    }
  }

  async function request(): Promise<string> {
    let attemptId: string | undefined
    const admit = async () => {
      // The lease may have expired while the request waited.
      if (!(await takeLease())) throw leaseTaken()
      const attempt = await attempts.take(attemptLimits)
      if (!attempt.ok) throw tooSoon(state.failure?.error, attempt.retryAfterMs)
      attemptId = attempt.id
    }
    try {
      const { token, lifetimeMs } = await requestToken(admit)
      if (attemptId !== undefined) await attempts.release(attemptId)
      const issuedAt = clock.now()
      const renewAt = issuedAt + lifetimeMs * (renewalShare + renewalJitter * random())
      const expiresAt = issuedAt + lifetimeMs
      state = tokenIssued(state, { token, issuedAt, renewAt, expiresAt })
      await save()
      return token
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (isNeverSent(error) && attemptId !== undefined) await attempts.release(attemptId)
      if (attemptId === undefined) {
        const until = clock.now() + (error.retryAfterMs ?? 0)
        state = { ...state, failure: { error, until } }
      } else await pauseAfter(error)
      throw error
    }
  }

  /** Pauses token requests to prevent an immediate retry. Callers have their own backoff. */
  async function pauseAfter(error: UpstreamError): Promise<void> {
    const delayMs = retryDelayMs(retryPolicyFor(error.kind), 1, random())
    const until = clock.now() + Math.max(delayMs, error.retryAfterMs ?? 0)
    state = { ...state, failure: { error, until } }
    if (isLasting(error.kind)) await loadAndSave()
  }

  async function tokenOfAnother(): Promise<string> {
    for (const giveUpAt = clock.now() + othersWaitMs; clock.now() < giveUpAt;) {
      await clock.sleep(othersPollMs)
      await load()
      const token = freshToken(state, clock.now())
      if (token) return token.token
    }
    throw leaseTaken()
  }

  const renewOnce = singleFlight(renew)

  return {
    load,
    async current() {
      if (unsavedSince !== undefined && clock.now() >= unsavedSince + saveRetryMs) {
        await loadAndSave()
      }
      const fresh = freshToken(state, clock.now())
      if (!fresh) return probingToken(state)?.token ?? renewOnce()
      // Early renewal runs in the background. If it fails, the state records the failure.
      if (clock.now() >= fresh.renewAt) renewOnce().catch(() => undefined)
      return fresh.token
    },
    discard(token) {
      state = tokenRejected(state, token, clock.now())
    },
    blocked: pauseAfter,
    state() {
      const { failure } = state
      return {
        expiresAt: freshToken(state, clock.now())?.expiresAt,
        failure: failure && { kind: failure.error.kind, retryAt: failure.until },
      }
    },
  }

  function again({ error, until }: TokenFailure): UpstreamError {
    const retryAfterMs = until - clock.now()
    return new UpstreamError(error.kind, error.message, { retryAfterMs, cause: error })
  }
}

function leaseTaken(): UpstreamError {
  const message = 'token request: another replica is requesting a token'
  return new UpstreamError('timeout', message, { retryAfterMs: othersWaitMs })
}

/** Includes the kind of failure that caused the wait, if known. */
function tooSoon(before: UpstreamError | undefined, retryAfterMs: number): UpstreamError {
  const kind = before?.kind ?? 'token_requests_paused'
  const message = `token request: earlier requests failed; next attempt in ${inMinutes(retryAfterMs)}`
  return new UpstreamError(kind, message, { retryAfterMs })
}

function inMinutes(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1000)
  const parts = [`${Math.floor(seconds / 60)} min`, `${seconds % 60} s`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}

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
  readonly token?: StoredToken | undefined
  /** The latest token that the service rejected. */
  readonly rejected?: string | undefined
  /** Failure of the latest token request. An earlier token may still be valid. */
  readonly failure?: TokenFailure | undefined
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
  const isTaken = isOurs && isNewer && freshToken({ ...state, token }, now) !== undefined
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
  const isFresh = token !== undefined && token.token !== rejected && now < token.expiresAt
  return isFresh ? token : undefined
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
function isLasting(kind: UpstreamErrorKind): boolean {
  return retryPolicyFor(kind).initialMs >= 15 * minuteMs
}

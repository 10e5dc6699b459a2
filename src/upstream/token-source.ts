import { minuteMs, retryDelayMs, singleFlight, type Clock } from '../clock.ts'
import type { SharedWindow } from '../store/shared-window.ts'
import { withFallback } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import {
  coolingDown,
  freshToken,
  isLasting,
  keptTokensFrom,
  noToken,
  probingToken,
  refreshTokenReplaced,
  storedFrom,
  storedTokenLoaded,
  tokenIssued,
  tokenRejected,
  type TokenFailure,
} from './access-token-state.ts'
import { isNeverSent, retryPolicyFor, UpstreamError } from './upstream-error.ts'

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

export type TokenSource = ReturnType<typeof createTokenSource>

export type TokenState = ReturnType<TokenSource['state']>

export function createTokenSource(options: {
  readonly requestToken: RequestToken
  /** Keeps the tokens of all replicas. While it is down, replicas do not share tokens. */
  readonly store: Pick<Store, 'documents' | 'leases'>
  readonly holder: string
  /** Limits failed token requests, even while the store is down. */
  readonly attempts: Pick<SharedWindow, 'take' | 'release'>
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
}) {
  const { requestToken, store, holder, attempts, refreshToken, clock, random } = options
  const { ignoresPauses = false } = options
  const { documents, leases } = store
  const attemptLimits = ignoresPauses ? [maxAttempts] : [maxAttempts, attemptsApart]
  let state = noToken
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
    /** Loads the stored state, so that `state` is correct before the first call. */
    load,
    /** Returns an access token. Concurrent callers share one token request. */
    current: async (): Promise<string> => {
      if (unsavedSince !== undefined && clock.now() >= unsavedSince + saveRetryMs) {
        await loadAndSave()
      }
      const fresh = freshToken(state, clock.now())
      if (!fresh) return probingToken(state)?.token ?? renewOnce()
      // Early renewal runs in the background. If it fails, the state records the failure.
      if (clock.now() >= fresh.renewAt) renewOnce().catch(() => undefined)
      return fresh.token
    },
    /** Marks a token as rejected by the service, so that `current` returns another one. */
    discard: (token: string): void => {
      state = tokenRejected(state, token, clock.now())
    },
    /** Records that the service rejects every request from this IP address. */
    blocked: pauseAfter,
    /** Times are in milliseconds since the epoch. Without a token, `expiresAt` is undefined. */
    state: () => {
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

import type { Clock } from '../clock.ts'
import { retryDelayMs, retryPolicyFor } from './retry-policy.ts'
import { keptTokensFrom, type StoredToken, type TokenMemory } from './token-memory.ts'
import { isNeverSent, UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const minuteMs = 60_000

/** Share of a token's lifetime after which it is renewed, plus a random share up to the jitter. */
const renewalShare = 0.85
const renewalJitter = 0.1

/**
 * Ten failed token requests within ten minutes block the address for an hour, so we allow at most three.
 * They are spaced out, so that the next one is never far off. An operator's request skips the spacing.
 */
const maxAttempts = { windowMs: 10 * minuteMs, max: 3 }
const attemptsApart = { windowMs: 3.5 * minuteMs, max: 1 }

/** If a token is rejected this soon after it was issued, a new one would be rejected too. */
const newForMs = 5 * minuteMs

/** Longer than any block by the service; a longer stored pause comes from a clock that ran ahead. */
const maxPauseMs = 90 * minuteMs

/** A lease outlives a killed replica by at most this. */
const leaseMs = 20_000
const othersWaitMs = 10_000
const othersNapMs = 1_000

/** Retry interval for saving the token. */
const saveAgainMs = minuteMs

export type AccessToken = { readonly token: string; readonly lifetimeMs: number }

/** Exchanges the refresh token for an access token; calls `admit` right before sending. */
export type RequestToken = (admit: () => Promise<void>) => Promise<AccessToken>

export type TokenSource = {
  /** Returns an access token. Concurrent callers share one token request. */
  readonly current: () => Promise<string>
  /** Marks a token as rejected by the service; the next `current` returns another. */
  readonly discard: (token: string) => void
  /** Records that the service rejects every request from this address. */
  readonly blocked: (error: UpstreamError) => Promise<void>
  /** Loads the persisted state, so that `state` is right before the first call. */
  readonly load: () => Promise<void>
  readonly state: () => TokenState
}

export type TokenState = {
  /** Milliseconds since the epoch, like all times here. Undefined without a token. */
  readonly expiresAt: number | undefined
  readonly failure: { readonly kind: UpstreamErrorKind; readonly retryAt: number } | undefined
}

export type TokenSourceOptions = {
  readonly requestToken: RequestToken
  readonly memory: TokenMemory
  readonly refreshToken: {
    /** Identifies site and token: stored tokens of any other are ignored. */
    readonly fingerprint: () => string
    /** Looks for a new refresh token. Returns false without one. */
    readonly reread: () => Promise<boolean>
  }
  /** Set when an operator asks, since they may have fixed the cause of a pause. */
  readonly ignoresPauses?: boolean
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
}

export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { requestToken, memory, refreshToken, ignoresPauses = false, clock, random } = options
  const attemptLimits = ignoresPauses ? [maxAttempts] : [maxAttempts, attemptsApart]
  let held: StoredToken | undefined
  let failure: { readonly error: UpstreamError; readonly until: number } | undefined
  let refused: string | undefined
  let inFlight: Promise<string> | undefined
  let unsavedSince: number | undefined

  const isFresh = (token: StoredToken | undefined) =>
    token !== undefined && token.token !== refused && clock.now() < token.expiresAt

  async function load(): Promise<void> {
    const kept = keptTokensFrom(await memory.load())
    if (!kept) return
    const isOurs = kept.fingerprint === refreshToken.fingerprint()
    if (isOurs && isFresh(kept.token) && (kept.token?.issuedAt ?? 0) > (held?.issuedAt ?? 0)) {
      held = kept.token
      failure = undefined
    }
    const { kind, until = 0 } = kept.pause ?? {}
    const isForUs = kind === 'too_many_failures' || (isOurs && !ignoresPauses)
    const end = Math.min(until, clock.now() + maxPauseMs)
    if (kind && isForUs && end > Math.max(clock.now(), failure?.until ?? 0)) {
      failure = {
        error: new UpstreamError(kind, `token request: ${kind}, still paused`),
        until: end,
      }
    }
  }

  /** Loads first, so that nothing saved by another replica is lost: a newer token or a pause of the address. */
  async function save(): Promise<void> {
    await load()
    const pause = failure &&
      isLasting(failure.error.kind) && { kind: failure.error.kind, until: failure.until }
    const fingerprint = refreshToken.fingerprint()
    noteSaved(await memory.save(JSON.stringify({ fingerprint, token: held, pause })))
  }

  function noteSaved(isSaved: boolean): void {
    unsavedSince = isSaved ? undefined : clock.now()
  }

  /** A failure of the old refresh token does not apply to a new one. */
  async function rereadToken(): Promise<void> {
    if (!(await refreshToken.reread())) return
    if (failure?.error.kind !== 'too_many_failures') failure = undefined
  }

  async function renew(): Promise<string> {
    await rereadToken()
    await load()
    if (held && isFresh(held) && clock.now() < held.renewAt) return held.token
    const end = Math.min(failure?.until ?? 0, clock.now() + maxPauseMs)
    if (failure && clock.now() < end) throw again(failure.error, end)
    if (!(await memory.takeLease(leaseMs))) return tokenOfAnother()
    try {
      return await request()
    } finally {
      await memory.releaseLease()
    }
  }

  async function request(): Promise<string> {
    let attemptId: string | undefined
    const admit = async () => {
      // The request may have waited longer than the lease lasts.
      if (!(await memory.takeLease(leaseMs))) throw leaseTaken()
      const attempt = await memory.attempts.take(attemptLimits)
      if (!attempt.ok) throw tooSoon(failure?.error, attempt.retryAfterMs)
      attemptId = attempt.id
    }
    try {
      const { token, lifetimeMs } = await requestToken(admit)
      if (attemptId !== undefined) await memory.attempts.release(attemptId)
      const issuedAt = clock.now()
      const renewAt = issuedAt + lifetimeMs * (renewalShare + renewalJitter * random())
      held = { token, issuedAt, renewAt, expiresAt: issuedAt + lifetimeMs }
      const fingerprint = refreshToken.fingerprint()
      await memory.save(JSON.stringify({ fingerprint, token: held })).then(noteSaved)
      failure = undefined
      return token
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (isNeverSent(error) && attemptId !== undefined) await memory.attempts.release(attemptId)
      if (attemptId === undefined)
        failure = { error, until: clock.now() + (error.retryAfterMs ?? 0) }
      else await pauseAfter(error)
      throw error
    }
  }

  /** Callers have their own backoff; this only prevents an immediate retry. */
  async function pauseAfter(error: UpstreamError): Promise<void> {
    const delayMs = retryDelayMs(retryPolicyFor(error.kind), 1, random())
    failure = { error, until: clock.now() + Math.max(delayMs, error.retryAfterMs ?? 0) }
    if (isLasting(error.kind)) await save()
  }

  async function tokenOfAnother(): Promise<string> {
    for (const giveUpAt = clock.now() + othersWaitMs; clock.now() < giveUpAt;) {
      await clock.sleep(othersNapMs)
      await load()
      if (held && isFresh(held)) return held.token
    }
    throw leaseTaken()
  }

  function renewOnce(): Promise<string> {
    inFlight ??= renew().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  return {
    load,
    async current() {
      if (unsavedSince !== undefined && clock.now() >= unsavedSince + saveAgainMs) await save()
      if (!held || !isFresh(held)) {
        // The service may be down. A call with the expired token shows when it is back and does not count
        // as a token request.
        if (held && held.token !== refused && isUnclear(failure?.error)) return held.token
        return renewOnce()
      }
      // Early renewal runs in the background; a failure shows up in the state.
      if (clock.now() >= held.renewAt) renewOnce().catch(() => undefined)
      return held.token
    },
    discard(token) {
      refused = token
      if (held?.token !== token) return
      const wasFresh = clock.now() < held.expiresAt
      const until = Math.min(held.issuedAt, clock.now()) + newForMs
      if (wasFresh && clock.now() < until) {
        failure = { error: new UpstreamError('token_invalid', refusedWhileNew), until }
      }
      held = undefined
    },
    blocked: pauseAfter,
    state: () => ({
      expiresAt: isFresh(held) ? held?.expiresAt : undefined,
      failure: failure && { kind: failure.error.kind, retryAt: failure.until },
    }),
  }

  function again(error: UpstreamError, at: number): UpstreamError {
    return new UpstreamError(error.kind, error.message, {
      retryAfterMs: at - clock.now(),
      cause: error,
    })
  }
}

function leaseTaken(): UpstreamError {
  const message = 'token request: another replica is making one'
  return new UpstreamError('timeout', message, { retryAfterMs: othersWaitMs })
}

const refusedWhileNew = 'the service refuses the access token it just issued'

/** Reports the previous failure if this process knows it: the reason why the next request has to wait. */
function tooSoon(before: UpstreamError | undefined, retryAfterMs: number): UpstreamError {
  const kind = before?.kind ?? 'token_requests_paused'
  const message = `token request: earlier requests failed, next attempt in ${inMinutes(retryAfterMs)}`
  return new UpstreamError(kind, message, { retryAfterMs })
}

function inMinutes(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1000)
  const parts = [`${Math.floor(seconds / 60)} min`, `${seconds % 60} s`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}

/** Returns true if the failure needs a person, so that replicas and restarts do not retry either. */
function isLasting(kind: UpstreamErrorKind): boolean {
  return retryPolicyFor(kind).initialMs >= 15 * minuteMs
}

/** Returns true if the outcome of the token request is unknown and the service may just be down. */
function isUnclear(error: UpstreamError | undefined): boolean {
  const kinds = ['unavailable', 'server_error', 'unexpected_answer', 'interrupted', 'timeout']
  return error !== undefined && kinds.includes(error.kind)
}

import type { Clock } from '../clock.ts'
import { keptTokenFrom, type KeptToken, type TokenMemory } from './token-memory.ts'
import { retryDelayMs, retryPolicyFor } from './retry-policy.ts'
import { isNeverSent, UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const minuteMs = 60_000

/** Share of its lifetime after which a token is renewed: this, and up to as much more by chance. */
const renewalShare = 0.85
const renewalJitter = 0.1

/**
 * Ten failed token requests within ten minutes block the address for an hour, so there are never more
 * than three, whatever else is wrong; evenly spread, so that the next is never far.
 */
const failureLimits = [
  { windowMs: 10 * minuteMs, most: 3 },
  { windowMs: (10 * minuteMs) / 3, most: 1 },
]

/** How soon after a token was issued its refusal means that another would be refused too. */
const newForMs = 5 * minuteMs

/** More than the service blocks for; a longer one was noted by a clock that was ahead. */
const longestLockoutMs = 90 * minuteMs

/** A replica that was killed has it no longer than this. */
const leaseMs = 20_000
const othersWaitMs = 10_000
const othersNapMs = 1_000

export type AccessToken = { readonly token: string; readonly lifetimeMs: number }

export type TokenSource = {
  /** An access token with time left. Callers at the same moment share one token request. */
  readonly current: () => Promise<string>
  /** The service refuses this token; the next `current` brings another. */
  readonly discard: (token: string) => void
  readonly state: () => TokenState
}

export type TokenState = {
  /** Milliseconds since the epoch, as all times here. Undefined without a token. */
  readonly expiresAt: number | undefined
  readonly failure: { readonly kind: UpstreamErrorKind; readonly retryAt: number } | undefined
}

/** Holds the access token; `requestToken` trades the refresh token for a new one. */
export function createTokenSource(options: {
  readonly requestToken: () => Promise<AccessToken>
  readonly memory: TokenMemory
  /** Of site and refresh token: access tokens of others are not taken over. */
  readonly fingerprint: string
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
}): TokenSource {
  const { requestToken, memory, fingerprint, clock, random } = options
  let held: KeptToken | undefined
  let refused: string | undefined
  let inFlight: Promise<string> | undefined
  let failure: { readonly error: UpstreamError; readonly until: number } | undefined

  const isUsable = (token: KeptToken | undefined) =>
    token !== undefined && token.token !== refused && clock.now() < token.expiresAt

  /** What another replica, or the process before this one, has left. */
  async function adopt(): Promise<void> {
    const { token, lockedUntil } = keptTokenFrom(await memory.load())
    const isOurs = token?.fingerprint === fingerprint && isUsable(token)
    if (isOurs && (!held || token.issuedAt > held.issuedAt)) {
      held = token
      failure = undefined
    }
    const until = Math.min(lockedUntil, clock.now() + longestLockoutMs)
    if (until > clock.now()) fail(new UpstreamError('too_many_failures', lockedOut), until)
  }

  function fail(error: UpstreamError, until: number): void {
    failure = { error, until }
  }

  async function renew(): Promise<string> {
    await adopt()
    if (held && isUsable(held) && clock.now() < held.renewAt) return held.token
    if (failure && clock.now() < failure.until) throw again(failure.error, failure.until)
    if (!(await memory.takeLease(leaseMs))) return tokenOfAnother()
    try {
      return await request()
    } finally {
      await memory.releaseLease()
    }
  }

  async function request(): Promise<string> {
    const attempt = await memory.attempts.take(failureLimits)
    if (!attempt.ok) {
      const error = failure?.error ?? new UpstreamError('budget_spent', tooManyAttempts)
      const until = clock.now() + attempt.retryAfterMs
      fail(error, until)
      throw again(error, until)
    }
    const askedAt = clock.now()
    try {
      const { token, lifetimeMs } = await requestToken()
      await memory.attempts.giveBack(attempt.id)
      const share = renewalShare + renewalJitter * random()
      const [renewAt, expiresAt] = [askedAt + lifetimeMs * share, askedAt + lifetimeMs]
      held = { fingerprint, token, issuedAt: askedAt, renewAt, expiresAt }
      failure = undefined
      await memory.save(JSON.stringify({ token: held }))
      return token
    } catch (error) {
      if (error instanceof UpstreamError) await noteFailure(error, attempt.id)
      throw error
    }
  }

  async function noteFailure(error: UpstreamError, attemptId: string): Promise<void> {
    if (isHarmless(error)) await memory.attempts.giveBack(attemptId)
    // Whoever asks backs off by itself; here it is only kept from asking again at once.
    const delayMs = retryDelayMs(retryPolicyFor(error.kind), 1, random())
    fail(error, clock.now() + Math.max(delayMs, error.retryAfterMs ?? 0))
    if (error.kind === 'too_many_failures') {
      await memory.save(JSON.stringify({ token: held, lockedUntil: failure?.until }))
    }
  }

  async function tokenOfAnother(): Promise<string> {
    for (const giveUpAt = clock.now() + othersWaitMs; clock.now() < giveUpAt;) {
      await clock.sleep(othersNapMs)
      await adopt()
      if (held && isUsable(held)) return held.token
    }
    throw new UpstreamError('timeout', 'another replica did not get an access token in time')
  }

  function renewOnce(): Promise<string> {
    inFlight ??= renew().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  return {
    async current() {
      if (!held || !isUsable(held)) return renewOnce()
      // Nobody waits for a renewal ahead of time; its failure is kept in the state.
      if (clock.now() >= held.renewAt) renewOnce().catch(() => undefined)
      return held.token
    },
    discard(token) {
      refused = token
      if (held?.token !== token) return
      const until = Math.min(held.issuedAt, clock.now()) + newForMs
      if (clock.now() < until) fail(new UpstreamError('token_invalid', refusedWhileNew), until)
      held = undefined
    },
    state: () => ({
      expiresAt: isUsable(held) ? held?.expiresAt : undefined,
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

const lockedOut = 'the service blocks this address after too many failed token requests'
const tooManyAttempts = 'a token request has just come to nothing; the next one has to wait'
const refusedWhileNew = 'the service refuses the access token it just issued'

/** Whether the service cannot have counted it as a failed token request. */
function isHarmless(error: UpstreamError): boolean {
  return isNeverSent(error) || ['budget_spent', 'unavailable'].includes(error.kind)
}

import type { Clock } from '../clock.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const minuteMs = 60_000

/** Share of its lifetime after which a token is renewed. */
const renewalShare = 0.9

/**
 * How long a failed token request is not repeated, so that ten failures in ten minutes, which lock
 * the address out for an hour, cannot come about.
 */
const cooldownMs = {
  failed: 5 * minuteMs,
  lockedOut: 60 * minuteMs,
  needsTheWebmaster: 15 * minuteMs,
  siteUnreachable: 10_000,
}

export type AccessToken = { readonly token: string; readonly lifetimeMs: number }

export type TokenSource = {
  /** An access token with time left. Callers at the same moment share one token request. */
  readonly current: () => Promise<string>
  /** The service refuses this token; the next `current` brings another. */
  readonly discard: (token: string) => void
}

type Held = {
  readonly token: string
  readonly issuedAt: number
  readonly renewAt: number
  readonly expiresAt: number
}

/** Holds the access token; `requestToken` trades the refresh token for a new one. */
export function createTokenSource(
  requestToken: () => Promise<AccessToken>,
  clock: Clock,
): TokenSource {
  let held: Held | undefined
  let inFlight: Promise<string> | undefined
  let failure: { readonly error: UpstreamError; readonly until: number } | undefined

  async function renew(): Promise<string> {
    const askedAt = clock.now()
    try {
      const { token, lifetimeMs } = await requestToken()
      held = {
        token,
        issuedAt: askedAt,
        renewAt: askedAt + lifetimeMs * renewalShare,
        expiresAt: askedAt + lifetimeMs,
      }
      return token
    } catch (error) {
      if (error instanceof UpstreamError) {
        failure = { error, until: clock.now() + cooldownAfter(error.kind) }
      }
      throw error
    }
  }

  function renewOnce(): Promise<string> {
    inFlight ??= renew().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  return {
    async current() {
      const now = clock.now()
      if (held && now < held.renewAt) return held.token
      const usable = held && now < held.expiresAt ? held.token : undefined
      if (failure && now < failure.until) {
        if (usable !== undefined) return usable
        throw cooldownError(failure.error, failure.until - now)
      }
      return usable === undefined ? renewOnce() : renewOnce().catch(() => usable)
    },
    discard(token) {
      if (held?.token !== token) return
      const until = held.issuedAt + cooldownMs.failed
      // Another new token would be refused as well.
      if (clock.now() < until) failure = { error: refusedWhileNew(), until }
      held = undefined
    },
  }
}

function cooldownAfter(kind: UpstreamErrorKind): number {
  switch (kind) {
    case 'too_many_failures':
      return cooldownMs.lockedOut
    case 'refresh_expired':
    case 'project_disabled':
    case 'api_disabled':
    case 'ip_not_allowed':
      return cooldownMs.needsTheWebmaster
    case 'network':
    case 'tls':
    case 'timeout':
    case 'budget_spent':
      return cooldownMs.siteUnreachable
    default:
      return cooldownMs.failed
  }
}

function refusedWhileNew(): UpstreamError {
  return new UpstreamError('token_invalid', 'the service refuses the access token it just issued')
}

function cooldownError(error: UpstreamError, retryAfterMs: number): UpstreamError {
  return new UpstreamError(error.kind, error.message, { retryAfterMs, cause: error })
}

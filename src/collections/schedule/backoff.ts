import { retryDelayMs, type TimeSource } from '../../clock.ts'
import { retryPolicyFor } from '../../upstream/retry-policy.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'

/** A site outage means 3 consecutive failures across at least 2 resources. */
const failureThreshold = 3
const minFailingKeys = 2

/** Maximum backoff for a single resource, unless the site's policy has a higher maximum. */
const resourceMaxMs = 5 * 60_000

export type Failure = {
  readonly error: unknown
  readonly consecutiveFailures: number
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly lastAt: number
  readonly retryAt: number
}

/** Tracks failures and retry times, per resource and for the whole site. */
export type Backoff = {
  readonly mayTry: (name: string) => boolean
  /** True during an outage, when only one attempt at a time is allowed. */
  readonly isOutage: () => boolean
  readonly failed: (name: string, error: unknown) => Failure
  readonly succeeded: (name: string) => void
  /** Returns the resource's or site's failure that delays the next attempt. */
  readonly failureOf: (name: string) => Failure | undefined
  readonly ownFailureOf: (name: string) => Failure | undefined
  /** Clears all failures, after an operator has reported a fix. */
  readonly forget: () => void
}

export function createBackoff(options: {
  readonly clock: TimeSource
  /** Returns a number from 0 up to, but not including, 1, like `Math.random`. */
  readonly random: () => number
  /**
   * Returns the number of resources that are read, or 0 if failures do not affect the whole site.
   */
  readonly keyCount: () => number
}): Backoff {
  const { clock, random, keyCount } = options
  const failures = new Map<string, Failure>()
  const failingKeys = new Set<string>()
  let site: Failure | undefined

  const isOutage = () =>
    (site?.consecutiveFailures ?? 0) >= failureThreshold &&
    failingKeys.size >= Math.min(minFailingKeys, keyCount())

  /**
   * Returns true if retrying is allowed. Failures recorded by a clock that was ahead do not prevent
   * it.
   */
  const isOver = (failure: Failure | undefined) =>
    !failure || clock.now() >= failure.retryAt || clock.now() < failure.lastAt

  /** Ends an outage. All resources are then retried immediately. */
  function siteResponded(): void {
    if (isOutage()) failures.clear()
    failingKeys.clear()
    site = undefined
  }

  return {
    mayTry: (name) => isOver(site) && (isOutage() || isOver(failures.get(name))),
    isOutage,
    failed(name, error) {
      const kind = error instanceof UpstreamError ? error.kind : 'unexpected_answer'
      const requestedMs = (error instanceof UpstreamError ? error.retryAfterMs : undefined) ?? 0
      const policy = retryPolicyFor(kind)
      const after = (before: Failure | undefined, maxMs: number): Failure => {
        const consecutiveFailures = (before?.consecutiveFailures ?? 0) + 1
        const waitMs = retryDelayMs({ ...policy, maxMs }, consecutiveFailures, random())
        const now = clock.now()
        const since = before?.since ?? now
        return {
          error,
          consecutiveFailures,
          since,
          lastAt: now,
          retryAt: now + Math.max(requestedMs, waitMs),
        }
      }
      const failure = after(failures.get(name), Math.max(policy.maxMs, resourceMaxMs))
      // An error from one endpoint proves that the site responds, unless the call was never sent.
      const isSiteResponse = policy.concerns === 'endpoint' && kind !== 'budget_spent'
      if (isSiteResponse && keyCount() > 0) siteResponded()
      failures.set(name, failure)
      if (policy.concerns !== 'site' || keyCount() === 0) return failure
      failingKeys.add(name)
      // Count concurrent failures as one site failure.
      if (isOver(site)) site = after(site, policy.maxMs)
      return failure
    },
    succeeded(name) {
      siteResponded()
      failures.delete(name)
    },
    forget() {
      failures.clear()
      failingKeys.clear()
      site = undefined
    },
    ownFailureOf: (name) => failures.get(name),
    failureOf(name) {
      const own = failures.get(name)
      if (isOutage() || !own) return isOver(site) ? own : site
      return { ...own, retryAt: Math.max(own.retryAt, site?.retryAt ?? 0) }
    },
  }
}

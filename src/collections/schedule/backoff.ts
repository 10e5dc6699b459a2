import { retryDelayMs, type TimeSource } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { retryPolicyFor, UpstreamError } from '../../upstream/upstream-error.ts'

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

export type Backoff = {
  readonly mayTry: (name: string) => boolean
  /** True while only one attempt at a time is allowed. */
  readonly isOutage: () => boolean
  readonly failed: (name: string, error: unknown) => Failure
  readonly succeeded: (name: string) => void
  readonly forget: () => void
  readonly ownFailureOf: (name: string) => Failure | undefined
  /** Returns the failure of the resource or site that delays the next attempt. */
  readonly failureOf: (name: string) => Failure | undefined
}

/** Tracks failures and retry times, both per resource and for the whole site. */
export function createBackoff(options: {
  readonly clock: TimeSource
  readonly random: () => number
  /** Number of resources that are read, or 0 if failures do not affect the whole site. */
  readonly keyCount: () => number
}): Backoff {
  const { clock, random, keyCount } = options
  const failures = new Map<string, Failure>()
  const failingKeys = new Set<string>()
  let site: Failure | undefined

  const isOutage = () =>
    (site?.consecutiveFailures ?? 0) >= failureThreshold &&
    failingKeys.size >= Math.min(minFailingKeys, keyCount())

  /** Failures recorded by a clock that was ahead do not prevent a retry. */
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
        const retryAt = now + Math.max(requestedMs, waitMs)
        return { error, consecutiveFailures, since: before?.since ?? now, lastAt: now, retryAt }
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
      siteResponded()
    },
    ownFailureOf: (name) => failures.get(name),
    failureOf(name) {
      const own = failures.get(name)
      if (isOutage() || !own) return isOver(site) ? own : site
      return { ...own, retryAt: Math.max(own.retryAt, site?.retryAt ?? 0) }
    },
  }
}

export type Attempts = {
  /** Joins the attempt in progress or starts one. `attempt` resolves to true if the website was read. */
  readonly join: (name: string, attempt: () => Promise<boolean>) => Promise<void>
  readonly isUnderWay: (name: string) => boolean
  readonly areAllOver: () => boolean
  readonly allOver: () => Promise<unknown>
}

/** Runs attempts to read the website, at most one per name at a time. Never rejects. */
export function createAttempts(options: {
  readonly backoff: Backoff
  readonly clock: TimeSource
  readonly log: Logger
  readonly adviceOn?: (name: string, error: UpstreamError) => string
  /** Failures are not logged after it is aborted. */
  readonly signal: AbortSignal
}): Attempts {
  const { backoff, clock, log, signal, adviceOn = (_name, error) => adviceFor(error) } = options
  const underWay = new Map<string, Promise<void>>()

  async function make(name: string, attempt: () => Promise<boolean>): Promise<void> {
    try {
      if (await attempt()) backoff.succeeded(name)
    } catch (error) {
      tell(name, backoff.failed(name, error))
    }
  }

  function tell(name: string, { error, consecutiveFailures, retryAt }: Failure): void {
    // Log a persistent failure after 1, 2, 4, 8, ... attempts.
    if (signal.aborted || !Number.isInteger(Math.log2(consecutiveFailures))) return
    const why =
      error instanceof UpstreamError
        ? { kind: error.kind, reason: error.message, advice: adviceOn(name, error) }
        : { err: error }
    const waitMs = retryAt - clock.now()
    log.warn({ resource: name, ...why, consecutiveFailures, waitMs }, 'could not read the website')
  }

  return {
    join(name, attempt) {
      const joined = underWay.get(name)
      if (joined) return joined
      const made = make(name, attempt).finally(() => underWay.delete(name))
      underWay.set(name, made)
      return made
    },
    isUnderWay: (name) => underWay.has(name),
    areAllOver: () => underWay.size === 0,
    allOver: () => Promise.all(underWay.values()),
  }
}

import type { Clock } from '../../clock.ts'
import { retryDelayMs, retryPolicyFor } from '../../upstream/retry-policy.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'

/** So many failures in a row, of more than one thing that was asked, are an outage of the site. */
const outageAfter = 3
const outageOf = 2

/** What fails while the rest goes well is tried at most this seldom. */
const longestOwnMs = 5 * 60_000

export type Failure = {
  readonly error: unknown
  readonly inARow: number
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly lastAt: number
  readonly retryAt: number
}

/** When what failed may be tried again: each by itself, and all of the site. */
export type Backoff = {
  readonly mayTry: (name: string) => boolean
  /** Whether only one attempt at a time is to be made. */
  readonly isOutage: () => boolean
  readonly failed: (name: string, error: unknown) => Failure
  readonly succeeded: (name: string) => void
  /** Its own failure, or that of the site, which it waits for too. */
  readonly failureOf: (name: string) => Failure | undefined
  readonly ownFailureOf: (name: string) => Failure | undefined
  /** Everything may be tried again: somebody says that what was wrong is mended. */
  readonly forget: () => void
}

export function createBackoff(options: {
  readonly clock: Pick<Clock, 'now'>
  /** From 0 up to 1. */
  readonly random: () => number
  /** How many different things are asked of the site; 0 for what says nothing of the whole site. */
  readonly names: () => number
}): Backoff {
  const { clock, random, names } = options
  const failures = new Map<string, Failure>()
  const failedInARow = new Set<string>()
  let site: Failure | undefined

  const isOutage = () =>
    (site?.inARow ?? 0) >= outageAfter && failedInARow.size >= Math.min(outageOf, names())

  /** What a clock that was ahead has noted is over too. */
  const isOver = (failure: Failure | undefined) =>
    !failure || clock.now() >= failure.retryAt || clock.now() < failure.lastAt

  /** After an outage everything is tried again at once. */
  function siteAnswers(): void {
    if (isOutage()) failures.clear()
    failedInARow.clear()
    site = undefined
  }

  return {
    mayTry: (name) => isOver(site) && (isOutage() || isOver(failures.get(name))),
    isOutage,
    failed(name, error) {
      const kind = error instanceof UpstreamError ? error.kind : 'unexpected_answer'
      const askedMs = (error instanceof UpstreamError ? error.retryAfterMs : undefined) ?? 0
      const policy = retryPolicyFor(kind)
      const after = (before: Failure | undefined, longestMs: number): Failure => {
        const inARow = (before?.inARow ?? 0) + 1
        const waitMs = retryDelayMs({ ...policy, longestMs }, inARow, random())
        const now = clock.now()
        const since = before?.since ?? now
        return { error, inARow, since, lastAt: now, retryAt: now + Math.max(askedMs, waitMs) }
      }
      const failure = after(failures.get(name), Math.max(policy.longestMs, longestOwnMs))
      // What concerns an endpoint alone is an answer of the site, unless the call was not sent.
      const isAnswer = policy.concerns === 'endpoint' && kind !== 'budget_spent'
      if (isAnswer && names() > 0) siteAnswers()
      failures.set(name, failure)
      if (policy.concerns !== 'site' || names() === 0) return failure
      failedInARow.add(name)
      // What was under way together fails together; that is one failure of the site.
      if (isOver(site)) site = after(site, policy.longestMs)
      return failure
    },
    succeeded(name) {
      siteAnswers()
      failures.delete(name)
    },
    forget() {
      failures.clear()
      failedInARow.clear()
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

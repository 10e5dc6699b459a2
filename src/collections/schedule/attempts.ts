import type { TimeSource } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Backoff, Failure } from './backoff.ts'

/** Attempts to read the website, at most one per name at a time. Attempts never reject. */
export type Attempts = {
  /** Joins the attempt in progress or starts one. `attempt` resolves to true if the website was read. */
  readonly join: (name: string, attempt: () => Promise<boolean>) => Promise<void>
  readonly isUnderWay: (name: string) => boolean
  readonly areAllOver: () => boolean
  readonly allOver: () => Promise<void>
}

export function createAttempts(options: {
  readonly backoff: Backoff
  readonly clock: TimeSource
  readonly log: Logger
  readonly adviceOn?: (name: string, error: UpstreamError) => string
  /** Failures are not logged after it is aborted. */
  readonly signal: AbortSignal
}): Attempts {
  const { backoff, clock, log, signal } = options
  const adviceOn = options.adviceOn ?? ((_name: string, error: UpstreamError) => adviceFor(error))
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
    async allOver() {
      await Promise.all(underWay.values())
    },
  }
}

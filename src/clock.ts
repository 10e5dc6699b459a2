import { setTimeout as sleepFor } from 'node:timers/promises'

/** Current time, passed as a dependency, in milliseconds since the epoch. */
export type TimeSource = { readonly now: () => number }

/** Current time and delays. */
export type Clock = TimeSource & {
  /** Rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleepFor(ms, undefined, signal ? { signal } : {}),
}

/**
 * Waking up the process costs more than most work that runs on an interval, so sites share
 * wake-ups.
 */
const wakeUpMs = 100

/**
 * Runs `work` now, and then at multiples of `intervalMs`, until aborted. After a stall, it goes
 * back to its own schedule. Otherwise, every stall would make the work of more sites coincide.
 */
export async function every(
  { now, sleep }: Clock,
  intervalMs: number,
  signal: AbortSignal,
  work: () => unknown,
): Promise<void> {
  const startedAt = now() - (now() % wakeUpMs)
  while (!signal.aborted) {
    await work()
    const elapsedMs = Math.max(0, now() - startedAt)
    await sleep(intervalMs - (elapsedMs % intervalMs), signal).catch(() => undefined)
  }
}

/**
 * Returns the result of `work`, or of `onTimeout` if it takes too long or the signal aborts. Does not
 * abort the work.
 */
export async function withTimeout<T, U>(
  work: PromiseLike<T>,
  timeoutMs: number,
  onTimeout: () => U,
  {
    clock: { sleep } = systemClock,
    signal,
  }: { readonly clock?: Pick<Clock, 'sleep'>; readonly signal?: AbortSignal } = {},
): Promise<T | U> {
  const finished = new AbortController()
  const ending = signal ? AbortSignal.any([signal, finished.signal]) : finished.signal
  const timeout = sleep(timeoutMs, ending).then(onTimeout, (error: unknown) => {
    if (finished.signal.aborted) throw error
    return onTimeout()
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    // By default, the reason would be an error with a stack trace, which is slow.
    finished.abort(null)
  }
}

/** Maximum random share added to a delay, so that replicas do not retry at the same time. */
const jitter = 0.2

/**
 * Returns the delay after consecutive failures. The delay doubles with each failure. `random` is in
 * [0, 1).
 */
export function retryDelayMs(
  { initialMs, maxMs }: { readonly initialMs: number; readonly maxMs: number },
  consecutiveFailures: number,
  random = 0,
): number {
  const backoffMs = Math.min(initialMs * 2 ** (consecutiveFailures - 1), maxMs)
  return Math.round(backoffMs * (1 + jitter * random))
}

import { vi } from 'vitest'
import type { FakeClock } from './fake-clock.ts'

/** Maximum time to wait for asynchronous results, which is long enough on a busy machine. */
export const patienceMs = 45_000

/** Interval between checks that hardly take CPU time. */
const interval = 10

/**
 * Retries until `check` stops throwing, and resolves to its result. Rejects with its last error. A long
 * interval leaves the CPU to processes that take seconds.
 */
export function waitFor<T>(check: () => T | Promise<T>, intervalMs = interval): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval: intervalMs })
}

/** Advances a fake clock until `check` stops throwing. Reads take real time as well. */
export function advanceUntil<T>(
  { advance }: Pick<FakeClock, 'advance'>,
  check: () => T | Promise<T>,
  stepMs = 5_000,
): Promise<T> {
  return waitFor(async () => {
    await advance(stepMs)
    return check()
  })
}

/** Retries until `check` returns a truthy value, and resolves to it. */
export function waitUntil<T>(check: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  return vi.waitUntil(check, { timeout: patienceMs, interval }) as Promise<
    Exclude<T, undefined | false>
  >
}

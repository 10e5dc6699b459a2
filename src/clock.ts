import { setTimeout as sleepFor } from 'node:timers/promises'

/** The current time, passed as a dependency: milliseconds since the epoch. */
export type Clock = {
  readonly now: () => number
  /** Rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleepFor(ms, undefined, signal ? { signal } : {}),
}

import type { Clock } from '../clock.ts'
import { UpstreamError } from './upstream-error.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const maxWaitMs = 2 * minuteMs

/** Longest delay between reserving a call and its arrival at the service; the next call may have none. */
const latestArrivalMs = 10_000

/** Any longer wait can only be due to the daily limit. */
const maxMinuteWaitMs = 15 * minuteMs

/** Sleep in short steps: a more urgent call may arrive, or the priority of a waiting one may rise. */
const maxSleepMs = 5_000

/**
 * Purpose of a call, most urgent first: a person is waiting, a collection in use is due, a detail of one
 * is due, or prefetching.
 */
export type Priority = 'person' | 'scheduled' | 'details' | 'warm-up'

/**
 * Share of the budget that each priority may use up, so more urgent calls always find room. The rest is
 * left for other programs that use the same project.
 */
const shares: { readonly [P in Priority]: { readonly minute: number; readonly day: number } } = {
  person: { minute: 0.8, day: 0.95 },
  scheduled: { minute: 0.7, day: 0.9 },
  details: { minute: 0.5, day: 0.8 },
  'warm-up': { minute: 0.4, day: 0.7 },
}

type Limit = { readonly windowMs: number; readonly max: number }

/** Call counter: a sliding window shared by all replicas and kept across restarts. */
export type CallWindow = {
  readonly take: (
    limits: readonly Limit[],
  ) => Promise<
    | { readonly ok: true; readonly id: string }
    | { readonly ok: false; readonly retryAfterMs: number }
  >
  readonly release: (id: string) => Promise<void>
  readonly add: (instants: readonly number[]) => Promise<void>
  readonly count: (windowMs: number) => Promise<number>
}

export type Reservation = {
  /** Returns the reserved call to the budget if it was never sent. */
  readonly release: () => Promise<void>
}

export type Throttle = {
  /** Waits up to two minutes for room and takes it; otherwise rejects with `budget_spent`. */
  readonly reserve: (priority: () => Priority) => Promise<Reservation>
  /**
   * Accounts for calls that the service has counted and we have not, since other programs may share the
   * project: adds the missing calls so that room returns when the service says.
   */
  readonly correct: (retryAfterMs: number) => Promise<void>
  readonly used: () => Promise<Budget>
}

export type Budget = {
  readonly minute: { readonly used: number; readonly max: number }
  readonly day: { readonly used: number; readonly max: number }
}

/** Creates the budget of calls per minute and per day; calls are reserved before sending. */
export function createThrottle(options: {
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly window: CallWindow
  readonly clock: Clock
  /** Aborts all waits. */
  readonly signal?: AbortSignal
}): Throttle {
  const { callsPerMinute, callsPerDay, window, clock, signal } = options

  function limitsFor(priority: Priority): readonly [Limit, Limit] {
    const { minute, day } = shares[priority]
    return [
      {
        windowMs: minuteMs + latestArrivalMs,
        max: Math.max(1, Math.floor(callsPerMinute * minute)),
      },
      { windowMs: dayMs, max: Math.max(1, Math.floor(callsPerDay * day)) },
    ]
  }

  return {
    async reserve(priority) {
      const giveUpAt = clock.now() + maxWaitMs
      for (;;) {
        const taken = await window.take(limitsFor(priority()))
        if (taken.ok) return { release: () => window.release(taken.id) }
        const { retryAfterMs } = taken
        if (clock.now() + retryAfterMs > giveUpAt) throw budgetSpent(retryAfterMs)
        await clock.sleep(Math.min(retryAfterMs, maxSleepMs), signal)
      }
    },
    async correct(retryAfterMs) {
      const [ofMinute, ofDay] = limitsFor('person')
      const isOfMinute = retryAfterMs <= maxMinuteWaitMs
      const { windowMs, max } = isOfMinute ? ofMinute : ofDay
      const now = clock.now()
      const firstAt = now + Math.min(retryAfterMs, windowMs) - windowMs
      const missing = max - (await window.count(now - firstAt + 1))
      const stepMs = (now - firstAt) / Math.max(1, missing)
      await window.add(
        Array.from({ length: Math.max(0, missing) }, (_, step) => firstAt + step * stepMs),
      )
    },
    async used() {
      const [minute, day] = await Promise.all([window.count(minuteMs), window.count(dayMs)])
      return {
        minute: { used: minute, max: callsPerMinute },
        day: { used: day, max: callsPerDay },
      }
    },
  }
}

function budgetSpent(retryAfterMs: number): UpstreamError {
  return new UpstreamError('budget_spent', 'The budget of upstream calls is used up for now', {
    retryAfterMs,
  })
}

/**
 * Returns the calls that one replica may take by itself while it cannot reach the others. Per minute:
 * its part of the reserve outside the shared budget. Per day: its part of the remaining calls.
 */
export function shareOfCalls(callsPerMinute: number, replicas: () => number) {
  return ({ windowMs, max }: Limit, usedBefore: number): number => {
    if (replicas() === 1) return max - usedBefore
    const beside = callsPerMinute - callsPerMinute * shares.person.minute
    return windowMs === dayMs ? (max - usedBefore) / replicas() : beside / (replicas() - 1)
  }
}

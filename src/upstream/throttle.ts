import type { Clock } from '../clock.ts'
import { UpstreamError } from './upstream-error.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const maxWaitMs = 2 * minuteMs

/** A call may reach the service this much later than it was reserved, and the next one at once. */
const latestArrivalMs = 10_000

/** A longer wait can only be for the calls of the day. */
const maxMinuteWaitMs = 15 * minuteMs

/** A call of higher priority may come meanwhile, and the priority of a waiting one may rise. */
const maxSleepMs = 5_000

/**
 * What a call is for, most urgent first: a person waits for it, a collection that is read is due, a
 * detail of one is, or nobody has asked.
 */
export type Priority = 'person' | 'scheduled' | 'details' | 'warm-up'

/**
 * How much of the budget each may use up, so that the more urgent always has room. What nobody uses
 * is for calls that others make with the same project.
 */
const shares: { readonly [P in Priority]: { readonly minute: number; readonly day: number } } = {
  person: { minute: 0.8, day: 0.95 },
  scheduled: { minute: 0.7, day: 0.9 },
  details: { minute: 0.5, day: 0.8 },
  'warm-up': { minute: 0.4, day: 0.7 },
}

type Limit = { readonly windowMs: number; readonly max: number }

/** Where calls are counted: a sliding window that all replicas and restarts share. */
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
  /** For a call that never left. */
  readonly release: () => Promise<void>
}

export type Throttle = {
  /** Waits for room, two minutes at most, and takes it; else rejects with `budget_spent`. */
  readonly reserve: (priority: () => Priority) => Promise<Reservation>
  /**
   * The service has seen more calls than we have, since the project may be shared: counts the missing
   * ones, so that there is room again when it says.
   */
  readonly correct: (retryAfterMs: number) => Promise<void>
  readonly used: () => Promise<Budget>
}

export type Budget = {
  readonly minute: { readonly used: number; readonly max: number }
  readonly day: { readonly used: number; readonly max: number }
}

/** The budget of calls a minute and a day, reserved before sending. */
export function createThrottle(options: {
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly window: CallWindow
  readonly clock: Clock
  /** Ends every waiting. */
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
 * What one of several replicas may take of a limit by itself, when it cannot ask the others: of the
 * minute only what is left beside all that the others may take, of the day its part of what was left.
 */
export function shareOfCalls(callsPerMinute: number, replicas: () => number) {
  return ({ windowMs, max }: Limit, usedBefore: number): number => {
    if (replicas() === 1) return max - usedBefore
    const beside = callsPerMinute - callsPerMinute * shares.person.minute
    return windowMs === dayMs ? (max - usedBefore) / replicas() : beside / (replicas() - 1)
  }
}

import { dayMs, minuteMs, type Clock } from '../clock.ts'
import type { SharedWindow } from '../store/shared-window.ts'
import type { Limit } from '../store/store.ts'
import { errorCodeIn, type Call, type Transport, type UpstreamResponse } from './connection.ts'
import { isNeverSent, UpstreamError } from './upstream-error.ts'

const maxWaitMs = 2 * minuteMs

/** Maximum delay between reserving a call and its arrival at the service. */
const latestArrivalMs = 10_000

const pauseWithoutRetryAfterMs = minuteMs

/** A longer wait means that the daily limit has been reached. */
const maxMinuteWaitMs = 15 * minuteMs

/** Sleeps are short, because the priority of a waiting call may increase. */
const maxSleepMs = 5_000

/** Purpose of a call, most urgent first: a waiting user, a scheduled read, details, or prefetching. */
export type Priority = 'person' | 'scheduled' | 'details' | 'warm-up'

/**
 * Maximum share of the budget for each priority, which leaves room for more urgent calls. The rest
 * is left for other programs that use the same API Project.
 */
const shares: { readonly [P in Priority]: { readonly minute: number; readonly day: number } } = {
  person: { minute: 0.8, day: 0.95 },
  scheduled: { minute: 0.7, day: 0.9 },
  details: { minute: 0.5, day: 0.8 },
  'warm-up': { minute: 0.4, day: 0.7 },
}

const atLeastOne = (calls: number) => Math.max(1, Math.floor(calls))

export type Throttle = {
  /**
   * Reserves a call. Waits up to two minutes if the budget is used up, then rejects with
   * `budget_spent`. `release` returns an unsent call to the budget.
   */
  readonly reserve: (priority: () => Priority) => Promise<{ readonly release: () => Promise<void> }>
  /**
   * Adds calls that only the service has counted, such as those of other programs that share the
   * project. The budget then allows calls again after `retryAfterMs`.
   */
  readonly correct: (retryAfterMs: number) => Promise<void>
  readonly used: () => Promise<Budget>
}

type Usage = { readonly used: number; readonly max: number }

export type Budget = { readonly minute: Usage; readonly day: Usage }

/** Creates a throttle for calls per minute and per day. Calls must be reserved before sending. */
export function createThrottle(options: {
  readonly callsPerMinute: number
  readonly callsPerDay: number
  /** Counts the calls of all replicas. */
  readonly window: SharedWindow
  readonly clock: Clock
  readonly signal?: AbortSignal
}): Throttle {
  const { callsPerMinute, callsPerDay, window, clock, signal } = options

  function limitsFor(priority: Priority): readonly [Limit, Limit] {
    const { minute, day } = shares[priority]
    return [
      { windowMs: minuteMs + latestArrivalMs, max: atLeastOne(callsPerMinute * minute) },
      { windowMs: dayMs, max: atLeastOne(callsPerDay * day) },
    ]
  }

  return {
    async reserve(priority) {
      const giveUpAt = clock.now() + maxWaitMs
      for (;;) {
        const taken = await window.take(limitsFor(priority()))
        if (taken.ok) return { release: () => window.release(taken.id) }
        const { retryAfterMs } = taken
        if (clock.now() + retryAfterMs > giveUpAt) {
          const message = 'The upstream call budget is used up for now'
          throw new UpstreamError('budget_spent', message, { retryAfterMs })
        }
        await clock.sleep(Math.min(retryAfterMs, maxSleepMs), signal)
      }
    },
    async correct(retryAfterMs) {
      const [perMinute, perDay] = limitsFor('person')
      const isMinuteLimit = retryAfterMs <= maxMinuteWaitMs
      const { windowMs, max } = isMinuteLimit ? perMinute : perDay
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
      return { minute: { used: minute, max: callsPerMinute }, day: { used: day, max: callsPerDay } }
    },
  }
}

export type ThrottledConnection = {
  /** Calls `admit` right before sending. If it rejects, nothing is sent. */
  readonly request: (
    call: Call,
    priority: () => Priority,
    admit?: () => Promise<void>,
  ) => Promise<UpstreamResponse>
}

/** Keeps all requests of a connection, including token requests, within the call budget. */
export function throttledConnection(
  connection: Transport,
  throttle: Throttle,
): ThrottledConnection {
  return {
    async request(call, priority, admit) {
      const reservation = await throttle.reserve(priority)
      let isSent = false
      try {
        await admit?.()
        isSent = true
        const response = await connection.request(call)
        // `too_many_failures` also has status 429, but is unrelated to the budget.
        if (response.status === 429 && errorCodeIn(response) !== 'too_many_failures') {
          await throttle.correct(response.retryAfterMs ?? pauseWithoutRetryAfterMs)
        }
        return response
      } catch (error) {
        if (!isSent || isNeverSent(error)) await reservation.release()
        throw error
      }
    },
  }
}

/**
 * Returns a function that limits calls while a replica cannot reach the others. Each minute, a replica
 * may use its share of the reserve outside the shared budget. Each day, it may use its share of the
 * remaining calls.
 */
export function shareOfCalls(callsPerMinute: number, replicas: () => number) {
  return ({ windowMs, max }: Limit, usedBefore: number): number => {
    if (replicas() === 1) return max - usedBefore
    const reserve = callsPerMinute - callsPerMinute * shares.person.minute
    return windowMs === dayMs ? (max - usedBefore) / replicas() : reserve / (replicas() - 1)
  }
}

import { ApiError } from './api-error.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const failuresToBlock = 10
const failureWindowMs = 10 * minuteMs

/** Calls per minute and per day of each project; the excess is `rate_limited`. */
export function createThrottle(options: {
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly now: () => number
}) {
  const callsByProject = new Map<number, number[]>()
  const limits = [
    { most: options.callsPerMinute, windowMs: minuteMs },
    { most: options.callsPerDay, windowMs: dayMs },
  ]

  return {
    /** Counts a call, or throws with the seconds to wait. */
    take(projectId: number): void {
      const now = options.now()
      const calls = (callsByProject.get(projectId) ?? []).filter((at) => at > now - dayMs)
      const waitsMs = limits.map(
        ({ most, windowMs }) => (calls.at(-most) ?? -Infinity) + windowMs - now,
      )
      const waitMs = Math.max(...waitsMs)
      if (waitMs > 0) throw new ApiError('rate_limited', undefined, Math.ceil(waitMs / 1000))
      calls.push(now)
      callsByProject.set(projectId, calls)
    },
  }
}

/** Ten failed token requests of one address within ten minutes block it. */
export function createLockout(options: {
  readonly lockoutSeconds: number
  readonly now: () => number
}) {
  const { lockoutSeconds, now } = options
  const failures = new Map<string, number[]>()
  const blockedUntil = new Map<string, number>()

  return {
    /** Throws while the address is blocked. */
    check(address: string): void {
      if (now() < (blockedUntil.get(address) ?? 0)) throw new ApiError('too_many_failures')
    },
    countFailure(address: string): void {
      const recent = (failures.get(address) ?? []).filter((at) => at > now() - failureWindowMs)
      recent.push(now())
      failures.set(address, recent)
      if (recent.length < failuresToBlock) return
      failures.delete(address)
      blockedUntil.set(address, now() + lockoutSeconds * 1000)
    },
  }
}

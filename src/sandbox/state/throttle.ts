import type { DatabaseSync } from 'node:sqlite'
import { ApiError } from '../api-error.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export type Throttle = {
  /** Counts a call of a project, or throws `rate_limited` with the seconds to wait. */
  readonly take: (projectId: number) => void
  /** How much of each limit a project has used. */
  readonly consumption: (projectId: number) => readonly Consumption[]
}

export type Consumption = {
  readonly limit: 'minute' | 'day'
  readonly used: number
  readonly most: number
}

/**
 * Calls per minute and per day of each project, over sliding windows. Calls that pass are numbered,
 * so that the call which must be over for the next one to pass is found without counting.
 */
export function createThrottle(
  database: DatabaseSync,
  options: {
    readonly callsPerMinute: number
    readonly callsPerDay: number
    readonly now: () => number
  },
): Throttle {
  const limits = [
    { limit: 'minute', most: options.callsPerMinute, windowMs: minuteMs },
    { limit: 'day', most: options.callsPerDay, windowMs: dayMs },
  ] as const
  const selectLast = database.prepare(
    'SELECT max(number) AS last FROM throttled_calls WHERE project_id = ?',
  )
  const selectTime = database.prepare(
    'SELECT at FROM throttled_calls WHERE project_id = ? AND number = ?',
  )
  const insert = database.prepare('INSERT INTO throttled_calls VALUES (?, ?, ?)')
  const deleteOld = database.prepare('DELETE FROM throttled_calls WHERE at <= ?')
  const count = database.prepare(
    'SELECT count(*) AS used FROM throttled_calls WHERE project_id = ? AND at > ?',
  )

  return {
    take(projectId) {
      const now = options.now()
      const last = Number(selectLast.get(projectId)?.['last'] ?? 0)
      const waitsMs = limits.map(({ most, windowMs }) => {
        const blocking = selectTime.get(projectId, last + 1 - most)?.['at']
        return blocking === undefined ? 0 : Number(blocking) + windowMs - now
      })
      const waitMs = Math.max(...waitsMs)
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000)
        throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } })
      }
      insert.run(projectId, last + 1, now)
      deleteOld.run(now - dayMs)
    },
    consumption: (projectId) =>
      limits.map(({ limit, most, windowMs }) => ({
        limit,
        most,
        used: Number(count.get(projectId, options.now() - windowMs)?.['used']),
      })),
  }
}

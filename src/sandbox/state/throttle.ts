import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './transaction.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export type Throttle = {
  /** Counts a project's call, or returns how long to wait if a limit has been reached. */
  readonly take: (
    projectId: number,
  ) => { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number }
  /** Returns how much of each limit a project has used. */
  readonly consumption: (projectId: number) => readonly Consumption[]
}

type Consumption = {
  readonly limit: 'minute' | 'day'
  readonly used: number
  readonly most: number
}

/**
 * Limits each project's calls in sliding windows of a minute and a day. Numbers the accepted calls,
 * so that no counting is needed to find the call that must expire before another is allowed.
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
    take: (projectId) =>
      inTransaction(database, () => {
        const now = options.now()
        const last = Number(selectLast.get(projectId)?.['last'] ?? 0)
        const waitsMs = limits.map(({ most, windowMs }) => {
          const blocking = selectTime.get(projectId, last + 1 - most)?.['at']
          return blocking === undefined ? 0 : Number(blocking) + windowMs - now
        })
        const retryAfterMs = Math.max(...waitsMs)
        if (retryAfterMs > 0) return { ok: false, retryAfterMs }
        insert.run(projectId, last + 1, now)
        deleteOld.run(now - dayMs)
        return { ok: true }
      }),
    consumption: (projectId) =>
      limits.map(({ limit, most, windowMs }) => ({
        limit,
        most,
        used: Number(count.get(projectId, options.now() - windowMs)?.['used']),
      })),
  }
}

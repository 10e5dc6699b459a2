import { appSchedules, type AppSchedule } from './app-schedules.ts'
import { observedIntervalMs, type AppFetches, type LinkApp } from './link-use.ts'

const dayMs = 24 * 60 * 60_000

/** An app without a refresh for this long has probably been removed, or its subscription has. */
const stoppedMs = 30 * dayMs

/** Number of refreshes from which an app's own interval is more certain than the usual one. */
const certainRefreshes = 4

/** An app that refreshes regularly is late after this many intervals. */
const lateIntervals = 3

/** When a kind of app last refreshed, and when it should do so next. Times are in epoch milliseconds. */
export type FetchSchedule = Omit<AppSchedule, 'usualMs' | 'lateMs' | 'minLateMs'> & {
  readonly app: LinkApp
  readonly lastAt: number
  /** Usual time between its refreshes, if it has refreshed more than once. */
  readonly observedMs: number | undefined
  /** Time of the next refresh; undefined for programs without a schedule. */
  readonly due: { readonly from: number; readonly by: number } | undefined
  readonly state: 'on time' | 'late' | 'stopped' | 'no schedule'
}

/** Returns when an app should refresh next, from its own refreshes or the usual schedule. */
export function fetchScheduleFrom(fetches: AppFetches, now: number): FetchSchedule {
  const { app } = fetches
  const { usualMs, lateMs, minLateMs, ...schedule } = appSchedules[app]
  // Another replica's clock may be ahead.
  const lastAt = Math.min(fetches.at, now)
  const shown = { ...schedule, app, lastAt }
  if (!usualMs) {
    return { ...shown, observedMs: undefined, due: undefined, state: 'no schedule' }
  }
  const observedMs = observedIntervalMs(fetches)
  const due = {
    from: lastAt + (observedMs ?? usualMs.min),
    by: lastAt + (observedMs ?? usualMs.max),
  }
  const isCertain = fetches.refreshes.length >= certainRefreshes
  const lateAfterMs =
    isCertain && observedMs !== undefined
      ? Math.max(lateIntervals * observedMs, minLateMs)
      : Math.max(lateMs, lateIntervals * (observedMs ?? 0))
  return { ...shown, observedMs, due, state: stateAfter(now - lastAt, lateAfterMs) }
}

function stateAfter(silentMs: number, lateAfterMs: number): FetchSchedule['state'] {
  if (silentMs < lateAfterMs) return 'on time'
  return silentMs < Math.max(stoppedMs, lateAfterMs) ? 'late' : 'stopped'
}

import { dayMs, hourMs, minuteMs } from '../clock.ts'
import { observedIntervalMs, type AppFetches, type LinkApp } from './link-use.ts'

/** Computers and some phones are off from Friday evening until the Tuesday after a holiday. */
const longWeekendMs = 4 * dayMs

/** How often a kind of app refreshes its subscriptions. */
type AppSchedule = {
  /** Usual time between refreshes, or undefined for programs that have no schedule. */
  readonly usualMs?: { readonly min: number; readonly max: number }
  /** Time after which an app with an unknown interval is late. By default, a long weekend. */
  readonly lateMs?: number
  /** Minimum time after which a frequently refreshing app is late. By default, a long weekend. */
  readonly minLateMs?: number
}

/** Schedules by kind of app. Vendors document few of these times. Most are measurements. */
export const appSchedules: Readonly<Record<LinkApp, AppSchedule>> = {
  Apple: {
    // Settings on iPhone start at 15 minutes, and on Mac end at one week (Apple's user guides).
    // iPhones were measured at 20 to 40 minutes (edjopato.de, 2017).
    usualMs: { min: 15 * minuteMs, max: 7 * dayMs },
    lateMs: 8 * dayMs,
  },
  Google: {
    // 4 to 7 hours (adangel.org, 2024), 10 to 18 hours (edjopato.de), 8 to 24 hours
    // (calconverter.app, 2026). Google ignores REFRESH-INTERVAL.
    usualMs: { min: 8 * hourMs, max: dayMs },
    lateMs: 36 * hourMs,
    minLateMs: 36 * hourMs,
  },
  Outlook: {
    // Outlook.com: exactly 3 hours (edjopato.de), up to 24 hours (casecalendar's docs). Windows: at
    // start, then every 1 to 3 hours (calconverter.app), following X-PUBLISHED-TTL
    // (stackoverflow.com/q/538081).
    usualMs: { min: hourMs, max: dayMs },
  },
  Thunderbird: {
    // 30 minutes by default, set per calendar (casecalendar's docs).
    usualMs: { min: 30 * minuteMs, max: 30 * minuteMs },
  },
  Android: {
    // ICSx5's default is one day; each user may change it (its source code).
    usualMs: { min: hourMs, max: dayMs },
  },
  'other calendar': {
    // Proton: 4 to 16 hours; Fastmail: hourly, off after five failures (their help pages).
    // Home Assistant: daily (its source code). Nextcloud: up to a week (its user manual).
    usualMs: { min: hourMs, max: 7 * dayMs },
    lateMs: 8 * dayMs,
  },
  reader: {
    // Miniflux and others follow `ttl` and Cache-Control; the usual default is an hour.
    usualMs: { min: 15 * minuteMs, max: hourMs },
  },
  screen: {
    // MagicMirror: 5 minutes; Xibo: once a day by default (their source code).
    usualMs: { min: 5 * minuteMs, max: dayMs },
    lateMs: 2 * dayMs,
    minLateMs: dayMs,
  },
  other: {},
}

/** If an app has not refreshed for this long, it or its subscription has probably been removed. */
const stoppedMs = 30 * dayMs

/** Number of refreshes after which an app's own interval is more reliable than the usual one. */
const certainRefreshes = 4

/** An app that refreshes regularly is late after this many intervals. */
const lateIntervals = 3

/** When a kind of app last refreshed, and when it should do so next. Times are in epoch milliseconds. */
export type FetchSchedule = {
  readonly app: LinkApp
  readonly lastAt: number
  /** Usual time between refreshes, if it has refreshed more than once. */
  readonly observedMs: number | undefined
  /** Time of the next refresh, or undefined for programs without a schedule. */
  readonly due: { readonly from: number; readonly by: number } | undefined
  readonly state: 'on time' | 'late' | 'stopped' | 'no schedule'
}

/** Returns when an app should refresh next, from its own refreshes or the usual schedule. */
export function fetchScheduleFrom(fetches: AppFetches, now: number): FetchSchedule {
  const { app } = fetches
  const settings = appSchedules[app]
  const { usualMs, lateMs = longWeekendMs, minLateMs = longWeekendMs } = settings
  // Another replica's clock may be ahead.
  const lastAt = Math.min(fetches.at, now)
  const shown = { app, lastAt }
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

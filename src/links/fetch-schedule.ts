import { dayMs, hourMs, minuteMs } from '../clock.ts'
import { observedIntervalMs, type AppFetches, type LinkApp } from './link-use.ts'

/** Computers and some phones are off from Friday evening until the Tuesday after a holiday. */
const longWeekendMs = 4 * dayMs

/** How often a kind of app refreshes its subscriptions, and how to make it refresh. */
type AppSchedule = {
  readonly name: string
  /** Completes "It refreshes ...". An empty string for programs without a schedule. */
  readonly often: string
  /** Usual time between refreshes, or undefined for programs that have no schedule. */
  readonly usualMs?: { readonly min: number; readonly max: number }
  /** Time after which an app with an unknown interval is late. By default, a long weekend. */
  readonly lateMs?: number
  /** Minimum time after which a frequently refreshing app is late. By default, a long weekend. */
  readonly minLateMs?: number
  /** What to do when it is late, in the order to try. */
  readonly steps: readonly string[]
}

/** Schedules by kind of app. Vendors document few of these times. Most are measurements. */
export const appSchedules: Readonly<Record<LinkApp, AppSchedule>> = {
  Apple: {
    name: 'Apple Calendar',
    // Settings on iPhone start at 15 minutes, and on Mac end at one week (Apple's user guides).
    // iPhones were measured at 20 to 40 minutes (edjopato.de, 2017).
    often: 'every 15 minutes to once a week, depending on its settings',
    usualMs: { min: 15 * minuteMs, max: 7 * dayMs },
    lateMs: 8 * dayMs,
    // Apple's iPhone and Mac user guides, "Refresh calendars" and "Subscribe to calendars".
    steps: [
      'On iPhone or iPad, open the Calendar app, tap Calendars, and pull the list down. This refreshes all calendars.',
      'On iPhone or iPad, open Settings › Apps › Calendar › Calendar Accounts › Fetch New Data (in older versions: Settings › Calendar › Accounts), and choose Automatically or Every 15 Minutes.',
      'On Mac, open Calendar and choose View › Refresh Calendars. To refresh more often, select the calendar, choose Edit › Get Info, and change Auto-refresh.',
    ],
  },
  Google: {
    name: 'Google Calendar',
    // 4 to 7 hours (adangel.org, 2024), 10 to 18 hours (edjopato.de), 8 to 24 hours
    // (calconverter.app, 2026). Google ignores REFRESH-INTERVAL.
    often: 'every 8 to 24 hours, which cannot be changed',
    usualMs: { min: 8 * hourMs, max: dayMs },
    lateMs: 36 * hourMs,
    minLateMs: 36 * hourMs,
    // Google's help page 37100, "From URL". The reload button does not fetch subscribed calendars,
    // and adding a calendar again fetches it at once (calconverter.app, 2026). A feed that Google
    // cannot read is dropped silently (adangel.org).
    steps: [
      'Wait a day if you can. The reload button in Google Calendar does not refresh subscribed calendars.',
      'If the change is urgent, open calendar.google.com on a computer, unsubscribe from the calendar in its settings, and add its address again with Other calendars + › From URL. Put ?again=1 at the end of the address so that Google treats it as a new one.',
      'If it is still late, check the address. Google keeps the old entries and shows no message if it cannot read the calendar.',
    ],
  },
  Outlook: {
    name: 'Outlook',
    // Outlook.com: exactly 3 hours (edjopato.de), up to 24 hours (casecalendar's docs). Windows: at
    // start, then every 1 to 3 hours (calconverter.app), following X-PUBLISHED-TTL
    // (stackoverflow.com/q/538081).
    often:
      'about every 3 hours on the web and sometimes only once a day; on Windows, when it starts and then every 1 to 3 hours',
    usualMs: { min: hourMs, max: dayMs },
    // Microsoft's help: "Import or subscribe to a calendar in Outlook.com" and "Send/Receive".
    steps: [
      'In classic Outlook for Windows, press F9. It refreshes each calendar at most once an hour, and only while it is open.',
      'Outlook on the web and the new Outlook have no button for this. Remove the calendar, then add its address again, with ?again=1 at the end, under Add calendar › Subscribe from web.',
    ],
  },
  Thunderbird: {
    name: 'Thunderbird',
    // 30 minutes by default, set per calendar (casecalendar's docs).
    often: 'every 30 minutes while it is open, unless the calendar’s settings differ',
    usualMs: { min: 30 * minuteMs, max: 30 * minuteMs },
    // CalICSCalendar.sys.mjs turns a calendar off after most errors.
    steps: [
      'Open Thunderbird, go to the calendar, and click Synchronize.',
      'Right-click the calendar and open its properties. Make sure that it is turned on, because Thunderbird turns calendars off after errors, and set how often it refreshes.',
    ],
  },
  Android: {
    name: 'Android (ICSx⁵ or a similar app)',
    // ICSx5's default is one day; each user may change it (its source code).
    often: 'once a day, unless the settings of the app differ',
    usualMs: { min: hourMs, max: dayMs },
    steps: [
      'Open ICSx⁵ and pull the list down. This refreshes all its calendars.',
      'Open the menu of ICSx⁵ and choose a shorter sync interval.',
      'In the settings of Android, allow ICSx⁵ to run in the background: Apps › ICSx⁵ › Battery › Unrestricted.',
    ],
  },
  'other calendar': {
    name: 'Other calendar app',
    // Proton: 4 to 16 hours; Fastmail: hourly, off after five failures (their help pages).
    // Home Assistant: daily (its source code). Nextcloud: up to a week (its user manual).
    often: 'every hour to once a week, depending on the app',
    usualMs: { min: hourMs, max: 7 * dayMs },
    lateMs: 8 * dayMs,
    steps: [
      'Proton Calendar refreshes every 4 to 16 hours, Home Assistant once a day, and Nextcloud as set by its administrator, up to once a week. Wait that long if you can.',
      'Fastmail stops after five failures in a row: turn the calendar on again under Settings › Calendars.',
      'Otherwise, remove the calendar from the app and add its address again.',
    ],
  },
  reader: {
    name: 'Feed reader',
    // Miniflux and others follow `ttl` and Cache-Control; the usual default is an hour.
    often: 'every 15 to 60 minutes',
    usualMs: { min: 15 * minuteMs, max: hourMs },
    steps: [
      'Refresh the feed in the reader. Readers on a phone or computer refresh only while they are open.',
      'In the reader’s list of feeds, check for an error, because many stop after repeated errors. Then remove the feed and add it again.',
    ],
  },
  screen: {
    name: 'Screen',
    // MagicMirror: 5 minutes; Xibo: once a day by default (their source code).
    often: 'every few minutes to once a day, depending on its settings',
    usualMs: { min: 5 * minuteMs, max: dayMs },
    lateMs: 2 * dayMs,
    minLateMs: dayMs,
    steps: [
      'Make sure that the screen is on and connected to the network, then restart its player.',
      'In the settings of the player, choose how often it refreshes. In Xibo this is the update interval of the widget.',
    ],
  },
  other: { name: 'Browser or unknown program', often: '', steps: [] },
}

/** If an app has not refreshed for this long, it or its subscription has probably been removed. */
const stoppedMs = 30 * dayMs

/** Number of refreshes after which an app's own interval is more reliable than the usual one. */
const certainRefreshes = 4

/** An app that refreshes regularly is late after this many intervals. */
const lateIntervals = 3

/** When a kind of app last refreshed, and when it should do so next. Times are in epoch milliseconds. */
export type FetchSchedule = Omit<AppSchedule, 'usualMs' | 'lateMs' | 'minLateMs'> & {
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
  const { usualMs, lateMs = longWeekendMs, minLateMs = longWeekendMs, ...schedule } = settings
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

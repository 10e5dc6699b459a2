import { DateTime } from 'luxon'
import { z } from 'zod'
import { dayMs, minuteMs } from '../../clock.ts'
import type { Problem, Problems } from '../../collections/status/problem.ts'
import type { QuietHours } from '../../config/notification-settings.ts'

/** Message for the operators. Times are in milliseconds since the epoch. */
export type Alert =
  | { readonly kind: 'opened'; readonly problem: Problem }
  | ({ readonly kind: 'over'; readonly key: string } & PastProblem)
  | { readonly kind: 'reminder'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'summary'
      readonly problems: readonly Problem[]
      /** Problems that ended within the past week. */
      readonly past: readonly PastProblem[]
    }

const time = z.number()

const pastProblem = z.object({ key: z.string(), title: z.string(), since: time, until: time })

export type PastProblem = Readonly<z.infer<typeof pastProblem>>

const causeState = z.object({
  title: z.string(),
  since: time,
  /** Time of the first of the latest checks without the problem. Undefined while it is open. */
  goneSince: time.optional(),
  /** Consecutive checks with the same result, at most `requiredChecks`. */
  checks: z.number(),
  /** True if the operators know that the problem is open. */
  isReported: z.boolean(),
  /** Time of the latest message about only this cause, or 0 if there was none. */
  reportedAt: time,
  remindedAt: time,
  /** True if the problem came back soon after it had ended. */
  isFlapping: z.boolean(),
})

type CauseState = Readonly<z.infer<typeof causeState>>

/** State of all causes, which is stored so that nothing is sent again after a restart. */
export const alertState = z.object({
  causes: z.record(z.string(), causeState),
  past: z.array(pastProblem).readonly(),
  /** Site's date of the latest weekly summary. */
  summaryDay: z.string().optional(),
})

export type AlertState = Readonly<z.infer<typeof alertState>>

export const noAlerts: AlertState = { causes: {}, past: [] }

/** Number of consecutive checks that must find a problem, or its end, before it is reported. */
const requiredChecks = 2

/** Minimum time between messages about a cause that comes and goes. */
const flapGapMs = 60 * minuteMs

const reminderMs = dayMs
const noteReminderMs = 7 * dayMs

/** Reminders may be this much earlier, so that they do not drift to later times of day. */
const reminderSlackMs = 5 * 60_000

const pastKeptMs = 7 * dayMs
const maxPast = 50

type Check = {
  readonly now: number
  /** Holds back everything that is not urgent. */
  readonly isQuiet: boolean
  readonly summaryDay?: string | undefined
}

/** Decides what to send after a check, and returns the state for the next check. */
export function planAlerts(
  before: AlertState,
  { open, unknown }: Problems,
  check: Check,
): { readonly state: AlertState; readonly alerts: readonly Alert[] } {
  const { now, isQuiet, summaryDay } = check
  const problems = new Map(open.map((problem) => [problem.key, problem]))
  const alerts: Alert[] = []
  const causes = new Map(Object.entries(before.causes))
  for (const key of new Set([...causes.keys(), ...problems.keys()])) {
    // The state of a hidden cause does not change.
    if (unknown.has(key)) continue
    const problem = problems.get(key)
    const cause = causes.get(key)
    const observed = problem ? opened(cause, problem) : cause && gone(cause, now)
    const next = observed && report(key, observed, problem, check)
    if (next?.alert) alerts.push(next.alert)
    if (!next || isForgotten(next.cause, now)) causes.delete(key)
    else causes.set(key, next.cause)
  }
  const reported = open
    .filter(({ key }) => !unknown.has(key) && causes.get(key)?.isReported)
    .map((problem) => ({ ...problem, since: causes.get(problem.key)?.since ?? problem.since }))
  const reminder = isQuiet ? [] : remindersIn(reported, causes, now)
  if (reminder.length > 0) alerts.push({ kind: 'reminder', problems: reminder })
  for (const { key } of reminder) {
    const cause = causes.get(key)
    if (cause) causes.set(key, { ...cause, remindedAt: now })
  }
  const over = alerts.filter((alert) => alert.kind === 'over')
  const past = [...before.past, ...over.map(({ kind: _kind, ...ended }) => ended)]
    .filter(({ until }) => until > now - pastKeptMs)
    .slice(-maxPast)
  const isSummaryDue = summaryDay !== undefined && summaryDay !== before.summaryDay && !isQuiet
  if (isSummaryDue) alerts.push({ kind: 'summary', problems: reported, past })
  const state = {
    causes: Object.fromEntries(causes),
    past,
    summaryDay: isSummaryDue ? summaryDay : before.summaryDay,
  }
  return { state, alerts }
}

function opened(cause: CauseState | undefined, { title, since }: Problem): CauseState {
  if (cause && cause.goneSince === undefined) {
    const checks = Math.min(cause.checks + 1, requiredChecks)
    return { ...cause, title, since: Math.min(cause.since, since), checks }
  }
  const { isReported = false, reportedAt = 0, remindedAt = 0 } = cause ?? {}
  return {
    title,
    // A problem that disappeared only briefly has not ended.
    since: isReported && cause ? cause.since : since,
    checks: 1,
    isReported,
    reportedAt,
    remindedAt,
    isFlapping: reportedAt > 0,
  }
}

function gone(cause: CauseState, now: number): CauseState {
  if (cause.goneSince === undefined) return { ...cause, goneSince: now, checks: 1 }
  return { ...cause, checks: Math.min(cause.checks + 1, requiredChecks) }
}

/** Reports that the problem is open or has ended, unless it is too early. */
function report(
  key: string,
  cause: CauseState,
  problem: Problem | undefined,
  { now, isQuiet }: Check,
): { readonly cause: CauseState; readonly alert?: Alert } {
  const { title, since, goneSince, isFlapping, isReported, reportedAt } = cause
  const isConfirmed = cause.checks >= requiredChecks
  const isHeld = isQuiet && problem?.urgency !== 'urgent'
  const isTooSoon = isFlapping && now < reportedAt + flapGapMs
  if (!isConfirmed || isHeld || isTooSoon || isReported === (problem !== undefined)) {
    return { cause }
  }
  if (problem) {
    const alert = { kind: 'opened', problem: { ...problem, since } } as const
    return { cause: { ...cause, isReported: true, reportedAt: now, remindedAt: now }, alert }
  }
  const alert = { kind: 'over', key, title, since, until: goneSince ?? now } as const
  return { cause: { ...cause, isReported: false, reportedAt: now }, alert }
}

/** Returns true if a problem ended so long ago that its return would be a new problem. */
function isForgotten(
  { goneSince, checks, isReported, reportedAt }: CauseState,
  now: number,
): boolean {
  if (goneSince === undefined || isReported || checks < requiredChecks) return false
  return now >= Math.max(reportedAt, goneSince) + flapGapMs || reportedAt === 0
}

/** Returns the open problems if a reminder of one of them is due. */
function remindersIn(
  reported: readonly Problem[],
  causes: ReadonlyMap<string, CauseState>,
  now: number,
): readonly Problem[] {
  const isDue = ({ key, urgency }: Problem) => {
    const { remindedAt } = causes.get(key) ?? { remindedAt: now }
    const intervalMs = urgency === 'note' ? noteReminderMs : reminderMs
    return now >= remindedAt + intervalMs - reminderSlackMs
  }
  return reported.some(isDue) ? reported : []
}

/** Time of the weekly summary: the first check of the day after this hour. */
const summaryHour = 9

/** Returns true if the site's wall-clock time is within the quiet hours. */
export function isQuiet(hours: QuietHours | undefined, now: number, timeZone: string): boolean {
  if (!hours) return false
  const { from, until } = hours
  const { hour, minute } = DateTime.fromMillis(now, { zone: timeZone })
  const time = hour * 60 + minute
  return from < until ? from <= time && time < until : from <= time || time < until
}

/** Returns the site's date once the weekly summary is due. `weekday` is 1 (Monday) to 7 (Sunday). */
export function summaryDayAt(
  weekday: number | undefined,
  now: number,
  timeZone: string,
): string | undefined {
  const time = DateTime.fromMillis(now, { zone: timeZone })
  if (time.weekday !== weekday || time.hour < summaryHour) return undefined
  return time.toISODate() ?? undefined
}

/** Alerts of several sites that are not urgent are sent every five minutes, so most are combined. */
const slotMinutes = 5

export function isSharedSlot(now: number): boolean {
  return Math.floor(now / minuteMs) % slotMinutes === 0
}

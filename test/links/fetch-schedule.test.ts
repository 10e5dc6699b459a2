import { expect, test } from 'vitest'
import {
  appSchedules,
  fetchScheduleFrom,
  type FetchSchedule,
} from '../../src/links/fetch-schedule.ts'
import { linkApps, type LinkApp } from '../../src/links/link-use.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = 1_000 * day

/** Returns the schedule of an app that last refreshed some time ago, `count` times in total. */
function scheduleOf(
  app: LinkApp,
  { ago, every = 0, count = 1 }: { ago: number; every?: number; count?: number },
): FetchSchedule {
  const at = now - ago
  const refreshes = Array.from({ length: count }, (_, index) => at - (count - 1 - index) * every)
  return fetchScheduleFrom({ app, at, refreshes, days: [] }, now)
}

test.for([
  { app: 'Google', from: 8 * hour, by: day, lateAfter: 36 * hour },
  { app: 'Apple', from: 15 * minute, by: 7 * day, lateAfter: 8 * day },
  { app: 'Outlook', from: hour, by: day, lateAfter: 4 * day },
  { app: 'Thunderbird', from: 30 * minute, by: 30 * minute, lateAfter: 4 * day },
  { app: 'Android', from: hour, by: day, lateAfter: 4 * day },
  { app: 'other calendar', from: hour, by: 7 * day, lateAfter: 8 * day },
  { app: 'reader', from: 15 * minute, by: hour, lateAfter: 4 * day },
  { app: 'screen', from: 5 * minute, by: day, lateAfter: 2 * day },
] as const)(
  'expects $app on its usual schedule after one refresh',
  ({ app, from, by, lateAfter }) => {
    const { lastAt, due, state } = scheduleOf(app, { ago: 0 })
    expect({ lastAt, due, state }).toEqual({
      lastAt: now,
      due: { from: now + from, by: now + by },
      state: 'on time',
    })
    expect(scheduleOf(app, { ago: lateAfter - 1 }).state).toBe('on time')
    expect(scheduleOf(app, { ago: lateAfter }).state).toBe('late')
    expect(scheduleOf(app, { ago: 30 * day - 1 }).state).toBe('late')
    expect(scheduleOf(app, { ago: 30 * day }).state).toBe('stopped')
  },
)

test.for([
  {
    name: 'every 20 minutes, off on a weekend',
    every: 20 * minute,
    ago: 3 * day,
    state: 'on time',
  },
  { name: 'every 20 minutes, silent for 4 days', every: 20 * minute, ago: 4 * day, state: 'late' },
  { name: 'once a week', every: 7 * day, ago: 20 * day, state: 'on time' },
  { name: 'once a week, silent for three', every: 7 * day, ago: 21 * day, state: 'late' },
  { name: 'every 20 days, silent for 50', every: 20 * day, ago: 50 * day, state: 'on time' },
  { name: 'every 20 days, silent for 60', every: 20 * day, ago: 60 * day, state: 'stopped' },
] as const)('expects a regular app at its own interval: $name', ({ every, ago, state }) => {
  const schedule = scheduleOf('Apple', { every, ago, count: 5 })
  expect(schedule).toMatchObject({ observedMs: every, state })
  expect(schedule.due).toEqual({ from: schedule.lastAt + every, by: schedule.lastAt + every })
})

test.for([
  { app: 'Google', every: 6 * hour, lateAfter: 36 * hour },
  { app: 'Google', every: 20 * hour, lateAfter: 60 * hour },
  { app: 'screen', every: 5 * minute, lateAfter: day },
  { app: 'screen', every: day, lateAfter: 3 * day },
] as const)('expects servers and screens every day: $app', ({ app, every, lateAfter }) => {
  expect(scheduleOf(app, { every, ago: lateAfter - 1, count: 8 }).state).toBe('on time')
  expect(scheduleOf(app, { every, ago: lateAfter, count: 8 }).state).toBe('late')
})

test('does not call an app late because it refreshed twice in one evening', () => {
  expect(scheduleOf('Apple', { every: hour, ago: 2 * day, count: 2 }).state).toBe('on time')
})

test('expects nothing from browsers and scripts', () => {
  const schedule = scheduleOf('other', { every: hour, ago: 90 * day, count: 8 })
  expect(schedule).toMatchObject({ due: undefined, state: 'no schedule' })
})

test('shows no refresh in the future if a clock is ahead', () => {
  expect(scheduleOf('Google', { ago: -hour }).lastAt).toBe(now)
})

test.for(linkApps.filter((app) => app !== 'other'))('detects that %s is late', (app) => {
  const { usualMs, lateMs = 4 * day, minLateMs = 4 * day } = appSchedules[app]
  expect(lateMs).toBeGreaterThan(usualMs?.max ?? Infinity)
  expect(lateMs).toBeGreaterThanOrEqual(minLateMs)
})

import { expect, test } from 'vitest'
import {
  maxDays,
  maxRefreshes,
  mergeFetches,
  observedIntervalMs,
  readersPerDay,
  refreshGapMs,
  type AppFetches,
  type LinkApp,
} from '../../src/links/link-use.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const dayMinutes = 24 * 60

const fetchesOf = (app: LinkApp, ...minutes: readonly number[]): AppFetches => {
  const times = minutes.map((minute) => minute * minuteMs)
  const days = [...new Set(times.map((at) => Math.floor(at / dayMs)))]
  return { app, at: Math.max(...times), refreshes: times, days }
}

test('counts requests within a few minutes as one refresh', () => {
  const seen = [0, 1, 4, 30, 34, 60].map((minute) => fetchesOf('Apple', minute))
  const merged = seen.reduce<readonly AppFetches[]>(
    (known, fetches) => mergeFetches(known, [fetches]),
    [],
  )
  expect(refreshGapMs).toBe(5 * minuteMs)
  expect(merged).toEqual([fetchesOf('Apple', 0, 30, 60)])
})

test('keeps the exact time of the latest request', () => {
  const merged = mergeFetches([fetchesOf('Apple', 0)], [fetchesOf('Apple', 3)])
  expect(merged).toEqual([{ app: 'Apple', at: 3 * minuteMs, refreshes: [0], days: [0] }])
})

test('merges what two replicas have seen, in either order', () => {
  const one = [fetchesOf('Google', 0, 600), fetchesOf('Apple', 20)]
  const two = [fetchesOf('Google', 300)]
  const merged = [fetchesOf('Google', 0, 300, 600), fetchesOf('Apple', 20)]
  expect(mergeFetches(one, two)).toEqual(merged)
  expect(mergeFetches(two, one)).toEqual(merged)
  expect(mergeFetches(merged, merged)).toEqual(merged)
})

test('keeps only the latest refreshes', () => {
  const minutes = Array.from({ length: 50 }, (_, index) => index * 10)
  const [fetches] = mergeFetches([], [fetchesOf('screen', ...minutes)])
  expect(fetches?.refreshes).toHaveLength(maxRefreshes)
  expect(fetches?.refreshes.at(-1)).toBe(490 * minuteMs)
})

test('keeps the days on which each app made requests, and only the latest', () => {
  const everyDay = Array.from({ length: 40 }, (_, day) => fetchesOf('Apple', day * dayMinutes))
  const [fetches] = everyDay.reduce<readonly AppFetches[]>(
    (known, seen) => mergeFetches(known, [seen, seen]),
    [],
  )
  expect(fetches?.days).toEqual(Array.from({ length: maxDays }, (_, index) => 10 + index))
})

test('counts the apps that read links on each of the last days', () => {
  const links = [
    [fetchesOf('Apple', 35 * dayMinutes, 39 * dayMinutes), fetchesOf('Google', 39 * dayMinutes)],
    [fetchesOf('Apple', 39 * dayMinutes), fetchesOf('screen', 2 * dayMinutes)],
  ]
  const days = readersPerDay(links, 39.5 * dayMs)
  expect(days).toHaveLength(maxDays)
  expect(days.filter(({ apps }) => apps.length > 0)).toEqual([
    { at: 35 * dayMs, apps: ['Apple'] },
    { at: 39 * dayMs, apps: ['Apple', 'Google', 'Apple'] },
  ])
})

test.for([
  { name: 'nothing from one refresh', minutes: [7], interval: undefined },
  { name: 'the time between two refreshes', minutes: [0, 30], interval: 30 },
  {
    name: 'the usual time, although the phone was off once',
    minutes: [0, 30, 60, 5000],
    interval: 30,
  },
])('observes $name', ({ minutes, interval }) => {
  const expected = interval === undefined ? undefined : interval * minuteMs
  expect(observedIntervalMs(fetchesOf('Apple', ...minutes))).toBe(expected)
})

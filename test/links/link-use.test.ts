import { expect, test } from 'vitest'
import {
  maxRefreshes,
  mergeFetches,
  observedIntervalMs,
  refreshGapMs,
  type AppFetches,
  type LinkApp,
} from '../../src/links/link-use.ts'

const minuteMs = 60_000

const fetchesOf = (app: LinkApp, ...minutes: readonly number[]): AppFetches => {
  const times = minutes.map((minute) => minute * minuteMs)
  return { app, at: Math.max(...times), refreshes: times }
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
  expect(merged).toEqual([{ app: 'Apple', at: 3 * minuteMs, refreshes: [0] }])
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

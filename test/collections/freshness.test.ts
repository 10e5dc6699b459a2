import { describe, expect, test } from 'vitest'
import { detailIntervalMs, readingIntervalMs, type Load } from '../../src/collections/freshness.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const load: Load = { freshMs: 5 * minuteMs, callsPerDay: 5000, usedToday: 0 }

test.for([
  { calls: 1, minutes: 5 },
  { calls: 6, minutes: 5 },
  { calls: 8, minutes: 5 },
  { calls: 10, minutes: 5.76 },
  { calls: 40, minutes: 23.04 },
])('collections of $calls calls together are read every $minutes minutes', ({ calls, minutes }) => {
  expect(readingIntervalMs(load, calls, false) / minuteMs).toBeCloseTo(minutes)
})

test.for([
  { sheets: 0, minutes: 5 },
  { sheets: 4, minutes: 5 },
  { sheets: 10, minutes: 11.52 },
  { sheets: 100, minutes: 115.2 },
])('the details of $sheets sheets are read every $minutes minutes', ({ sheets, minutes }) => {
  expect(detailIntervalMs(load, sheets) / minuteMs).toBeCloseTo(minutes)
})

test.for([
  { used: 0, stretch: 1 },
  { used: 3750, stretch: 1 },
  { used: 4250, stretch: 2 },
  { used: 4500, stretch: 4 },
  { used: 4700, stretch: 20 },
  { used: 4750, stretch: 20 },
  { used: 5000, stretch: 20 },
])('with $used of 5000 calls used it takes $stretch times as long', ({ used, stretch }) => {
  const intervalMs = readingIntervalMs({ ...load, usedToday: used }, 6, false)
  expect(intervalMs / load.freshMs).toBeCloseTo(stretch)
})

test('what nobody reads is read a twelfth as often', () => {
  expect(readingIntervalMs(load, 6, true)).toBe(60 * minuteMs)
})

describe.for([
  { name: 'six pages', callsPerDay: 5000, pages: 6, foreign: 0 },
  { name: 'forty pages', callsPerDay: 5000, pages: 40, foreign: 0 },
  { name: 'a small budget', callsPerDay: 300, pages: 6, foreign: 0 },
  { name: 'others who use half of it', callsPerDay: 5000, pages: 20, foreign: 2500 },
])('with $name', ({ callsPerDay, pages, foreign }) => {
  test('every day has at least five of a hundred calls left', () => {
    const sentAt: number[] = []
    const usedAt = (now: number) =>
      sentAt.filter((at) => at > now - dayMs).length + Math.min(foreign, (now / dayMs) * foreign)
    let readAt = -Infinity
    for (let now = 0; now < 3 * dayMs; now += minuteMs) {
      const usedToday = usedAt(now)
      const intervalMs = readingIntervalMs(
        { freshMs: 5 * minuteMs, callsPerDay, usedToday },
        pages,
        false,
      )
      if (now - readAt < intervalMs) continue
      for (let page = 0; page < pages; page += 1) sentAt.push(now)
      readAt = now
      expect(usedAt(now)).toBeLessThanOrEqual(callsPerDay * 0.95)
    }
    expect(sentAt.length).toBeGreaterThan(0)
  })
})

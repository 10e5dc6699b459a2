import { describe, expect, test } from 'vitest'
import { dayMs, limits, minuteMs, windowsOf } from './cut-off-windows.ts'

describe.for([
  { replicas: 1, perMinute: 24 },
  { replicas: 2, perMinute: 12 },
  { replicas: 3, perMinute: 9 },
  { replicas: 20, perMinute: 6 },
])('with $replicas replicas that have all lost the store', ({ replicas, perMinute }) => {
  const everybody = Array.from({ length: replicas }, (_, index) => index)

  test('pauses first, and then allows each replica its share', async () => {
    const { cutOff, takeAll } = windowsOf(replicas)
    expect(await takeAll(3_000)).toBe(24)
    cutOff(...everybody)
    expect(await takeAll(minuteMs)).toBe(0)
    await takeAll(minuteMs)
    const perTenMinutes = await takeAll(10 * minuteMs)
    expect(perTenMinutes).toBeLessThanOrEqual(Math.min(300 - 24, 10 * perMinute))
    expect(perTenMinutes).toBeGreaterThan(Math.min(200, 4 * perMinute))
  })

  test('pauses again in a second outage', async () => {
    const { cutOff, takeAll } = windowsOf(replicas)
    await takeAll(3_000)
    cutOff(...everybody)
    await takeAll(5 * minuteMs)
    cutOff()
    await takeAll(3_000)
    cutOff(...everybody)
    expect(await takeAll(minuteMs)).toBe(0)
  })

  test('stays within the daily limit, and allows more events after a day', async () => {
    const { cutOff, takeAll, clock } = windowsOf(replicas)
    const before = await takeAll(5 * minuteMs)
    cutOff(...everybody)
    const during = await takeAll(2 * 60 * minuteMs)
    expect(before + during).toBeLessThanOrEqual(300)
    expect(during).toBeGreaterThan(0)
    await clock.advance(dayMs)
    expect(await takeAll(5 * minuteMs)).toBeGreaterThan(0)
  })
})

describe.for([2, 3, 5])('with %i replicas, no minute has more than 30 events', (replicas) => {
  test('after all replicas lose the store and it comes back', async () => {
    const { cutOff, takeAll, busiest } = windowsOf(replicas)
    await takeAll(3_000)
    cutOff(...Array.from({ length: replicas }, (_, index) => index))
    await takeAll(4 * minuteMs)
    cutOff()
    await takeAll(4 * minuteMs)
    expect(busiest()).toBeLessThanOrEqual(30)
  })

  test('after only one replica loses the store', async () => {
    const { cutOff, takeAll, busiest } = windowsOf(replicas)
    await takeAll(3_000)
    cutOff(0)
    await takeAll(4 * minuteMs)
    cutOff()
    await takeAll(2 * minuteMs)
    expect(busiest()).toBeLessThanOrEqual(30)
  })

  test('after all replicas but one lose the store', async () => {
    const { cutOff, takeAll, busiest } = windowsOf(replicas)
    await takeAll(3_000)
    cutOff(...Array.from({ length: replicas - 1 }, (_, index) => index))
    await takeAll(4 * minuteMs)
    expect(busiest()).toBeLessThanOrEqual(30)
  })
})

test('counts local events exactly once when the store comes back', async () => {
  const { cutOff, takeAll, windows, takenAt } = windowsOf(3)
  await takeAll(3_000)
  cutOff(0, 1, 2)
  await takeAll(5 * minuteMs)
  cutOff()
  await takeAll(5 * minuteMs)
  expect(await windows.count('calls', dayMs)).toBe(takenAt.length)
})

test('asks for a pause of 70 seconds at most, because the store may be back', async () => {
  const { cutOff, all } = windowsOf(1)
  cutOff(0)
  // Without the count of the day, nothing is left of the daily limit.
  expect(await all[0]?.take(limits)).toEqual({ ok: false, retryAfterMs: 70_000 })
})

test('rejects every event that has a daily limit if the replica has never reached the store', async () => {
  const { cutOff, all, clock } = windowsOf(1)
  cutOff(0)
  const [window] = all
  for (const _ of [1, 2, 3]) {
    expect(await window?.take(limits)).toMatchObject({ ok: false })
    await clock.advance(2 * minuteMs)
  }
})

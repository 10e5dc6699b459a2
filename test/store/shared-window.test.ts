import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '../../src/clock.ts'
import { createSharedWindow } from '../../src/store/shared-window.ts'
import { StoreError } from '../../src/store/store-error.ts'
import type { Windows } from '../../src/store/store.ts'
import { shareOfCalls } from '../../src/upstream/throttle.ts'
import { busiest, createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

/** Limits of 30 calls per minute and of few enough calls per day to use up in a test. */
const limits = [
  { windowMs: minuteMs, max: 24 },
  { windowMs: dayMs, max: 300 },
]

/** Creates the windows of several replicas on a real store, some of which can be cut off. */
function windowsOf(replicas: number) {
  const clock = createFakeClock()
  let { windows } = openTestStore(clock.now)
  const forget = () => {
    windows = openTestStore(clock.now).windows
    return windows
  }
  const shareOf = shareOfCalls(30, () => replicas)
  const cut = new Set<number>()
  const all = Array.from({ length: replicas }, (_, index) => {
    const reach = async <R>(work: () => Promise<R>): Promise<R> => {
      if (cut.has(index)) throw new StoreError('unreachable', 'cut off')
      return work()
    }
    const reached: Windows = {
      take: (name, wanted) => reach(() => windows.take(name, wanted)),
      release: (name, id) => reach(() => windows.release(name, id)),
      // If there are no events to add, the store is not accessed.
      add: async (name, events) =>
        events.size === 0 ? undefined : reach(() => windows.add(name, events)),
      count: (name, windowMs) => reach(() => windows.count(name, windowMs)),
    }
    return createSharedWindow(reached, 'calls', { shareOf, now: clock.now })
  })
  const takenAt: number[] = []
  /** Takes every available event in steps, and returns their number. */
  async function takeAll(forMs: number, stepMs = 1000): Promise<number> {
    const before = takenAt.length
    for (const end = clock.now() + forMs; clock.now() < end;) {
      for (const window of all) {
        await window.count(dayMs)
        while ((await window.take(limits)).ok) takenAt.push(clock.now())
      }
      await clock.advance(stepMs)
    }
    return takenAt.length - before
  }
  const cutOff = (...indexes: readonly number[]) => {
    cut.clear()
    for (const index of indexes) cut.add(index)
  }
  return { clock, windows, all, takeAll, takenAt, cutOff, forget }
}

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
    const during = await takeAll(2 * 60 * minuteMs, 10_000)
    expect(before + during).toBeLessThanOrEqual(300)
    expect(during).toBeGreaterThan(0)
    await clock.advance(dayMs)
    expect(await takeAll(5 * minuteMs)).toBeGreaterThan(0)
  })
})

describe.for([2, 3, 5])('with %i replicas, no minute has more than 30 events', (replicas) => {
  test.for([
    { name: 'all replicas lose the store and it comes back', lost: replicas, backMs: 4 * minuteMs },
    { name: 'only one replica loses the store', lost: 1, backMs: 2 * minuteMs },
    { name: 'all replicas but one lose the store', lost: replicas - 1, backMs: 0 },
  ])('after $name', async ({ lost, backMs }) => {
    const { cutOff, takeAll, takenAt } = windowsOf(replicas)
    await takeAll(3_000)
    cutOff(...Array.from({ length: lost }, (_, index) => index))
    await takeAll(4 * minuteMs)
    cutOff()
    await takeAll(backMs)
    expect(busiest(takenAt, minuteMs)).toBeLessThanOrEqual(30)
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

const gone = (): Promise<never> => Promise.reject(new StoreError('unreachable', 'cut off'))

test('stretches the window if a replica’s share is less than one event', async () => {
  const clock = createFakeClock()
  const { windows } = openTestStore(clock.now)
  const window = createSharedWindow(
    { ...windows, take: gone, count: gone, add: gone },
    'requests',
    {
      shareOf: () => 1 / 3,
      now: clock.now,
    },
  )
  const limit = [{ windowMs: 3 * minuteMs, max: 1 }]
  const takenAt: number[] = []
  let shortestWaitMs = Infinity
  const start = clock.now()
  for (let second = 0; second < 30 * 60; second += 1) {
    const taken = await window.take(limit)
    if (taken.ok) takenAt.push((clock.now() - start) / minuteMs)
    else shortestWaitMs = Math.min(shortestWaitMs, taken.retryAfterMs)
    await clock.advance(1000)
  }
  expect(takenAt.map((minute) => Math.round(minute))).toEqual([1, 10, 19, 28])
  expect(shortestWaitMs).toBeGreaterThanOrEqual(1000)
})

test('replays the events of the last day from all replicas to an empty store', async () => {
  const { cutOff, takeAll, forget, takenAt } = windowsOf(3)
  await takeAll(5 * minuteMs)
  cutOff(0, 1, 2)
  await takeAll(minuteMs)
  const empty = forget()
  cutOff()
  await takeAll(2_000)
  expect(await empty.count('calls', dayMs)).toBe(takenAt.length)
})

test('replays earlier events once before it uses the store, even if callers are concurrent', async () => {
  const clock = createFakeClock()
  const { windows } = openTestStore(clock.now)
  const calls: string[] = []
  const replay = Promise.withResolvers<void>()
  let isDown = true
  const whileUp = async <R>(work: () => Promise<R>): Promise<R> => {
    if (isDown) throw new StoreError('unreachable', 'cut off')
    return work()
  }
  const window = createSharedWindow(
    {
      ...windows,
      add: (name, events) =>
        whileUp(async () => {
          calls.push('replay')
          await replay.promise
          await windows.add(name, events)
          calls.push('replayed')
        }),
      take: (name, wanted) => {
        calls.push('take')
        return whileUp(() => windows.take(name, wanted))
      },
    },
    'calls',
    { shareOf: () => 1, now: clock.now },
  )
  await window.add([clock.now()])
  isDown = false
  const taking = [window.take(limits), window.take(limits)]
  replay.resolve()
  const taken = await Promise.all(taking)
  expect(calls).toEqual(['replay', 'replayed', 'take', 'take'])
  expect(taken).toMatchObject([{ used: [2, 2] }, { used: [3, 3] }])
})

test('drops events from before the outage when they leave the window', async () => {
  const { cutOff, all, clock } = windowsOf(1)
  const [window] = all
  await window?.take(limits)
  await window?.count(dayMs)
  cutOff(0)
  expect(await window?.count(dayMs)).toBe(1)
  await clock.advance(dayMs)
  expect(await window?.count(dayMs)).toBe(0)
})

test('limits failed token requests to three in ten minutes, even across outages of the store', async () => {
  for (const replicas of [1, 3]) {
    const clock = createFakeClock()
    const { windows } = openTestStore(clock.now)
    let isCut = false
    const all = Array.from({ length: replicas }, () => {
      const take: Windows['take'] = (name, wanted) => (isCut ? gone() : windows.take(name, wanted))
      return createSharedWindow(
        { ...windows, take, count: () => (isCut ? gone() : Promise.resolve(0)) },
        'token requests',
        {
          shareOf: ({ max }, usedBefore) => (max - usedBefore) / replicas,
          now: clock.now,
        },
      )
    })
    const attempts = [
      { windowMs: 10 * minuteMs, max: 3 },
      { windowMs: 3.5 * minuteMs, max: 1 },
    ]
    const takenAt: number[] = []
    for (let second = 0; second < 40 * 60; second += 1) {
      isCut = second > 430 && second < 1500
      for (const window of all) if ((await window.take(attempts)).ok) takenAt.push(clock.now())
      await clock.advance(1000)
    }
    expect(busiest(takenAt, 10 * minuteMs)).toBe(3)
    expect(takenAt.at(-1)).toBeGreaterThan(clock.now() - 15 * minuteMs)
  }
})

test('releases or counts events that were taken without the store', async () => {
  const { cutOff, all, clock } = windowsOf(1)
  const [window] = all
  await window?.count(dayMs)
  await window?.take(limits)
  cutOff(0)
  await window?.take(limits)
  await clock.advance(2 * minuteMs)
  const taken = await window?.take(limits)
  expect(taken).toMatchObject({ ok: true })
  expect(await window?.count(dayMs)).toBe(2)
  await window?.release(taken?.ok ? taken.id : '')
  expect(await window?.count(dayMs)).toBe(1)
  await window?.release('of the store')
  await window?.add([clock.now(), clock.now()])
  expect(await window?.count(dayMs)).toBe(3)
})

test('repeats a replay that failed', async () => {
  const { now } = createFakeClock()
  const { windows } = openTestStore(now)
  let failures = 2
  const add: Windows['add'] = (...events) => {
    failures -= 1
    return failures >= 0 ? gone() : windows.add(...events)
  }
  const window = createSharedWindow({ ...windows, add }, 'calls', { shareOf: () => 1, now })
  await window.add([now()])
  for (const _ of ['failed', 'repeated']) expect(await window.count(dayMs)).toBe(1)
  expect(await windows.count('calls', dayMs)).toBe(1)
})

test('replays again if an event was counted without the store in the meantime', async () => {
  const { now } = createFakeClock()
  const { windows } = openTestStore(now)
  const late = Promise.withResolvers<void>()
  const adding = [() => late.promise, () => Promise.resolve()]
  let isDown = true
  const window = createSharedWindow(
    {
      ...windows,
      add: (...events) => adding.shift()?.() ?? windows.add(...events),
      count: (...counted) => (isDown ? gone() : windows.count(...counted)),
    },
    'calls',
    { shareOf: () => 1, now },
  )
  const added = window.add([now()])
  await window.count(dayMs)
  isDown = false
  const counted = window.count(dayMs)
  late.reject(new StoreError('unreachable', 'cut off'))
  await Promise.all([added, counted])
  expect(await window.count(dayMs)).toBe(1)
  expect(await windows.count('calls', dayMs)).toBe(1)
})

test('does not wait longer for a clock that was ahead when the store was lost', async () => {
  const clock = createFakeClock()
  let aheadMs = dayMs
  const { windows } = openTestStore(clock.now)
  const window = createSharedWindow({ ...windows, take: gone }, 'calls', {
    shareOf: () => 1,
    now: () => clock.now() + aheadMs,
  })
  expect(await window.take(limits)).toMatchObject({ ok: false })
  aheadMs = 0
  const refused = await window.take(limits)
  await clock.advance(refused.ok ? 0 : refused.retryAfterMs)
  expect(refused).toMatchObject({ retryAfterMs: 70_000 })
  expect(await window.take([{ windowMs: minuteMs, max: 1 }])).toMatchObject({ ok: true })
})

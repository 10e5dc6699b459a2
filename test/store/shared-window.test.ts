import { describe, expect, test } from 'vitest'
import { createSharedWindow } from '../../src/store/shared-window.ts'
import { StoreError } from '../../src/store/store-error.ts'
import type { Windows } from '../../src/store/store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const limits = [
  { windowMs: minuteMs, most: 24 },
  { windowMs: dayMs, most: 300 },
]

/** The windows of replicas on a real store, which is cut off while the test says so. */
function windowsOf(replicas: number) {
  const clock = createFakeClock()
  const { windows } = openTestStore(clock.now)
  const connection = { isCut: false }
  const cutOff =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      connection.isCut ? Promise.reject(new StoreError('unreachable', 'cut off')) : work(...args)
  const reached: Windows = {
    take: cutOff(windows.take),
    giveBack: cutOff(windows.giveBack),
    // Adding nothing needs no store, so it tells nothing about it.
    add: (name, instants) =>
      instants.length === 0 ? Promise.resolve() : cutOff(windows.add)(name, instants),
    count: cutOff(windows.count),
  }
  const all = Array.from({ length: replicas }, () =>
    createSharedWindow(reached, 'calls', { replicas: () => replicas, now: clock.now }),
  )
  /** Takes all that the replicas get, second by second. */
  async function takeAll(forMs: number): Promise<number[]> {
    const takenAt: number[] = []
    for (const end = clock.now() + forMs; clock.now() < end;) {
      for (const window of all) {
        await window.count(dayMs)
        while ((await window.take(limits)).ok) takenAt.push(clock.now())
      }
      await clock.advance(1000)
    }
    return takenAt
  }
  return { clock, windows, connection, all, takeAll }
}

const withinOf = (instants: readonly number[], windowMs: number) =>
  Math.max(...instants.map((at) => instants.filter((x) => x >= at && x < at + windowMs).length))

describe.for([1, 3])('with %i replicas, while the store is gone', (replicas) => {
  test('nothing is taken for a minute, then each takes its share', async () => {
    const { connection, takeAll } = windowsOf(replicas)
    const before = await takeAll(3_000)
    expect(before).toHaveLength(24)
    connection.isCut = true
    expect(await takeAll(minuteMs)).toEqual([])
    const during = await takeAll(10 * minuteMs)
    expect(withinOf(during, minuteMs)).toBe(24)
    expect(during.length).toBeGreaterThanOrEqual(9 * 24)
  })

  test('no more is taken than the day had left', async () => {
    const { connection, takeAll, clock } = windowsOf(replicas)
    const before = await takeAll(5 * minuteMs)
    connection.isCut = true
    const during = await takeAll(2 * 60 * minuteMs)
    expect(before.length + during.length).toBeLessThanOrEqual(300)
    expect(before.length + during.length).toBeGreaterThan(290)
    await clock.advance(dayMs)
    expect((await takeAll(minuteMs)).length).toBeGreaterThan(20)
  })

  test('what was taken meanwhile counts when it is back', async () => {
    const { connection, takeAll, windows, all } = windowsOf(replicas)
    const before = await takeAll(3_000)
    connection.isCut = true
    const during = await takeAll(3 * minuteMs)
    connection.isCut = false
    await Promise.all(all.map((window) => window.take(limits)))
    const total = await windows.count('calls', dayMs)
    expect(total).toBeGreaterThanOrEqual(before.length + during.length)
    expect(total).toBeLessThanOrEqual(before.length + during.length + replicas)
  })
})

test('a replica that never saw the store takes nothing, since it knows of nothing left', async () => {
  const { connection, all, clock } = windowsOf(1)
  connection.isCut = true
  const [window] = all
  expect(await window?.take(limits)).toMatchObject({ ok: false })
  await clock.advance(2 * minuteMs)
  expect(await window?.take(limits)).toMatchObject({ ok: false })
})

test('what is taken without the store can be given back, and is counted', async () => {
  const { connection, all, clock } = windowsOf(1)
  const [window] = all
  await window?.take(limits)
  connection.isCut = true
  await window?.take(limits)
  await clock.advance(minuteMs)
  const taken = await window?.take(limits)
  expect(taken).toMatchObject({ ok: true })
  expect(await window?.count(dayMs)).toBe(2)
  await window?.giveBack(taken?.ok ? taken.id : '')
  expect(await window?.count(dayMs)).toBe(1)
  await window?.giveBack('of the store')
  await window?.add([clock.now(), clock.now()])
  expect(await window?.count(dayMs)).toBe(3)
})

test('coming back while many take counts everything once', async () => {
  const { connection, all, clock, windows } = windowsOf(1)
  const [window] = all
  await window?.take(limits)
  connection.isCut = true
  await window?.take(limits)
  await clock.advance(minuteMs)
  for (const _ of [1, 2, 3]) await window?.take(limits)
  connection.isCut = false
  await Promise.all([1, 2, 3].map(async () => window?.take(limits)))
  expect(await windows.count('calls', dayMs)).toBe(7)
})

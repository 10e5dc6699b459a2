import { expect, test } from 'vitest'
import { dayMs, every, hourMs, minuteMs, retryDelayMs, withTimeout } from '../src/clock.ts'
import { createFakeClock, oneTurn } from './support/fake-clock.ts'

test('has the units of time in milliseconds', () => {
  expect([minuteMs, hourMs, dayMs]).toEqual([60_000, 3_600_000, 86_400_000])
})

test('repeated work runs immediately, and then at each multiple of the interval until it is aborted', async () => {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const start = clock.now()
  const ranAt: number[] = []
  const running = every(clock, 1000, stopping.signal, async () => {
    ranAt.push(clock.now() - start)
    // The second run takes longer than the interval.
    await clock.sleep(ranAt.length === 2 ? 1300 : 200)
  })
  await clock.advance(4500)
  stopping.abort()
  await clock.advance(500)
  await running
  expect(ranAt).toEqual([0, 1000, 3000, 4000])
})

test('repeated work that started at different times wakes the process at the same time', async () => {
  const clock = createFakeClock('2026-03-05T15:00:00.010Z')
  const stopping = new AbortController()
  const ranAt = new Set<number>()
  const start = () => every(clock, 1000, stopping.signal, () => ranAt.add(clock.now() % 1000))
  const running = [start()]
  await clock.advance(50)
  running.push(start())
  await clock.advance(900)
  ranAt.clear()
  await clock.advance(2000)
  stopping.abort()
  await Promise.all(running)
  expect([...ranAt]).toEqual([0])
})

test('work that repeats at the same times shares a timer, and ends on its own', async () => {
  const clock = createFakeClock()
  let timers = 0
  const after: typeof clock.after = (...wait) => {
    timers += 1
    return clock.after(...wait)
  }
  const works = Array.from({ length: 3 }, () => ({ stopping: new AbortController(), runs: 0 }))
  const running = works.map((work) =>
    every({ ...clock, after }, 1000, work.stopping.signal, () => (work.runs += 1)),
  )
  await clock.advance(2500)
  expect(timers).toBe(3)
  works[0]?.stopping.abort()
  await running[0]
  await clock.advance(1000)
  expect(works.map(({ runs }) => runs)).toEqual([3, 4, 4])
  for (const { stopping } of works) stopping.abort()
  await Promise.all(running)
  await clock.advance(5000)
  expect(timers).toBe(4)
})

test('repeated work that fails ends with the error, and leaves other work alone', async () => {
  const clock = createFakeClock()
  const stopping = new AbortController()
  let runs = 0
  const failing = every(clock, 1000, stopping.signal, async () => {
    if (runs > 1) throw new Error('broken')
  })
  const other = every(clock, 1000, stopping.signal, () => (runs += 1))
  const failed = failing.catch((error: unknown) => error)
  await clock.advance(4500)
  expect(await failed).toMatchObject({ message: 'broken' })
  expect(runs).toBe(5)
  stopping.abort()
  await other
})

test('repeated work does not run if it is aborted before it starts', async () => {
  await every(createFakeClock(), 1000, AbortSignal.abort(), () => expect.unreachable())
})

test.for([
  { name: 'work in time', workMs: 999, result: 'done' },
  { name: 'work that takes too long', workMs: 1001, result: 'too late' },
])('a time limit resolves to "$result" for $name', async ({ workMs, result }) => {
  const clock = createFakeClock()
  const work = clock.sleep(workMs).then(() => 'done')
  const ended = withTimeout(work, 1000, () => 'too late', { clock })
  await clock.advance(2000)
  expect(await ended).toBe(result)
})

test('a time limit rejects with the error if the work fails in time', async () => {
  const work = oneTurn().then(() => Promise.reject(new Error('broken')))
  await expect(withTimeout(work, 1000, () => undefined)).rejects.toThrow('broken')
})

test('an aborted wait ends before the work does', async () => {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const endless = new Promise<string>(() => {})
  const { signal } = stopping
  const ended = withTimeout(endless, 1000, () => 'given up', { clock, signal })
  stopping.abort()
  expect(await ended).toBe('given up')
})

const unexpected = () => expect.unreachable()

test('the timer for a time limit is canceled when the work ends', async () => {
  let timers = 0
  let canceled = 0
  const clock = {
    after() {
      timers += 1
      return () => void (canceled += 1)
    },
  }
  await withTimeout(Promise.resolve(), 1000, unexpected, { clock })
  await withTimeout(Promise.reject(new Error('broken')), 1000, unexpected, { clock }).catch(
    () => {},
  )
  expect([timers, canceled]).toEqual([2, 2])
})

test('the wait doubles with each failure up to its maximum, with jitter on top', () => {
  const policy = { initialMs: 10_000, maxMs: 60_000 }
  const waitsMs = [1, 2, 3, 4, 5].map((failures) => retryDelayMs(policy, failures))
  expect(waitsMs).toEqual([10_000, 20_000, 40_000, 60_000, 60_000])
  expect(retryDelayMs(policy, 1, 0.5)).toBe(11_000)
})

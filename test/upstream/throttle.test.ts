import { expect, test } from 'vitest'
import { createThrottle, type Priority } from '../../src/upstream/throttle.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestWindow } from '../support/store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How much later than reserved a call may arrive. */
const marginMs = 10_000
const person = () => 'person' as const

function throttleOf(callsPerMinute: number, callsPerDay: number, signal?: AbortSignal) {
  const clock = createFakeClock()
  const window = openTestWindow(clock.now)
  const options = { callsPerMinute, callsPerDay, window, clock }
  const throttle = createThrottle(signal ? { ...options, signal } : options)
  /** Whether there is room at once. */
  async function hasRoom(priority: Priority): Promise<boolean> {
    const stop = new AbortController()
    const trying = createThrottle({ ...options, signal: stop.signal })
    const reserving = trying
      .reserve(() => priority)
      .then(
        (reservation) => reservation.release().then(() => true),
        () => false,
      )
    await clock.advance(0)
    stop.abort()
    return reserving
  }
  return { clock, throttle, window, hasRoom }
}

test('a call over the minute waits until the oldest is a minute ago, wherever it was held up', async () => {
  const { clock, throttle } = throttleOf(3, 100)
  const start = clock.now()
  const sentAt: number[] = []
  const calls = [1, 2, 3].map(async () => {
    await throttle.reserve(person)
    sentAt.push(clock.now() - start)
  })
  await clock.advance(minuteMs + marginMs)
  await Promise.all(calls)
  expect(sentAt).toEqual([0, 0, minuteMs + marginMs])
})

test('never more than four fifths of its calls in any minute, however many ask', async () => {
  const { clock, throttle } = throttleOf(30, 1000)
  const sentAt: number[] = []
  for (let second = 0; second < 300; second += 1) {
    void throttle.reserve(person).then(
      () => sentAt.push(clock.now()),
      () => undefined,
    )
    await clock.advance(1000)
  }
  const busiest = sentAt.map(
    (at) => sentAt.filter((other) => other >= at && other < at + minuteMs + marginMs).length,
  )
  expect(Math.max(...busiest)).toBe(24)
  expect(sentAt.length).toBeGreaterThanOrEqual(96)
})

test('the day never sees more than 95 of a hundred calls', async () => {
  const { clock, throttle } = throttleOf(30, 20)
  for (const _ of Array.from({ length: 19 })) await throttle.reserve(person)
  await clock.advance(2 * minuteMs)
  await expect(throttle.reserve(person)).rejects.toMatchObject({
    kind: 'budget_spent',
    retryAfterMs: dayMs - 2 * minuteMs,
  })
  await clock.advance(dayMs - 2 * minuteMs)
  await expect(throttle.reserve(person)).resolves.toBeDefined()
})

test('the less urgent a call is, the more room it leaves', async () => {
  const { throttle, hasRoom } = throttleOf(30, 5000)
  const lastWithRoom: Partial<Record<Priority, number>> = {}
  for (let used = 0; used < 24; used += 1) {
    for (const priority of ['person', 'scheduled', 'details', 'warm-up'] as const) {
      if (await hasRoom(priority)) lastWithRoom[priority] = used
    }
    await throttle.reserve(person)
  }
  expect(lastWithRoom).toEqual({ person: 23, scheduled: 20, details: 14, 'warm-up': 11 })
})

test('a waiting call goes as soon as a person waits for it', async () => {
  const { clock, throttle } = throttleOf(30, 5000)
  for (const _ of Array.from({ length: 22 })) await throttle.reserve(person)
  let priority: Priority = 'warm-up'
  let isSent = false
  const call = throttle.reserve(() => priority).then(() => (isSent = true))
  await clock.advance(20_000)
  expect(isSent).toBe(false)
  priority = 'person'
  await clock.advance(5_000)
  expect(isSent).toBe(true)
  await call
})

test('what is given back can be taken again', async () => {
  const { throttle, hasRoom } = throttleOf(1, 5000)
  const reservation = await throttle.reserve(person)
  expect(await hasRoom('person')).toBe(false)
  await reservation.release()
  expect(await hasRoom('person')).toBe(true)
})

test('a project that is shared waits exactly as long as the service says, and not all at once after', async () => {
  const { clock, throttle, hasRoom } = throttleOf(30, 5000)
  await throttle.reserve(person)
  await throttle.correct(40_000)
  await clock.advance(39_999)
  expect(await hasRoom('person')).toBe(false)
  await clock.advance(1)
  expect(await hasRoom('person')).toBe(true)
  expect(await hasRoom('scheduled')).toBe(false)
  expect((await throttle.used()).day.used).toBe(24)
})

test('a wait of more than a minute is for the day, whose calls others have used up', async () => {
  const { clock, throttle, hasRoom } = throttleOf(30, 5000)
  await throttle.reserve(person)
  await throttle.correct(60 * minuteMs)
  expect((await throttle.used()).day).toEqual({ used: 4750, max: 5000 })
  await clock.advance(60 * minuteMs - 1)
  expect(await hasRoom('person')).toBe(false)
  await clock.advance(1)
  expect(await hasRoom('person')).toBe(true)
})

test('being told twice to wait counts the missing calls once', async () => {
  const { throttle } = throttleOf(30, 5000)
  await throttle.correct(40_000)
  await throttle.correct(40_000)
  expect((await throttle.used()).day.used).toBe(24)
})

test('waiting ends with its signal', async () => {
  const stop = new AbortController()
  const { throttle, clock } = throttleOf(1, 100, stop.signal)
  await throttle.reserve(person)
  const outcome = throttle.reserve(person).catch((error: unknown) => error)
  await clock.advance(0)
  const stopped = new Error('stopped')
  stop.abort(stopped)
  expect(await outcome).toBe(stopped)
})

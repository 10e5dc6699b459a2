import { expect, test } from 'vitest'
import { dayMs, minuteMs } from '../../src/clock.ts'
import type { UpstreamResponse } from '../../src/upstream/connection.ts'
import { createThrottle, throttledConnection, type Priority } from '../../src/upstream/throttle.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'
import { busiest, createFakeClock } from '../support/fake-clock.ts'
import { openTestWindow } from '../support/store.ts'

/** Maximum delay between reserving a call and its arrival. */
const marginMs = 10_000
const person = () => 'person' as const

function throttleOf(callsPerMinute: number, callsPerDay: number, signal?: AbortSignal) {
  const clock = createFakeClock()
  const window = openTestWindow(clock.now)
  const options = { callsPerMinute, callsPerDay, window, clock }
  const throttle = createThrottle(signal ? { ...options, signal } : options)
  /** Returns true if a call can be reserved without waiting. */
  async function hasRoom(priority: Priority): Promise<boolean> {
    const stop = new AbortController()
    const trying = createThrottle({ ...options, signal: stop.signal })
    const reserving = trying
      .reserve(() => priority)
      .then((reservation) => reservation.release())
      .then(() => true)
      .catch(() => false)
    await clock.advance(0)
    stop.abort()
    return reserving
  }
  return { clock, throttle, window, hasRoom }
}

test('delays a call that exceeds the minute limit until the oldest call has left the window, even if that call was delayed', async () => {
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

test('sends at most 80 percent of the limit in any minute under any load', async () => {
  const { clock, throttle } = throttleOf(30, 1000)
  const sentAt: number[] = []
  for (let second = 0; second < 300; second += 1) {
    void throttle.reserve(person).then(
      () => sentAt.push(clock.now()),
      () => undefined,
    )
    await clock.advance(1000)
  }
  expect(busiest(sentAt, minuteMs + marginMs)).toBe(24)
  expect(sentAt.length).toBeGreaterThanOrEqual(96)
})

test('sends at most 95 percent of the daily limit', async () => {
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

test('holds back more of the budget from less urgent calls', async () => {
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

test('sends a waiting call as soon as a user waits for it', async () => {
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

test('reuses released calls', async () => {
  const { throttle, hasRoom } = throttleOf(1, 5000)
  const reservation = await throttle.reserve(person)
  expect(await hasRoom('person')).toBe(false)
  await reservation.release()
  expect(await hasRoom('person')).toBe(true)
})

test('waits exactly as long as the service requests if a project is shared, and then frees calls gradually', async () => {
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

test('pauses for one window of the minute limit if the service requests a longer wait', async () => {
  const { clock, throttle, hasRoom } = throttleOf(30, 5000)
  await throttle.correct(5 * minuteMs)
  expect((await throttle.used()).day.used).toBe(24)
  await clock.advance(minuteMs + marginMs - 1)
  expect(await hasRoom('person')).toBe(false)
  await clock.advance(1)
  expect(await hasRoom('person')).toBe(true)
})

test('concludes from a long wait that other programs have used up the daily limit', async () => {
  const { clock, throttle, hasRoom } = throttleOf(30, 5000)
  await throttle.reserve(person)
  await throttle.correct(60 * minuteMs)
  expect((await throttle.used()).day).toEqual({ used: 4750, max: 5000 })
  await clock.advance(60 * minuteMs - 1)
  expect(await hasRoom('person')).toBe(false)
  await clock.advance(1)
  expect(await hasRoom('person')).toBe(true)
})

test('counts missing calls only once if there are two rate-limit responses', async () => {
  const { throttle } = throttleOf(30, 5000)
  await throttle.correct(40_000)
  await throttle.correct(40_000)
  expect((await throttle.used()).day.used).toBe(24)
})

test('stops waiting when the call is aborted', async () => {
  const stop = new AbortController()
  const { throttle, clock } = throttleOf(1, 100, stop.signal)
  await throttle.reserve(person)
  const outcome = throttle.reserve(person).catch((error: unknown) => error)
  await clock.advance(0)
  const stopped = new Error('stopped')
  stop.abort(stopped)
  expect(await outcome).toBe(stopped)
})

async function usedAfter(answering: () => Promise<UpstreamResponse>, admit?: () => Promise<void>) {
  const { throttle } = throttleOf(30, 5000)
  const connection = throttledConnection({ request: answering }, throttle)
  const call = { method: 'GET', path: '/apps/api/news/', token: 't' } as const
  await connection.request(call, person, admit).catch(() => undefined)
  return (await throttle.used()).day.used
}

const answer = (status: number, body: unknown) => async (): Promise<UpstreamResponse> => ({
  status,
  body,
  retryAfterMs: 40_000,
})
const failed = (kind: UpstreamErrorKind) => () => Promise.reject(new UpstreamError(kind, 'x'))

test('releases a call that is rejected right before it is sent', async () => {
  let sent = 0
  const send = async () => {
    sent += 1
    return answer(200, {})()
  }
  expect(await usedAfter(send, failed('budget_spent'))).toBe(0)
  expect(sent).toBe(0)
})

test.for([
  // These were never sent, but the next two may have arrived.
  { name: 'unreachable', respond: failed('unreachable'), used: 0 },
  { name: 'tls', respond: failed('tls'), used: 0 },
  { name: 'interrupted', respond: failed('interrupted'), used: 1 },
  { name: 'timeout', respond: failed('timeout'), used: 1 },
  { name: 'rate_limited', respond: answer(429, { code: 'rate_limited' }), used: 24 },
  { name: 'a 429 without a code', respond: answer(429, undefined), used: 24 },
  { name: 'too_many_failures', respond: answer(429, { code: 'too_many_failures' }), used: 1 },
  { name: 'server_error', respond: answer(500, { code: 'server_error' }), used: 1 },
])('counts $used calls as used after $name', async ({ respond, used }) => {
  expect(await usedAfter(respond)).toBe(used)
})

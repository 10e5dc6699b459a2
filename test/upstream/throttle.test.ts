import { expect, test } from 'vitest'
import { createThrottle } from '../../src/upstream/throttle.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How much later than reserved a call may arrive. */
const marginMs = 10_000

function throttleOf(callsPerMinute: number, callsPerDay: number) {
  const clock = createFakeClock()
  return { clock, throttle: createThrottle({ callsPerMinute, callsPerDay, clock }) }
}

test('a call over the minute waits until the oldest is a minute ago, wherever it was held up', async () => {
  const { clock, throttle } = throttleOf(2, 100)
  const start = clock.now()
  const sentAt: number[] = []
  const calls = [1, 2, 3].map(async () => {
    await throttle.reserve()
    sentAt.push(clock.now() - start)
  })
  await clock.advance(minuteMs + marginMs)
  await Promise.all(calls)
  expect(sentAt).toEqual([0, 0, minuteMs + marginMs])
})

test('never more than its calls in any minute, however many ask', async () => {
  const { clock, throttle } = throttleOf(5, 100)
  const sentAt: number[] = []
  for (let second = 0; second < 300; second += 1) {
    void throttle.reserve().then(
      () => sentAt.push(clock.now()),
      () => undefined,
    )
    await clock.advance(1000)
  }
  const busiest = sentAt.map(
    (at) => sentAt.filter((other) => other >= at && other < at + minuteMs + marginMs).length,
  )
  expect(Math.max(...busiest)).toBe(5)
  expect(sentAt.length).toBeGreaterThanOrEqual(20)
})

test('a call over the day is refused with the time to wait', async () => {
  const { clock, throttle } = throttleOf(30, 3)
  for (const _ of [1, 2, 3]) await throttle.reserve()
  await clock.advance(minuteMs)
  await expect(throttle.reserve()).rejects.toMatchObject({
    kind: 'budget_spent',
    retryAfterMs: dayMs + marginMs - minuteMs,
  })
  await clock.advance(dayMs + marginMs - minuteMs)
  await expect(throttle.reserve()).resolves.toBeUndefined()
})

test('a pause that the service asks for holds every call', async () => {
  const { clock, throttle } = throttleOf(30, 100)
  throttle.pauseFor(180_000)
  await expect(throttle.reserve()).rejects.toMatchObject({ kind: 'budget_spent' })
  await clock.advance(90_000)
  const waiting = throttle.reserve()
  await clock.advance(90_000)
  await expect(waiting).resolves.toBeUndefined()
})

test('waiting ends with its signal', async () => {
  const clock = createFakeClock()
  const stop = new AbortController()
  const throttle = createThrottle({
    callsPerMinute: 1,
    callsPerDay: 100,
    clock,
    signal: stop.signal,
  })
  await throttle.reserve()
  const waiting = throttle.reserve()
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})

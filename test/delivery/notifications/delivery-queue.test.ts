import { expect, test } from 'vitest'
import {
  afterAttempt,
  dueItems,
  enqueued,
  reviewed,
  type DeliveryQueue,
} from '../../../src/delivery/notifications/delivery-queue.ts'

const minuteMs = 60_000
const maxAgeMs = 60 * minuteMs
const once = { count: 1, now: 0, gapMs: 0 }
const queueOf = (...items: readonly string[]) =>
  enqueued<string>(undefined, items, { now: 0, max: 100, maxAgeMs })
const itemsIn = ({ entries }: DeliveryQueue<string>) => entries.map(({ item }) => item)

test('sends the oldest messages first, and waits between two attempts', () => {
  const queue = queueOf('a', 'b', 'c')
  expect(dueItems(queue, { now: 0, max: 2 })).toEqual(['a', 'b'])
  const next = afterAttempt(queue, { ok: true }, { count: 2, now: 0, gapMs: minuteMs })
  expect(dueItems(next, { now: minuteMs - 1, max: 2 })).toEqual([])
  expect(dueItems(next, { now: minuteMs, max: 2 })).toEqual(['c'])
})

test('retries at growing intervals, or as late as the receiver asks', () => {
  const failed = { ok: false, reason: 'status 500', isPermanent: false } as const
  let queue = queueOf('a')
  const waits = Array.from({ length: 9 }, () => {
    queue = afterAttempt(queue, failed, once)
    return queue.nextAt / minuteMs
  })
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 50, 50, 50])
  expect(itemsIn(queue)).toEqual(['a'])
  const asked = afterAttempt(queueOf('a'), { ...failed, retryAfterMs: 7_200_000 }, once)
  expect(asked.nextAt).toBe(7_200_000)
})

test('drops a message that the receiver rejects three times, and keeps the others', () => {
  const rejected = { ok: false, reason: 'status 400', isPermanent: true } as const
  let queue = queueOf('a', 'b')
  for (let time = 0; time < 3; time += 1) {
    expect(itemsIn(queue)).toEqual(['a', 'b'])
    queue = afterAttempt(queue, rejected, once)
  }
  expect(itemsIn(queue)).toEqual(['b'])
})

test('drops the oldest messages beyond its size, and messages that are too old', () => {
  const queue = enqueued<string>(queueOf('a', 'b'), ['c'], { now: 5, max: 2, maxAgeMs })
  expect(itemsIn(queue)).toEqual(['b', 'c'])
  expect(itemsIn(enqueued(queue, [], { now: 10, max: 2, maxAgeMs: 10 }))).toEqual(['c'])
})

test('drops withdrawn messages, sets others aside, and repeats only the rest of a message', () => {
  const attempted = { ...queueOf('a', 'b', 'c', 'd'), attempted: 2, failures: 1 }
  const { queue, aside, withdrawn } = reviewed(attempted, (item) => {
    if (item === 'a') return 'withdrawn'
    return item === 'c' ? 'unknown' : { item: item.toUpperCase() }
  })
  expect(queue).toMatchObject({ attempted: 1, failures: 1 })
  expect([itemsIn(queue), aside.map(({ item }) => item), withdrawn]).toEqual([['B', 'D'], ['c'], 1])
  expect(reviewed(attempted, () => 'withdrawn').queue.attempted).toBeUndefined()
})

test('replaces an equal message that waits for its first attempt', () => {
  const attempted = { ...queueOf('a', 'b', 'c'), attempted: 1 }
  const queue = enqueued<string>(attempted, ['b', 'a'], { now: 5, max: 100, maxAgeMs })
  expect(itemsIn(queue)).toEqual(['a', 'c', 'b', 'a'])
})

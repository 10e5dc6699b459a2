import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  beforeRenderings,
  createRenderQueue,
  maxPostponedMs,
  yieldToRequests,
} from '../../src/representations/render-queue.ts'
import { createFakeClock } from '../support/fake-clock.ts'

test('starts one rendering at a time, and renderings with waiters first', async () => {
  const started: string[] = []
  let isAwaited = false
  const background = ['a', 'b', 'c'].map((name) =>
    yieldToRequests(() => false).then(() => started.push(name)),
  )
  const later = yieldToRequests(() => isAwaited).then(() => started.push('awaited'))
  await setImmediate()
  expect(started).toEqual(['a'])
  // A client requests the last one in the meantime.
  isAwaited = true
  await Promise.all([...background, later])
  expect(started).toEqual(['a', 'awaited', 'b', 'c'])
})

test('postpones renderings without waiters while a site starts, but not those with waiters', async () => {
  const started: string[] = []
  const starting = Promise.withResolvers<string>()
  let isAwaited = false
  const site = beforeRenderings(() => starting.promise)
  const background = yieldToRequests(() => false).then(() => started.push('background'))
  await yieldToRequests(() => true)
  // Its client only comes once it is postponed.
  const requested = yieldToRequests(() => isAwaited).then(() => started.push('requested'))
  await setImmediate()
  isAwaited = true
  await requested
  expect(started).toEqual(['requested'])
  starting.resolve('site')
  expect(await site).toBe('site')
  await background
  expect(started).toEqual(['requested', 'background'])
})

test('renders after a start that fails, and while one hangs', async () => {
  await expect(beforeRenderings(() => Promise.reject(new Error('no store')))).rejects.toThrow(
    'no store',
  )
  await yieldToRequests(() => false)
  const clock = createFakeClock()
  let isRendered = false
  void beforeRenderings(() => new Promise(() => undefined), clock)
  const rendered = yieldToRequests(() => false).then(() => (isRendered = true))
  await clock.advance(maxPostponedMs - 1)
  await yieldToRequests(() => true)
  expect(isRendered).toBe(false)
  await clock.advance(1)
  await rendered
})

test('does not postpone a rendering that a disposed queue waits for', async () => {
  const starting = Promise.withResolvers<void>()
  const site = beforeRenderings(() => starting.promise, createFakeClock())
  const queue = createRenderQueue()
  const { done } = queue.add(yieldToRequests)
  await queue[Symbol.asyncDispose]()
  await expect(done).resolves.toBeUndefined()
  starting.resolve()
  await site
})

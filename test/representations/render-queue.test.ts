import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  beforeRenderings,
  createRenderQueue,
  maxPostponedMs,
  yieldToRequests,
} from '../../src/representations/render-queue.ts'

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

test('renders after a start that fails', async () => {
  const failing = beforeRenderings(() => Promise.reject(new Error('no store')))
  await expect(failing).rejects.toThrow('no store')
  await expect(yieldToRequests(() => false)).resolves.toBeUndefined()
})

test('renders after a minute even if sites continue to start', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [first, second] = starts.map(({ promise }) => beforeRenderings(() => promise))
  let isRendered = false
  const rendered = yieldToRequests(() => false).then(() => (isRendered = true))
  vi.advanceTimersByTime(maxPostponedMs - 1)
  starts[0]?.resolve()
  await first
  await yieldToRequests(() => true)
  expect(isRendered).toBe(false)
  vi.advanceTimersByTime(1)
  await rendered
  starts[1]?.resolve()
  await second
})

test('does not postpone a rendering that a disposed queue waits for', async () => {
  const starting = Promise.withResolvers<void>()
  const site = beforeRenderings(() => starting.promise)
  const queue = createRenderQueue()
  const { done } = queue.add(yieldToRequests)
  await queue[Symbol.asyncDispose]()
  await expect(done).resolves.toBeUndefined()
  starting.resolve()
  await site
})

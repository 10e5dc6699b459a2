import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { yieldToRequests } from '../../src/representations/render-queue.ts'

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

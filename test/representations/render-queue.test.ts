import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  beforeRenderings,
  createRenderQueue,
  maxPostponedMs,
  startInTurn,
  unawaitedMs,
  yieldToRequests,
} from '../../src/representations/render-queue.ts'

const nobody = new Set<string>()
const somebody = new Set(['203.0.113'])

test('starts one rendering at a time, and renderings with waiters first', async () => {
  const started: string[] = []
  const clients = new Set<string>()
  const background = ['a', 'b', 'c'].map((name) =>
    yieldToRequests(nobody).then(() => started.push(name)),
  )
  const later = yieldToRequests(clients).then(() => started.push('awaited'))
  await setImmediate()
  expect(started).toEqual(['a'])
  // A client requests the last one in the meantime.
  clients.add('203.0.113')
  await Promise.all([...background, later])
  expect(started).toEqual(['a', 'awaited', 'b', 'c'])
})

test('lets networks take turns', async () => {
  const started: string[] = []
  const wait = (network: string) =>
    yieldToRequests(new Set([network])).then(() => started.push(network))
  const many = Array.from({ length: 4 }, () => wait('192.0.2'))
  await setImmediate()
  await Promise.all([...many, wait('198.51.100'), wait('198.51.100')])
  const expected = ['192.0.2', '198.51.100', '192.0.2', '198.51.100', '192.0.2', '192.0.2']
  expect(started).toEqual(expected)
})

test('handles a request at once if none waits, and others later', async () => {
  await setImmediate()
  const started: string[] = []
  for (const network of ['192.0.2', '192.0.2', '198.51.100']) {
    startInTurn(network, () => started.push(network))
  }
  expect(started).toEqual(['192.0.2'])
  await yieldToRequests(nobody)
  expect(started).toEqual(['192.0.2', '198.51.100', '192.0.2'])
})

test('handles a request at once while only renderings are postponed', async () => {
  const starting = Promise.withResolvers<void>()
  const site = beforeRenderings(() => starting.promise)
  const background = yieldToRequests(nobody)
  await setImmediate()
  let isStarted = false
  startInTurn('192.0.2', () => (isStarted = true))
  expect(isStarted).toBe(true)
  starting.resolve()
  await Promise.all([site, background])
})

test('lets the networks of clients that wait for feeds take turns', async () => {
  await using queue = createRenderQueue()
  const started: string[] = []
  const add = (name: string, network: string) => {
    const { done, prioritize } = queue.add(async (waiters) => {
      await yieldToRequests(waiters)
      started.push(name)
    })
    prioritize(network)
    return done
  }
  const many = ['a', 'b', 'c'].map((name) => add(name, '192.0.3'))
  await Promise.all([...many, add('other', '198.51.101')])
  expect(started).toEqual(['a', 'other', 'b', 'c'])
})

test('starts a rendering without waiters every second, however many others there are', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await yieldToRequests(nobody)
  const started: string[] = []
  const background = yieldToRequests(nobody).then(() => started.push('background'))
  const request = async (): Promise<void> => {
    await yieldToRequests(somebody)
    const count = started.push('request')
    if (count === 2) vi.advanceTimersByTime(unawaitedMs)
    if (count < 4) return request()
  }
  await Promise.all([background, request()])
  expect(started).toEqual(['request', 'request', 'background', 'request'])
})

test('postpones renderings without waiters while a site starts, but not those with waiters', async () => {
  const started: string[] = []
  const starting = Promise.withResolvers<string>()
  const clients = new Set<string>()
  const site = beforeRenderings(() => starting.promise)
  const background = yieldToRequests(nobody).then(() => started.push('background'))
  await yieldToRequests(somebody)
  // Its client only comes once it is postponed.
  const requested = yieldToRequests(clients).then(() => started.push('requested'))
  await setImmediate()
  clients.add('203.0.113')
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
  await expect(yieldToRequests(nobody)).resolves.toBeUndefined()
})

test('renders after a minute even if sites continue to start', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [first, second] = starts.map(({ promise }) => beforeRenderings(() => promise))
  let isRendered = false
  const rendered = yieldToRequests(nobody).then(() => (isRendered = true))
  vi.advanceTimersByTime(maxPostponedMs - 1)
  starts[0]?.resolve()
  await first
  await yieldToRequests(somebody)
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

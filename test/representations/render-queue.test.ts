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

/** Returns a function that advances the time of the queue. */
function stoppedTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}

test('lets networks take turns', async () => {
  const pass = stoppedTime()
  const started: string[] = []
  const wait = (network: string) =>
    yieldToRequests(new Set([network])).then(() => {
      pass(10)
      return started.push(network)
    })
  const many = Array.from({ length: 4 }, () => wait('10.41.0'))
  await setImmediate()
  await Promise.all([...many, wait('10.42.0'), wait('10.42.0')])
  const expected = ['10.41.0', '10.42.0', '10.41.0', '10.42.0', '10.41.0', '10.41.0']
  expect(started).toEqual(expected)
})

test('gives a network that has used little time all the turns it needs first', async () => {
  const pass = stoppedTime()
  const started: string[] = []
  const request = async (network: string, turns: number, ms: number) => {
    for (let left = turns; left > 0; left -= 1) {
      await yieldToRequests(new Set([network]))
      started.push(network)
      pass(ms)
    }
  }
  const others = Array.from({ length: 30 }, (_, index) => `10.${index}.0`)
  const busy = others.map((network) => request(network, 10, 20))
  while (started.length < 100) await setImmediate()
  const before = started.length
  // Another turn is in progress.
  await request('10.43.0', 3, 5)
  expect(started.slice(before, before + 4).filter((each) => each === '10.43.0')).toHaveLength(3)
  await Promise.all(busy)
})

test('handles a request at once if none waits, and others later', async () => {
  const pass = stoppedTime()
  await setImmediate()
  const started: string[] = []
  for (const network of ['10.44.0', '10.44.0', '10.45.0']) {
    startInTurn(network, () => {
      started.push(network)
      pass(10)
    })
  }
  expect(started).toEqual(['10.44.0'])
  await yieldToRequests(nobody)
  expect(started).toEqual(['10.44.0', '10.45.0', '10.44.0'])
})

test('handles a request at once while only renderings are postponed', async () => {
  const starting = Promise.withResolvers<void>()
  const site = beforeRenderings(() => starting.promise)
  const background = yieldToRequests(nobody)
  await setImmediate()
  let isStarted = false
  startInTurn('10.41.0', () => (isStarted = true))
  expect(isStarted).toBe(true)
  starting.resolve()
  await Promise.all([site, background])
})

test('lets the networks of clients that wait for feeds take turns', async () => {
  const pass = stoppedTime()
  await using queue = createRenderQueue()
  const started: string[] = []
  const add = (name: string, network: string) => {
    const { done, prioritize } = queue.add(async (waiters) => {
      await yieldToRequests(waiters)
      started.push(name)
      pass(10)
    })
    prioritize(network)
    return done
  }
  const many = ['a', 'b', 'c'].map((name) => add(name, '10.46.0'))
  await Promise.all([...many, add('other', '10.47.0')])
  expect(started).toEqual(['a', 'other', 'b', 'c'])
})

test('gives a feed the priority of a network whose own feed waits for it', async () => {
  const pass = stoppedTime()
  await using queue = createRenderQueue()
  const started: string[] = []
  const add = (name: string, network: string) => {
    const { done, prioritize } = queue.add(async (waiters) => {
      for (const part of [1, 2]) {
        await yieldToRequests(waiters)
        started.push(`${name} ${part}`)
        pass(100)
      }
    })
    prioritize(network)
    return done
  }
  const visitor = new Set(['10.49.0'])
  await yieldToRequests(visitor)
  pass(50)
  const slow = add('slow', '10.48.0')
  await setImmediate()
  const page = yieldToRequests(visitor).then(() => started.push('page'))
  const quick = add('quick', '10.50.0')
  await Promise.all([slow, page, quick])
  expect(started).toEqual(['slow 1', 'slow 2', 'quick 1', 'page', 'quick 2'])
})

test('starts a rendering without waiters every second, however many others there are', async () => {
  const pass = stoppedTime()
  await yieldToRequests(nobody)
  const started: string[] = []
  const background = yieldToRequests(nobody).then(() => started.push('background'))
  const request = async (): Promise<void> => {
    await yieldToRequests(somebody)
    const count = started.push('request')
    if (count === 2) pass(unawaitedMs)
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
  const pass = stoppedTime()
  const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [first, second] = starts.map(({ promise }) => beforeRenderings(() => promise))
  let isRendered = false
  const rendered = yieldToRequests(nobody).then(() => (isRendered = true))
  pass(maxPostponedMs - 1)
  starts[0]?.resolve()
  await first
  await yieldToRequests(somebody)
  expect(isRendered).toBe(false)
  pass(1)
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

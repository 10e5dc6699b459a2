import { EventEmitter } from 'node:events'
import type { Response } from 'express'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  accountPlaces,
  accountRequests,
  createAnswerLimits,
  createAnswerMemory,
  mapInTurns,
  resourcesPerTurn,
} from '../../../src/features/dav/answer-limits.ts'
import { TooManyRequests } from '../../../src/web/errors.ts'
import { RenderingBusy, yieldToRequests } from '../../../src/representations/render-queue.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startDavService } from './account.ts'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(await startDavService())

/** Returns a property whose name is five times as long in responses. */
const property = (length: number) => `<x xmlns="urn:${'&amp;'.repeat(length)}"/>`

describe('requested properties that would be repeated for each entry', () => {
  test.for([
    ['PROPFIND', 'propfind'],
    ['REPORT', 'sync-collection'],
  ] as const)('are refused if a response to %s would be long', async ([method, name]) => {
    const { send, calendars } = await service.addAccount({ profile: 'full' })
    const ask = (length: number) =>
      send(
        method,
        `${calendars}calendar-3/`,
        `<${name} xmlns="DAV:"><sync-token/><prop>${property(length)}</prop></${name}>`,
        { Depth: '1' },
      )
    const { status, responses, text } = await ask(100)
    expect(status).toBe(207)
    expect(responses.length).toBeGreaterThan(100)
    expect(text.length).toBeGreaterThan(responses.length * 500)
    const refused = await ask(5_900)
    expect(refused.status).toBe(507)
    expect(refused.text).toContain('<D:number-of-matches-within-limits/>')
  })
})

const responseOf = (ip = '192.0.2.1') =>
  Object.assign(new EventEmitter(), { req: { ip } }) as Response

test('limits the requests of a feed link, but not those of others', async () => {
  const clock = createFakeClock()
  const limits = createAnswerLimits(clock)
  const ask = (link: string) => {
    const response = responseOf()
    return limits.inTurn(link, response, () => void response.emit('close'))
  }
  for (let count = 0; count < accountRequests.burst; count += 1) await ask('one')
  const tooMany = { refusal: 'too many account requests', retryAfterMs: accountRequests.oneMoreMs }
  await expect(ask('one')).rejects.toMatchObject(tooMany)
  await ask('other')
  await clock.advance(accountRequests.oneMoreMs)
  await ask('one')
})

test('answers a few requests of a feed link at a time, until each has been sent', async () => {
  const limits = createAnswerLimits(createFakeClock())
  const { maxActive, maxWaiting } = accountPlaces
  const started: Response[] = []
  function ask(link = 'one'): Promise<void> {
    const response = responseOf()
    return limits.inTurn(link, response, () => void started.push(response))
  }
  const asked = Array.from({ length: maxActive + maxWaiting }, () => ask())
  await expect(ask()).rejects.toBeInstanceOf(TooManyRequests)
  expect(started).toHaveLength(maxActive)
  const other = ask('other')
  await Promise.resolve()
  expect(started).toHaveLength(maxActive + 1)
  // Each answer that has been sent lets the next request begin.
  for (const response of started) {
    response.emit('close')
    await new Promise(setImmediate)
  }
  await Promise.all([...asked, other])
  expect(started).toHaveLength(maxActive + maxWaiting + 1)
})

test('shares memory, so that some of it is left for others', () => {
  const memory = createAnswerMemory(100)
  expect(memory.reserve('one', 200)).toBeDefined()
  expect(memory.reserve('other', 1)).toBeUndefined()
  const shared = createAnswerMemory(100)
  const first = shared.reserve('one', 40)
  expect(shared.reserve('one', 40)).toBeUndefined()
  expect(shared.reserve('other', 60)).toBeDefined()
  first?.resize(0)
  expect(shared.reserve('third', 40)).toBeDefined()
})

test('frees memory once an answer has been sent', async () => {
  const limits = createAnswerLimits(createFakeClock(), createAnswerMemory(1024 * 1024))
  const answer = { status: 207, body: 'x' }
  const render = (link: string, resources: number, response = responseOf()) =>
    limits.render(link, response, resources, async () => answer)
  const response = responseOf()
  const rendered = render('one', 1_000, response)
  await expect(render('other', 1)).rejects.toBeInstanceOf(RenderingBusy)
  expect(await rendered).toBe(answer)
  // Its length is known now.
  await render('other', 1)
  response.emit('close')
  await render('one', 200)
})

test('keeps no memory for a client that disconnects before its answer is rendered', async () => {
  const limits = createAnswerLimits(createFakeClock(), createAnswerMemory(1024 * 1024))
  const [waiting, rendering] = [responseOf(), responseOf()]
  const answers: string[] = []
  const leaving = async (response: Response) => {
    response.emit('close')
    answers.push('rendered')
    return { status: 207, body: 'x'.repeat(1024 * 1024) }
  }
  const both = [
    limits.render('one', rendering, 10, () => leaving(rendering)),
    limits.render('one', waiting, 10, () => leaving(waiting)),
  ]
  waiting.emit('close')
  await Promise.all(both)
  expect(answers).toEqual(['rendered'])
  await limits.render('one', responseOf(), 200, async () => ({ status: 207, body: '' }))
})

/** Returns a function that advances the time that networks use, which all tests share. */
function stoppedTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}

test('renders an answer even if other networks send many requests', async () => {
  const pass = stoppedTime()
  const limits = createAnswerLimits(createFakeClock())
  let isRendered = false
  let count = 0
  const requests = async (): Promise<void> => {
    await yieldToRequests(new Set(['10.63.0']))
    count += 1
    pass(10)
    if (!isRendered && count < 100) return requests()
  }
  const others = requests()
  await limits.render('one', responseOf('10.61.0.1'), 1, async () => {
    isRendered = true
    return { status: 207, body: '' }
  })
  await others
  expect(count).toBeLessThan(5)
})

test('renders an answer before those of a network that has used a lot of time', async () => {
  const pass = stoppedTime()
  const limits = createAnswerLimits(createFakeClock())
  const started: string[] = []
  const answer = (name: string, ip: string) =>
    limits.render(name, responseOf(ip), 1, async () => {
      started.push(name)
      return { status: 207, body: '' }
    })
  const page = async (network: string, ms: number) => {
    await yieldToRequests(new Set([network]))
    started.push('page')
    pass(ms)
  }
  await page('10.62.0', 1_000)
  await page('10.63.0', 100)
  started.length = 0
  const pages = [page('10.63.0', 10), page('10.63.0', 10)]
  const heavy = [answer('first', '10.62.0.1'), answer('second', '10.62.0.1')]
  await Promise.all([...pages, ...heavy, answer('quick', '10.61.0.1')])
  expect(started).toEqual(['first', 'quick', 'page', 'page', 'second'])
})

test('renders one answer at a time, and handles requests in between', async () => {
  const limits = createAnswerLimits(createFakeClock())
  const events: string[] = []
  const parts = Array.from({ length: 2 * resourcesPerTurn }, (_, at) => at)
  const answer = (name: string) =>
    limits.render('one', responseOf(), parts.length, async () => {
      await mapInTurns(parts, (at) => at % resourcesPerTurn === 0 && events.push(name))
      return { status: 207, body: '' }
    })
  const answers = Promise.all([answer('first'), answer('second')])
  let isDone = false
  void answers.then(() => (isDone = true))
  // Like a request that arrives at any time.
  const handle = () => {
    if (isDone) return
    if (events.at(-1) !== 'request') events.push('request')
    setImmediate(handle)
  }
  setImmediate(handle)
  await answers
  const inTurns = ['first', 'request', 'first', 'request', 'second', 'request', 'second']
  expect(events.slice(events.indexOf('first'), 1 + events.lastIndexOf('second'))).toEqual(inTurns)
})

import { afterAll, expect, test } from 'vitest'
import { fewRecords } from '../support/few-records.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { gateServer } from '../support/local-server.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { startTestService } from '../support/service.ts'
import { waitFor, waitUntil } from '../support/wait-for.ts'

const service = await startTestService({
  sandbox: fewRecords,
  publicFeedIds: ['events', 'news'],
  openServer: openFrontedServer,
})
afterAll(() => service[Symbol.asyncDispose]())

const ask = (target: string, headers: Record<string, string> = {}) =>
  exchange(service.url, requestText(target, { headers }))

const answered = () =>
  service.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'answered')

/** Number of responses of Express in the log. */
const logged = () => answered().filter((line) => 'id' in line).length

const sampled = () => answered().filter((line) => 'oneOf' in line)

test('logs each Express response with its request id', async () => {
  await service.clock.advance(1000)
  const { headers } = await ask('/news/999?token=secret', { 'User-Agent': 'curl/8.5.0' })
  const line = await waitUntil(() => answered().find(({ id }) => id === headers['x-request-id']))
  const request = { method: 'GET', route: '/news/:id', client: 'script' }
  expect(line).toMatchObject({ ...request, level: 'info', status: 410, ms: 0 })
  // An id or a time can contain any digits.
  expect(JSON.stringify({ ...line, id: '', time: '' })).not.toMatch(/secret|999/)
})

test('logs changes of readiness, and successful health checks only at the level debug', async () => {
  const gate = await gateServer()
  const website = { url: gate.siteUrl }
  const idle = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'], website })
  const get = async (path: string) => {
    await (await fetch(`${idle.url}${path}`)).text()
    await idle.clock.advance(1000)
  }
  const before = ['/readyz', '/readyz', '/livez']
  const after = ['/events.ics', '/readyz', '/readyz', '/metrics']
  for (const path of before) await get(path)
  gate.passOnTo(Number(new URL(idle.sandbox.url).port))
  await waitFor(async () => expect(await idle.status()).toMatchObject({ ok: true }))
  for (const path of after) await get(path)
  await idle[Symbol.asyncDispose]()
  const logged = idle.lines.map((line) => JSON.parse(line))
  const levels = logged.flatMap(({ msg, route, status, level }) =>
    msg === 'answered' ? [`${route} ${status} ${level}`] : [],
  )
  const outcomes = ['503 info', '503 info', '200 debug', '200 info', ...Array(3).fill('200 debug')]
  expect(levels).toEqual([...before, ...after].map((path, index) => `${path} ${outcomes[index]}`))
  const changes = logged.filter(({ msg }) => /^(?:not )?ready$/.test(msg))
  const texts = changes.map(({ msg, waitingFor }) => `${msg}: ${waitingFor.join()}`)
  expect(texts).toEqual(['not ready: events', 'ready: '])
})

test('logs one in a thousand responses from the hot path', async () => {
  await ask('/events.ics')
  // The front reports uses together, and the first one is logged.
  await waitFor(() => expect(sampled()).not.toEqual([]))
  await service.clock.advance(1000)
  const before = sampled().length
  const pipelined = 'GET /events.ics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(9)
  // A few of the responses may come from the worker, if the machine is busy.
  for (let connection = 0; connection < 110; connection += 1) {
    await exchange(service.url, `${pipelined}${requestText('/events.ics')}`)
  }
  await waitFor(() => expect(sampled()).toHaveLength(before + 1))
  expect(sampled().at(-1)).toMatchObject({ route: '/events.ics', status: 200, oneOf: 1000 })
})

test('limits log lines during a flood of requests', async () => {
  await service.clock.advance(1000)
  const before = logged()
  await Promise.all(Array.from({ length: 60 }, () => ask('/nothing')))
  expect(logged() - before).toBe(20)
  await service.clock.advance(1000)
  await ask('/nothing')
  await waitFor(() => expect(answered().at(-1)).toMatchObject({ unlogged: 40 }))
})

test('logs neither the user agent nor the IP address of clients', async () => {
  await service.clock.advance(1000)
  const userAgent = 'Dana’s phone'.replace('’', "'")
  await ask('/events.ics?n=3', { 'User-Agent': userAgent })
  const text = service.lines.join('')
  expect(text).not.toContain(userAgent)
  expect(answered().flatMap((line) => Object.values(line))).not.toContain('127.0.0.1')
})

import { afterAll, expect, test } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import { plainTargets } from '../../../src/representations/target.ts'
import { fewRecords } from '../../support/few-records.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

const { combinedFeeds, feeds } = standardCatalog
const combined = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
const targets = plainTargets(
  feeds.filter(({ isNamedOnly }) => !isNamedOnly),
  combined,
  'public',
)

const service = await startTestService({ sandbox: fewRecords })
afterAll(() => service[Symbol.asyncDispose]())

function ask(target: string, headers: Record<string, string> = {}, method = 'GET') {
  return exchange(service.url, requestText(target, { headers, method }))
}

/** Returns the values of all metrics by name and labels. */
async function metrics(): Promise<ReadonlyMap<string, number>> {
  const { body } = await ask('/metrics')
  const values = body.toString().matchAll(/^(?!#)(.+) (\S+)$/gm)
  return new Map([...values].map(([, name = '', value]) => [name, Number(value)]))
}

/** Returns the ages of feeds and collections. */
const ages = async () => [...(await metrics()).keys()].filter((name) => name.includes('_age_'))

await waitUntil(async () => (await ages()).length === targets.length + 6)
await ask('/events.ics')

const keptBytes = (all: ReadonlyMap<string, number>) =>
  all.get('feedhouse_representations_kept_bytes') ?? 0

const labels = (status: number, route = '/events.ics') =>
  `feedhouse_http_requests_total{route="${route}",status="${status}",client="Android calendar"}`

test('serves metrics in Prometheus format and prevents caching them', async () => {
  const { status, headers, body } = await ask('/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(body.toString()).toMatch(/^# HELP feedhouse_http_requests_total .+$/m)
  expect(body.toString()).toMatch(
    /^process_cpu_seconds_total [^]*^nodejs_eventloop_lag_p99_seconds /m,
  )
})

test('measures the delay of the event loop before each of several scrapes at once', async () => {
  for (const { body } of await Promise.all([1, 2, 3].map(() => ask('/metrics')))) {
    expect(body.toString()).toMatch(/^nodejs_eventloop_lag_mean_seconds 0\.\d+$/m)
    expect(body.toString()).not.toMatch(/^nodejs_eventloop_lag_\S* (?:Nan|9\d{8})/m)
  }
})

test('renders metrics once for concurrent requests', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('/metrics')))
  expect(new Set(all.map(({ body }) => String(body))).size).toBeLessThan(20)
})

test('counts responses from the hot path and Express by route, status and client', async () => {
  const agent = { 'User-Agent': 'ICSx5/2.2.4' }
  const { headers } = await ask('/events.ics')
  for (let time = 0; time < 3; time += 1) await ask('/events.ics', agent)
  await ask('/events.ics?n=1', agent)
  await ask('/events.ics', { ...agent, 'If-None-Match': headers['etag'] ?? '' })
  await ask('/events.ics?alarm=x', agent)
  await ask('/events/1', agent)
  await ask('/wp-login.php', agent)
  await ask('/events.ics', agent, 'POST')
  const counted = await metrics()
  expect([200, 304, 400].map((status) => counted.get(labels(status)))).toEqual([4, 1, 1])
  const routes = [...counted.keys()].filter((name) => name.includes('client="Android calendar"'))
  const unknown = [404, 405].map((status) => labels(status, 'none'))
  const expected = [...[200, 304, 400].map((status) => labels(status)), ...unknown]
  expect(new Set(routes)).toEqual(new Set([...expected, labels(410, '/events/:id')]))
})

test('includes the size and age of every feed, and the number of cached representations', async () => {
  const { body } = await ask('/rental.ics')
  const compressed = await ask('/rental.ics', { 'Accept-Encoding': 'gzip' })
  await service.clock.advance(1000)
  const before = await metrics()
  const size = (encoding: string) =>
    before.get(
      `feedhouse_representation_bytes{feed="rental",format="ics",profile="public",encoding="${encoding}"}`,
    )
  expect([size('identity'), size('gzip')]).toEqual([body.length, compressed.body.length])
  const age = 'feedhouse_representation_age_seconds{feed="news",format="rss",profile="public"}'
  expect(before.get(age)).toBeLessThan(60)
  const kept = before.get('feedhouse_representations_kept') ?? 0
  expect(kept).toBeGreaterThanOrEqual(13)
  await ask('/rental.ics?alarm=5')
  const after = await metrics()
  expect(after.get('feedhouse_representations_kept')).toBe(kept + 1)
  expect(keptBytes(after)).toBeGreaterThan(keptBytes(before))
})

test('includes the age of collections, and the number of API calls', async () => {
  const before = await metrics()
  await service.clock.advance(30_000)
  const after = await metrics()
  const age = 'feedhouse_collection_age_seconds{collection="events"}'
  expect((after.get(age) ?? 0) - (before.get(age) ?? 0)).toBe(30)
  // The service may still be reading the website, so the numbers can differ for a moment.
  await waitFor(async () => {
    const counted = await metrics()
    const { budget } = await service.status()
    const left = (window: string) => counted.get(`feedhouse_budget_left_calls{window="${window}"}`)
    expect(left('minute')).toBe(30 - budget.minute.used)
    expect(left('day')).toBe(5000 - budget.day.used)
    expect(counted.get('feedhouse_upstream_calls_total{code="ok"}')).toBe(budget.day.used)
  })
})

test('counts each 429 response for too many option variants only once', async () => {
  await using limited = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  const variant = (alarm: number) =>
    exchange(limited.url, requestText(`/events.ics?alarm=${alarm}`))
  const answers = await Promise.all(Array.from({ length: 31 }, (_, alarm) => variant(alarm + 1)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(1)
  expect(refused[0]?.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
  expect(refused[0]?.body.toString()).toMatch(/^Too many different feeds .*\.\n$/)
  // Requests for cached feeds and for feeds without options are not limited.
  const made = answers.findIndex(({ status }) => status === 200)
  const again = requestText(`/events.ics?alarm=${made + 1}&n=1`)
  expect((await exchange(limited.url, again)).status).toBe(200)
  expect((await exchange(limited.url, requestText('/events.ics?n=2'))).status).toBe(200)
  const told = () => limited.lines.filter((line) => line.includes('too many variants'))
  await waitFor(() => expect(told()).toHaveLength(1))
  expect(JSON.parse(told()[0] ?? '')).toMatchObject({ address: '127.0.0.1', msg: 'refused' })
  await limited.clock.advance(2000)
  expect((await variant(40)).status).toBe(200)
})

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import {
  exitSentences,
  overviewsOf,
  reportsOf,
  type OtherWorkerReports,
} from '../../../src/features/monitoring/worker-reports.ts'
import type { SiteFigures } from '../../../src/features/monitoring/metrics.ts'
import {
  createServerPages,
  type HostedSite,
  type ServerPages,
} from '../../../src/features/monitoring/server-pages.ts'
import { startHost } from '../../support/host.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { testDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const calls = (client: 'Google' | 'Outlook', status: number, count: number) =>
  ({ route: '/events.ics', client, status, count }) as const

const feed = (format: 'ics' | 'rss', madeAt: number) =>
  ({
    target: { feed: { id: 'events' }, format, profile: 'public' },
    madeAt,
    representation: { encodings: { gzip: Buffer.alloc(40), identity: Buffer.alloc(100) } },
  }) as unknown as SiteFigures['representations']['pinned'][number]

const figures: SiteFigures = {
  requests: [calls('Google', 200, 2), calls('Outlook', 200, 3), calls('Outlook', 304, 5)],
  rejections: { report: () => undefined, counts: () => new Map() },
  calls: new Map([['ok', 7]]),
  representations: { count: 9, bytes: 900, pinned: [feed('ics', 40_000), feed('rss', 60_000)] },
  ok: true,
  collections: [],
  budget: { minute: { used: 1, max: 30 }, day: { used: 10, max: 5000 } },
  zoneRules: { release: '2026c', systemRelease: null },
  now: 100_000,
}

const siteOf = (name: string): HostedSite => ({
  name,
  publicUrl: `https://${name}.example`,
  status: async () => ({ ok: true, state: 'ok' as const, sentences: [`${name} is fine.`] }),
  metrics: async () => figures,
})

function pagesOf(
  sites: readonly HostedSite[],
  otherWorkers: readonly OtherWorkerReports[] = [],
  more: Partial<Parameters<typeof createServerPages>[0]> = {},
  /** All sites, in the order of the file. */
  names = sites.map(({ name }) => name),
): ServerPages {
  return createServerPages({
    sites: () => sites,
    otherWorkers: () => otherWorkers,
    otherHosts: () => [],
    titles: () => new Map(names.map((name) => [name, `${name} FD`])),
    faults: () => [],
    rejections: figures.rejections,
    frontFigures: () => undefined,
    isStopping: () => false,
    ...more,
  })
}

const milbrook = { name: 'milbrook', publicUrl: 'https://milbrook.example' }

/** Starts a worker with a listener for reports, and returns the first worker's view of it. */
async function otherWorker(listener?: RequestListener) {
  const socketPath = join(testDirectory(), 'worker')
  if (listener) {
    const server = createServer(listener).listen(socketPath)
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
  }
  return { index: 1, socketPath, sites: [milbrook] }
}

/** Serves the pages of the first worker, and returns a function that requests them. */
async function askerOf({ listener }: ServerPages) {
  const url = await startHttpServer(listener)
  return async (path: string) => (await fetch(`${url}${path}`)).text()
}

/** Requests the pages of a worker with one or more sites, beside a worker with another site. */
async function twoWorkers(sites = ['ashton'], names = sites) {
  const worker = await otherWorker(pagesOf([siteOf('milbrook')]).reports)
  return askerOf(pagesOf(sites.map(siteOf), [reportsOf(worker)], {}, names))
}

test('the first worker lists the sites of all workers in the order of the file', async () => {
  const names = ['ashton', 'milbrook', 'cedar']
  const ask = await twoWorkers(['ashton', 'cedar'], names)
  const { ok, sites } = JSON.parse(await ask('/status'))
  const expected = names.map((name) => {
    const { publicUrl } = siteOf(name)
    const sentences = [`${name} is fine.`]
    return { name, title: `${name} FD`, publicUrl, ok: true, state: 'ok', sentences }
  })
  expect([ok, sites]).toEqual([true, expected])
})

test('the first worker does not wait for the end of a host’s response', async () => {
  const { url, serve } = await startHost(['key'])
  serve((_request, response) => void response.write('['))
  const [overview] = await overviewsOf({ url, keys: ['key'], sites: [milbrook] }, 100)
  expect(overview).toMatchObject({ residentBytes: null, sites: [{ name: 'milbrook', ok: false }] })
})

const reported = { ...milbrook, ok: true, state: 'ok', sentences: ['Good.'], readAt: null }
const reporting = (site: object, count = 1) => [
  { residentBytes: 1, sites: Array.from({ length: count }, () => ({ ...reported, ...site })) },
]

test.for<[string, unknown, boolean]>([
  ['of all sites', reporting({}, 2_000), true],
  ['of more sites than a file may have', reporting({}, 2_001), false],
  [
    'of more workers than a host may have',
    Array.from({ length: 65 }, () => reporting({})).flat(),
    false,
  ],
  ['without sites', [{}], false],
  ['without workers', {}, false],
  ['with an unknown state', reporting({ state: 'odd' }), false],
  ['with a script as URL', reporting({ publicUrl: 'javascript://a.example/%0aalert(1)' }), false],
  ['that is too long', reporting({ sentences: ['x'.repeat(9_000_000)] }), false],
])('only uses the valid reports of other hosts: one %s', async ([, report, isUsed]) => {
  const { url, serve } = await startHost(['key'])
  serve((_request, response) => void response.end(JSON.stringify(report)))
  const host = { url, keys: ['key'], sites: [milbrook] }
  const otherHosts = () => [overviewsOf(host)]
  const ask = await askerOf(pagesOf([], [], { ownHost: 'own', otherHosts }, ['milbrook']))
  const { sites } = JSON.parse(await ask('/status'))
  expect(sites).toMatchObject([{ name: 'milbrook', ok: isUsed }])
  const sentence = isUsed ? 'Good.' : 'its status report cannot be used'
  expect(sites[0].sentences.join()).toContain(sentence)
})

test('the first worker lists each site of all hosts once, also while it moves, and the sites of each host', async () => {
  const reports = pagesOf([siteOf('milbrook'), siteOf('ashton')]).reports
  const { url, serve } = await startHost(['key'])
  serve(reports)
  const names = ['ashton', 'milbrook', 'cedar']
  const overviewWith = (key: string) => overviewsOf({ url, keys: [key], sites: [milbrook] })
  const ownHost = '10.0.0.5:8080'
  const statusWith = async (key: string) => {
    const otherHosts = () => [overviewWith(key)]
    const ask = await askerOf(pagesOf([siteOf('ashton')], [], { ownHost, otherHosts }, names))
    return JSON.parse(await ask('/status'))
  }
  const listed = async (key: string) => (await statusWith(key)).sites
  const missing = { name: 'cedar', ok: null, state: 'starting', publicUrl: null }
  expect(await listed('key')).toMatchObject([
    { name: 'ashton', ok: true },
    { name: 'milbrook', ok: true, title: 'milbrook FD' },
    missing,
  ])
  const sentences = [expect.stringContaining(`does not respond at ${url}. If it has failed`)]
  expect(await listed('wrong')).toMatchObject([
    { name: 'ashton', ok: true },
    { name: 'milbrook', ok: false, sentences },
    missing,
  ])
  const { host } = new URL(url)
  expect((await overviewWith('key'))[0]).toMatchObject({ host })
  const own = { host: ownHost, sites: ['ashton'] }
  expect((await statusWith('key')).hosts).toEqual([own, { host, sites: ['ashton', 'milbrook'] }])
  expect((await statusWith('wrong')).hosts).toEqual([own, { host, sites: ['milbrook'] }])
})

test.for([
  { states: ['ok', 'starting'], ok: null, state: 'starting' },
  { states: ['starting', 'failing'], ok: false, state: 'failing' },
] as const)('a fleet of sites that are $states is $state', async ({ states, ok, state }) => {
  const sites = states.map((each, index) => ({
    ...siteOf(`site${index}`),
    status: async () => ({ ok: null, state: each, sentences: [] }),
  }))
  const ask = await askerOf(pagesOf(sites))
  expect(JSON.parse(await ask('/status'))).toMatchObject({ ok, state })
})

test('the first worker adds the metrics of the other workers, with labels', async () => {
  const ask = await twoWorkers()
  const text = await ask('/metrics')
  const name = 'feedhouse_upstream_calls_total'
  expect(text).toMatch(
    new RegExp(`^${name}{code="ok",site="ashton"} 7\\n${name}{code="ok",site="milbrook"} 7$`, 'm'),
  )
  expect(text.match(new RegExp(`^# TYPE ${name} counter$`, 'gm'))).toHaveLength(1)
  expect(text).toMatch(
    /^process_resident_memory_bytes \d+\nprocess_resident_memory_bytes\{worker="1"\} \d+$/m,
  )
  expect(text).toMatch(/^process_start_time_seconds \d+$/m)
  expect(text.match(/^# TYPE process_resident_memory_bytes/gm)).toHaveLength(1)
})

test('summarizes the feeds and requests of each site', async () => {
  const ask = await twoWorkers()
  const lines = (await ask('/metrics')).split('\n')
  expect(lines.filter((line) => line.includes('site="milbrook"'))).toEqual([
    'feedhouse_site_ok{site="milbrook"} 1',
    'feedhouse_http_requests_total{status="200",site="milbrook"} 5',
    'feedhouse_http_requests_total{status="304",site="milbrook"} 5',
    'feedhouse_representation_bytes{site="milbrook"} 280',
    'feedhouse_representation_age_seconds{site="milbrook"} 60',
    'feedhouse_representations_kept{site="milbrook"} 9',
    'feedhouse_representations_kept_bytes{site="milbrook"} 900',
    'feedhouse_upstream_calls_total{code="ok",site="milbrook"} 7',
    'feedhouse_budget_left_calls{window="minute",site="milbrook"} 29',
    'feedhouse_budget_left_calls{window="day",site="milbrook"} 4990',
    'feedhouse_zone_rules{release="2026c",system="",site="milbrook"} 1',
  ])
})

test.for(['ashton', 'milbrook'])('returns all metrics of %s, on any worker', async (name) => {
  const ask = await twoWorkers()
  const text = await ask(`/metrics?site=${name}`)
  const labels = `route="/events.ics",client="Outlook",status="304",site="${name}"`
  expect(text).toContain(`feedhouse_http_requests_total{${labels}} 5\n`)
  expect(text.match(/^feedhouse_representation_bytes{.+} (40|100)$/gm)).toHaveLength(4)
  expect(text).not.toContain('process_')
  expect(await ask('/metrics?site=dover')).toContain('No site')
})

test('renders the metrics of a site once for concurrent requests', async () => {
  let rendered = 0
  const metrics = async () => ((rendered += 1), figures)
  const ask = await askerOf(pagesOf([{ ...siteOf('ashton'), metrics }]))
  await Promise.all(Array.from({ length: 20 }, () => ask('/metrics?site=ashton')))
  expect(rendered).toBeLessThan(20)
})

test('summarizes 2,000 sites within a second of processor time', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `site-${index}`)
  const ask = await askerOf(pagesOf(names.map(siteOf)))
  const before = process.threadCpuUsage()
  const text = await ask('/metrics')
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000)
  expect(text).toContain('feedhouse_upstream_calls_total{code="ok",site="site-1999"} 7')
})

const hangs: RequestListener = () => undefined
const fails: RequestListener = (_request, response) => void response.writeHead(500).end()

test.for([
  { name: 'is not running', sentence: /process that reads this website is not running/ },
  { name: 'hangs', listener: hangs, sentence: /could not be determined in time/ },
  { name: 'fails', listener: fails, sentence: /could not be determined in time/ },
])(
  'lists the sites of a worker that $name, without its metrics',
  async ({ listener, sentence }) => {
    const timeoutMs = listener === hangs ? 50 : undefined
    const reports = reportsOf(await otherWorker(listener), false, timeoutMs)
    const sentences = [expect.stringMatching(sentence)]
    const overview = { ...milbrook, ok: false, state: 'failing', sentences, readAt: null }
    expect(await reports.overview()).toEqual({ residentBytes: null, sites: [overview] })
    const ask = await askerOf(pagesOf([siteOf('ashton')], [reports]))
    expect(JSON.parse(await ask('/status'))).toMatchObject({ ok: false })
    const text = await ask('/metrics')
    expect(text).toContain('feedhouse_upstream_calls_total{code="ok",site="ashton"} 7')
    expect(text).not.toContain('worker=')
  },
)

test('shows the sites of a worker that is not listening yet as starting', async () => {
  const reports = reportsOf(await otherWorker(), true)
  expect((await reports.overview()).sites).toMatchObject([{ ok: null, state: 'starting' }])
  const failing = reportsOf(await otherWorker(fails), true)
  expect((await failing.overview()).sites).toMatchObject([{ ok: false, state: 'failing' }])
})

test('says for an hour that the worker has exited unexpectedly', () => {
  const hourMs = 60 * 60_000
  const exits = [0, 1000].map((at) => ({ at, reading: [] }))
  const countAt = (now: number) =>
    /unexpectedly (.*?) in the/.exec(exitSentences(exits, now).join(''))?.[1]
  expect([hourMs - 1, hourMs, hourMs + 1000].map(countAt)).toEqual(['2 times', 'once', undefined])
})

test('explains why a changed sites file is not used', async () => {
  const pages = pagesOf([], [], {
    faults: () => ['The changed sites file is not used: sites.json is not valid JSON.'],
  })
  const ask = await askerOf(pages)
  expect(JSON.parse(await ask('/status'))).toMatchObject({
    ok: false,
    state: 'failing',
    sentences: ['The changed sites file is not used: sites.json is not valid JSON.'],
  })
})

test('lets requests run between the sites of a status', async () => {
  const order: string[] = []
  const site = (name: string) => ({
    ...siteOf(name),
    async status() {
      order.push(name)
      // Runs before the next site, like a request that arrives now.
      setImmediate(() => order.push('request'))
      return { ok: true, state: 'ok' as const, sentences: [] }
    },
  })
  const { listener } = pagesOf([site('ashton'), site('burwick')])
  await supertest(listener).get('/status').expect(200)
  expect(order.slice(0, 3)).toEqual(['ashton', 'request', 'burwick'])
})

test('sends the previous status while a site takes long to report its own', async () => {
  const { promise: never } = Promise.withResolvers<undefined>()
  let calls = 0
  const status: HostedSite['status'] = async () =>
    (calls += 1) === 1 ? { ok: true, state: 'ok', sentences: [] } : never
  const { listener } = pagesOf([{ ...siteOf('ashton'), status }])
  await waitFor(async () => {
    const { body } = await supertest(listener).get('/status')
    expect(calls).toBe(2)
    expect(body).toMatchObject({ ok: true, sites: [{ name: 'ashton', ok: true }] })
  })
})

const readTimes = async (sites: readonly HostedSite[]) =>
  (await pagesOf(sites).overview()).sites.map(({ readAt }) => readAt)

test('shows when a site was last read, in whatever order its collections are listed', async () => {
  const times = ['2026-03-05T14:00:00Z', '2026-03-05T15:00:00Z', null, '2026-03-04T16:00:00Z']
  const collections = times.map((fetchedAt) => ({ fetchedAt }))
  const ashton = siteOf('ashton')
  const status = async () => ({ ...(await ashton.status()), collections }) as never
  expect(await readTimes([{ ...ashton, status }, siteOf('milbrook')])).toEqual([
    '2026-03-05T15:00:00Z',
    null,
  ])
})

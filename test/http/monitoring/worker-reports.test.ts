import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Counter, Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import {
  exitSentences,
  reportsOf,
  type OtherWorkerReports,
} from '../../../src/http/monitoring/worker-reports.ts'
import {
  createServerPages,
  type HostedSite,
  type ServerPages,
} from '../../../src/http/monitoring/server-pages.ts'
import { temporaryDirectory } from '../../support/service.ts'

const calls = new Registry()
new Counter({ name: 'calls', help: 'Calls.', registers: [calls] }).inc()

const siteOf = (name: string): HostedSite => ({
  name,
  publicUrl: `https://${name}.example`,
  status: async () => ({ ok: true, state: 'ok' as const, sentences: [`${name} is fine.`] }),
  metrics: () => calls.getMetricsAsJSON(),
})

function pagesOf(
  sites: readonly HostedSite[],
  otherWorkers: readonly OtherWorkerReports[] = [],
  faults: readonly string[] = [],
): ServerPages {
  return createServerPages({
    sites: () => sites,
    otherWorkers: () => otherWorkers,
    titles: () => new Map(['ashton', 'milbrook', 'cedar'].map((name) => [name, `${name} FD`])),
    faults: () => faults,
    rejections: { report: () => undefined, counts: () => new Map() },
    frontFigures: () => undefined,
    isStopping: () => false,
  })
}

/** Starts a worker with a listener for reports, and returns what the first worker knows about it. */
async function otherWorker(listener?: RequestListener) {
  const directory = temporaryDirectory()
  const socketPath = join(directory.path, 'worker')
  onTestFinished(() => directory[Symbol.dispose]())
  if (listener) {
    const server = createServer(listener).listen(socketPath)
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
  }
  return {
    index: 1,
    socketPath,
    sites: [{ name: 'milbrook', publicUrl: 'https://milbrook.example' }],
  }
}

/** Serves the pages of the first worker, and returns a function that requests them. */
async function askerOf({ listener }: ServerPages) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
}

test('the first worker lists the sites of all workers in the order of the file', async () => {
  const worker = await otherWorker(pagesOf([siteOf('milbrook')]).reports)
  const ask = await askerOf(pagesOf([siteOf('ashton'), siteOf('cedar')], [reportsOf(worker)]))
  const { ok, sites } = JSON.parse(await ask('/status'))
  expect([ok, sites]).toEqual([
    true,
    ['ashton', 'milbrook', 'cedar'].map((name) => ({
      name,
      title: `${name} FD`,
      publicUrl: `https://${name}.example`,
      ok: true,
      state: 'ok',
      sentences: [`${name} is fine.`],
    })),
  ])
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
  const worker = await otherWorker(pagesOf([siteOf('milbrook')]).reports)
  const ask = await askerOf(pagesOf([siteOf('ashton')], [reportsOf(worker)]))
  const text = await ask('/metrics')
  expect(text).toMatch(/^calls\{site="ashton"\} 1\ncalls\{site="milbrook"\} 1$/m)
  expect(text).toMatch(
    /^process_resident_memory_bytes \d+\nprocess_resident_memory_bytes\{maker="1"\} \d+$/m,
  )
  expect(text).toMatch(/^process_start_time_seconds \d+$/m)
  expect(text.match(/^# TYPE process_resident_memory_bytes/gm)).toHaveLength(1)
})

const hangs: RequestListener = () => undefined
const fails: RequestListener = (_request, response) => void response.writeHead(500).end()

test.for([
  { name: 'is not running', sentence: /process that reads this website is not running/ },
  { name: 'hangs', listener: hangs, sentence: /could not be determined in time/ },
  { name: 'fails', listener: fails, sentence: /could not be determined in time/ },
])('lists the sites of a worker that $name', async ({ listener, sentence }) => {
  const timeoutMs = listener === hangs ? 50 : undefined
  const reports = reportsOf(await otherWorker(listener), false, timeoutMs)
  const overview = {
    name: 'milbrook',
    publicUrl: 'https://milbrook.example',
    ok: false,
    state: 'failing',
    sentences: [expect.stringMatching(sentence)],
    readAt: null,
  }
  expect(await reports.overview()).toEqual({ residentBytes: null, sites: [overview] })
  const ask = await askerOf(pagesOf([siteOf('ashton')], [reports]))
  expect(JSON.parse(await ask('/status'))).toMatchObject({ ok: false })
})

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

test('omits the metrics of a worker that is not running', async () => {
  const ask = await askerOf(pagesOf([siteOf('ashton')], [reportsOf(await otherWorker())]))
  const text = await ask('/metrics')
  expect(text).toContain('calls{site="ashton"} 1')
  expect(text).not.toContain('maker=')
})

test('says why a changed sites file is not used', async () => {
  const ask = await askerOf(pagesOf([siteOf('ashton')], [], ['sites.json is not valid JSON.']))
  expect(JSON.parse(await ask('/status'))).toMatchObject({
    ok: false,
    state: 'failing',
    sentences: ['The changed sites file is not used: sites.json is not valid JSON.'],
  })
})

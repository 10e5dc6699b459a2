/*
 * Measures the worker's CPU time for searches on pages, and the memory that many searches use.
 *
 *   npm run bench -- search [--events 10000] [--stories 3000] [--runs 200] [--queries 20000]
 *
 * The first search prepares the texts that all later ones compare. Meanwhile, the benchmark sends
 * other requests to the worker, one after another. The CPU time that the worker uses until it has
 * answered one of them shows how long it was blocked. CPU times are those of the worker's main
 * thread. To measure memory, every query is different and comes from another client, half of them
 * for calendars and feeds, half for /search. Before them, requests without a search warm up both
 * processes. Memory includes garbage.
 */
import { parseArgs } from 'node:util'
import { datasetEvents } from './running/dataset.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  childrenOf,
  cpuUs,
  mainThreadUs,
  requireLinux,
  residentMib,
} from './running/process-figures.ts'
import { fetchResponse } from './running/response.ts'
import { startService } from './running/service.ts'
import { printFigure, printTarget } from './steady/figure.ts'

requireLinux()

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    stories: { type: 'string', default: '3000' },
    runs: { type: 'string', default: '200' },
    queries: { type: 'string', default: '20000' },
  },
})
const numberFrom = (text: string) => Number.parseInt(text, 10) || 0
const [events, stories] = [numberFrom(values.events), numberFrom(values.stories)]
const [runs, queries] = [numberFrom(values.runs), numberFrom(values.queries)]

const targets = {
  block: { max: 30, unit: 'ms' },
  cpu: { max: 20, unit: 'ms' },
  memory: { max: 30, unit: 'MiB' },
}

const searches = [
  'barbecue',
  'flames',
  'blood drive',
  '"open house" -cpr',
  'chimney hurt',
  'nowhere to be found',
  'engine crew station',
  'e',
]

/** A worker that uses less than this in a second is idle. */
const idleUs = 20_000

/** Requests sent at the same time. */
const concurrency = 4

/** Requests without a search before the memory of searches is measured. */
const plainRequests = 12_000

const paragraph =
  '<p>Crews were called at 6:42 PM for <b>flames</b> showing from a <a href="/map">chimney</a>; nobody was hurt.</p>'

const news = Array.from({ length: stories }, (_, index) => ({
  id: index + 1,
  deployed: 1,
  date: `20${String(10 + (index % 16)).padStart(2, '0')}-03-01 10:00:00`,
  headline: `Fire &amp; rescue ${index}`,
  author: 'Jordan Reyes',
  text: `${paragraph.repeat(20)}<ul>${'<li>Engine &amp; crew</li>'.repeat(20)}</ul>`,
  categoryId: 1 + (index % 4),
  category: 'Incidents',
}))

let clients = 0
/** Each request comes from another client, because searches are limited. */
function ask(path: string) {
  clients += 1
  const address = [10, clients >> 16, (clients >> 8) & 255, clients & 255].join('.')
  return fetchResponse(`${service.url}/${path}`, { 'X-Forwarded-For': address })
}

await using service = await startService(datasetEvents(events), {
  settings: { PUBLIC_FEEDS: 'events,news', TRUST_PROXY: '1' },
  records: { news },
})
const [worker = service.pid] = childrenOf(service.pid)
while ((await ask('news?page=2')).status !== 200);
process.stdout.write(`${events} entries, ${stories} stories\n`)

/** Waits until the worker has read the website and compressed its feeds. */
async function becomeIdle(): Promise<void> {
  let before = -Infinity
  for (let now = cpuUs(worker); now - before > idleUs; now = cpuUs(worker)) {
    before = now
    await sleep(1_000)
  }
}

/** Returns the CPU time of the worker's main thread while something happens. */
async function cpuMsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = mainThreadUs(worker)
  await work()
  return (mainThreadUs(worker) - before) / 1000
}

function cpuMsOf(path: string): Promise<number> {
  return cpuMsDuring(async () => {
    const { status } = await ask(path)
    if (status !== 200) throw new Error(`${path} was answered with ${status}.`)
  })
}

function percentile(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(share * (figures.length - 1))] ?? Number.NaN
}

async function measureFirst(): Promise<void> {
  const waits: number[] = []
  while (waits.length < 50) waits.push(await cpuMsDuring(() => ask('nothing')))
  const usual = percentile(waits, 0.5)
  waits.length = 0
  const state = { isDone: false }
  const startedAt = performance.now()
  const first = cpuMsOf('search?q=barbecue').finally(() => (state.isDone = true))
  while (!state.isDone) waits.push(await cpuMsDuring(() => ask('nothing')))
  printFigure('first search, CPU', `${(await first).toFixed(0)} ms`)
  printFigure(
    'first search, until its response',
    `${(performance.now() - startedAt).toFixed(0)} ms`,
  )
  printFigure('CPU per other request, median', `${usual.toFixed(1)} ms`)
  printTarget(
    'CPU per other request during the first search, max',
    Math.max(...waits),
    targets.block,
  )
}

async function measureNext(page: string): Promise<void> {
  const figures: number[] = []
  const others: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const search = encodeURIComponent(searches[run % searches.length] ?? '')
    figures.push(await cpuMsOf(`${page}?q=${search}`))
  }
  while (others.length < runs) others.push(await cpuMsOf(`news?page=2&x=${others.length}`))
  printFigure('/news without a search, CPU, median', `${percentile(others, 0.5).toFixed(1)} ms`)
  printFigure(`/${page}, CPU per search, median`, `${percentile(figures, 0.5).toFixed(1)} ms`)
  printTarget(`/${page}, CPU per search, p95`, percentile(figures, 0.95), targets.cpu)
}

/** Requests these paths, several at a time. */
async function askAll(count: number, pathOf: (number: number) => string): Promise<void> {
  let sent = 0
  const send = async () => {
    while (sent < count) {
      sent += 1
      const { status } = await ask(pathOf(sent))
      if (status >= 500) throw new Error(`${pathOf(sent)} was answered with ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
}

async function measureMemory(): Promise<void> {
  const paths = ['search', 'events.ics', 'search', 'news.rss']
  await becomeIdle()
  // Any requests make both heaps grow at first, up to the limits of their young generations.
  await askAll(plainRequests, () => 'nothing')
  await becomeIdle()
  const before = residentMib(service.pid)
  const startedAt = performance.now()
  await askAll(queries, (number) => `${paths[number % paths.length]}?q=barbecue+${number}`)
  const growth = residentMib(service.pid) - before
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  printFigure('memory of both processes before', `${before.toFixed(0)} MiB`)
  printTarget(`growth after ${queries} different searches, ${seconds} s`, growth, targets.memory)
}

await becomeIdle()
await measureFirst()
await becomeIdle()
await measureNext('search')
await measureNext('news')
await measureMemory()

/*
 * Runs many sites in one deployment. Shows how many resources each site uses, and whether sites slow
 * each other down.
 *
 *   npm run bench -- sites [--sites 500] [--seconds 300] [--workers 1] [--fresh 120]
 *
 * Each site reads its own sandbox every `--fresh` seconds and has subscribers to 200 feeds, which poll
 * every 15 to 60 minutes. Measures memory, event loop delay, response time, and how evenly website
 * reads are spread over time. First measures the CPU time without subscribers. Then sends the first requests for as many addresses as the subscribers would
 * in the given number of seconds, and then the next requests for the same addresses. Runs with a tenth
 * of the sites first, and then with all of them. With 500 sites, this takes four times the given number
 * of seconds plus about 11 minutes. Linux only.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { machineText, thisMachine } from './running/machine.ts'
import { cpuUs, requireLinux, residentMib } from './running/process-figures.ts'
import { startSites } from './sites/start-sites.ts'
import { printFigure } from './steady/figure.ts'
import { fetchMetrics } from './steady/metrics.ts'

const formats = ['events.ics', 'calendar.ics', 'news.rss', 'rental.ics', 'announcements.json']

/**
 * Beyond this number, requests wait for each other. Feedhouse accepts up to 100 from a client at a
 * time.
 */
const connections = 64

/** Phones poll every 15 to 60 minutes, which averages out to this many polls per day. */
const pollsPerDay = 44
const feedsOfASite = 200
/** Time to read every website once and render its feeds. */
const warmUpMsOf = (sites: number) => (freshSeconds + 20 + sites / 5) * 1000

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '300' },
    workers: { type: 'string' },
    // The shortest interval that the daily API call limit allows for a site with the sample data.
    fresh: { type: 'string', default: '120' },
  },
})

type Stage = { readonly count: number; readonly residentMib: number }

requireLinux()
const most = Math.max(10, Number.parseInt(values.sites, 10) || 0)
const seconds = Math.max(10, Number.parseInt(values.seconds, 10) || 0)
const freshSeconds = Math.max(60, Number.parseInt(values.fresh, 10) || 0)
process.stdout.write(`${machineText(thisMachine({}))}\n`)
const few = await measure(Math.ceil(most / 10))
const many = await measure(most)
const perSite = (many.residentMib - few.residentMib) / (many.count - few.count)
process.stdout.write('\n')
printFigure('resident memory per additional site', `${perSite.toFixed(2)} MiB`)

async function measure(count: number): Promise<Stage> {
  process.stdout.write(`\n${count} sites\n`)
  await using sites = await startSites(count, freshSeconds, values.workers)
  const { service, url } = sites
  printFigure('listening after', `${sites.listeningAfterMs.toFixed(0)} ms`)
  await sleep(warmUpMsOf(count))
  const before = await sites.calls()
  const cpuBefore = cpuUs(service.pid)
  await sleep(freshSeconds * 1000)
  const cpuMs = (cpuUs(service.pid) - cpuBefore) / 1000
  printFigure('CPU time per site and round of reads', `${(cpuMs / count).toFixed(0)} ms`)
  const tags = new Map<string, string>()
  for (const name of ['first requests', 'next requests']) {
    await fetchMetrics(url)
    const { times, failed } = await poll(url, count, tags)
    const metrics = await fetchMetrics(url)
    service.expectRunning()
    const delayMs = (metrics?.get('feedhouse_front_event_loop_delay_max_seconds') ?? NaN) * 1000
    printFigure(name, `${times.length}, failed ${failed}`)
    printFigure('  response time, median, p99', `${at(times, 0.5)} ms, ${at(times, 0.99)} ms`)
    printFigure('  longest event loop delay of the front', `${delayMs.toFixed(1)} ms`)
  }
  const calls = await sites.calls()
  const resident = residentMib(service.pid)
  printFigure('resident memory', `${resident.toFixed(0)} MiB`)
  printSpread(calls.slice(before.length))
  return { count, residentMib: resident }
}

/**
 * Requests each address once, or as many as the time allows, at a steady rate that equals the combined
 * rate of all subscribers of all sites. `tags` has the ETags by path. Returns the sorted response times.
 */
async function poll(url: string, count: number, tags: Map<string, string>) {
  const agent = new Agent({ connections })
  const napMs = 86_400_000 / (count * feedsOfASite * pollsPerDay)
  const times: number[] = []
  const asked: Promise<void>[] = []
  let failed = 0
  async function ask(path: string): Promise<void> {
    const tag = tags.get(path)
    const sentAt = performance.now()
    const { statusCode, headers, body } = await request(`${url}${path}`, {
      dispatcher: agent,
      headers: {
        host: 'feeds.example',
        'accept-encoding': 'gzip',
        ...(tag === undefined ? {} : { 'if-none-match': tag }),
      },
    })
    await body.dump()
    times.push(performance.now() - sentAt)
    if (statusCode !== 200 && statusCode !== 304) failed += 1
    tags.set(path, String(headers.etag))
  }
  const startedAt = performance.now()
  const addresses = Math.min(count * formats.length, Math.floor((seconds * 1000) / napMs))
  for (let number = 0; number < addresses; number += 1) {
    const site = (number % count) + 1
    const format = formats[Math.floor(number / count)]
    asked.push(ask(`/site-${site}/${format}`).catch(() => void (failed += 1)))
    await sleep(Math.max(0, startedAt + (number + 1) * napMs - performance.now()))
  }
  await Promise.all(asked)
  await agent.close()
  return { times: times.toSorted((a, b) => a - b), failed }
}

function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.floor((sorted.length - 1) * part)] ?? NaN).toFixed(1)
}

/**
 * Prints API calls per ten seconds rather than per second, because each website read starts with a
 * burst of calls.
 */
function printSpread(calls: readonly number[]): void {
  const stretches = Array.from({ length: Math.floor(calls.length / 10) }, (_, index) =>
    calls.slice(index * 10, index * 10 + 10).reduce((sum, each) => sum + each, 0),
  )
  const mean = stretches.reduce((sum, each) => sum + each, 0) / stretches.length
  const busiest = Math.max(...stretches)
  printFigure(
    'API calls per ten seconds',
    `mean ${mean.toFixed(0)}, max ${busiest}: ${(busiest / mean).toFixed(2)} x the mean`,
  )
}

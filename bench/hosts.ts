/*
 * Spreads many sites over several hosts, and kills one of them under load. Shows how evenly sites and memory
 * are spread, which requests fail, and how long it takes until every site has an owner again.
 *
 *   npm run bench -- hosts [--hosts 3] [--sites 300] [--fresh 600] [--requests 200]
 *
 * All hosts, a Redis server and the sandboxes run on this machine. Each host first answers a request for each
 * site, so that its cache has the feed. Then all but the first host get the given number of requests per second.
 * Linux only. Requires redis-server.
 */
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from 'redis'
import { Agent, request } from 'undici'
import { ownerMs } from '../src/store/redis/site-owners.ts'
import { startProcess } from './running/child-process.ts'
import { machineText, thisMachine } from './running/machine.ts'
import { childrenOf, proportionalMib, requireLinux } from './running/process-figures.ts'
import { command } from './running/service.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'
import { printFigure, printTarget } from './steady/figure.ts'
import { fetchMetrics } from './steady/metrics.ts'

const websites = join(import.meta.dirname, 'sites/websites.ts')
const startTimeoutMs = 10 * 60_000
const connections = 32
/** Collecting the metrics of a thousand sites takes a quarter of a second of processor time. */
const pollMs = 2_000
const claimPollMs = 250
const loadSeconds = 30
const targets = {
  spread: { max: 0.15, unit: 'of an equal share' },
  failed: { max: 0, unit: 'requests' },
  takeover: { max: 15, unit: 's' },
  calls: { max: 30, unit: 'calls' },
}

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '3' },
    sites: { type: 'string', default: '300' },
    fresh: { type: 'string', default: '600' },
    requests: { type: 'string', default: '200' },
  },
})

requireLinux()
const count = Number.parseInt(values.sites, 10)
process.stdout.write(`${machineText(thisMachine({}))}\n\n${values.hosts} hosts, ${count} sites\n`)

const cwd = temporaryDirectory()
await using website = startProcess(process.execPath, [websites, String(count), cwd, values.fresh], {
  cwd,
})
const [control = ''] = await website.waitForOutput(/^http:\S+$/m, startTimeoutMs)
const { settings, caFile } = await stateOf(control)
const redisPort = await freePort()
await using redis = startProcess('redis-server', ['--port', String(redisPort), '--save', ''], {
  cwd,
})
await redis.waitForOutput(/Ready to accept connections/)

const startedAt = performance.now()
const hosts = await Promise.all(Array.from({ length: Number(values.hosts) }, startHost))
await waitUntilRunning(hosts)
printFigure('all sites run after', secondsSince(startedAt))
await Promise.all(hosts.map(({ url }) => requestAll(url)))
printFigure('all hosts have answered for all sites after', secondsSince(startedAt))

const shares = await Promise.all(hosts.map(({ url }) => ownedBy(url)))
for (const [index, host] of hosts.entries()) {
  const [front = NaN, ...workers] = proportionalMib(host.process.pid)
  const memory = `${front.toFixed(0)} MiB front, ${workers.map((each) => each.toFixed(0)).join(' + ')} MiB workers`
  printFigure('  host', `${shares[index]} sites, ${memory}`)
}
const equal = count / hosts.length
printTarget(
  'spread',
  Math.max(...shares.map((share) => Math.abs(share / equal - 1))),
  targets.spread,
)

const [first, ...others] = hosts
if (!first || others.length === 0) throw new Error('At least two hosts are necessary.')
const loading = load(others.map(({ url }) => url))
await sleep(2_000)
for (const pid of [...childrenOf(first.process.pid), first.process.pid])
  process.kill(pid, 'SIGKILL')
const killedAt = performance.now()
// Until then, the killed host still counts as the owner.
await sleep(ownerMs)
await waitForOwners()
printTarget(
  'time until all sites have owners again',
  (performance.now() - killedAt) / 1000,
  targets.takeover,
)
await waitUntilRunning(others)
printFigure('all sites run again after', secondsSince(killedAt))
const { sent, failures, times } = await loading
printFigure('requests during and after the failure', String(sent))
printFigure('  response time, median, p99', `${at(times, 0.5)} ms, ${at(times, 0.99)} ms`)
printTarget('failed requests', failures.length, targets.failed)
for (const [reason, { length }] of Map.groupBy(failures, String))
  printFigure(`  ${reason}`, `${length}`)
printTarget(
  'most calls of a site in a minute',
  (await stateOf(control)).mostPerMinute,
  targets.calls,
)
for (const host of hosts) await host.process[Symbol.asyncDispose]()

async function startHost() {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'sites.json'), JSON.stringify(settings))
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const args = ['--max-semi-space-size=8', command, 'serve']
  const started = startProcess(process.execPath, args, {
    cwd: directory,
    env: {
      SITES_FILE: 'sites.json',
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      ADVERTISE_URL: url,
      PORT: port,
      LOG_LEVEL: 'error',
      NODE_EXTRA_CA_CERTS: caFile,
    },
  })
  await started.waitForOutput(/Stop with Ctrl/, startTimeoutMs)
  return { url, process: started }
}

/** Returns the number of sites that run on a host. A busy host may not respond at first. */
async function ownedBy(url: string): Promise<number> {
  for (;;) {
    const owned = (await fetchMetrics(url))?.get('feedhouse_owned_sites')
    if (owned !== undefined) return owned
    await sleep(pollMs)
  }
}

/** Waits until a live host has claimed each site in Redis. */
async function waitForOwners(): Promise<void> {
  const client = await createClient({ url: `redis://127.0.0.1:${redisPort}` }).connect()
  for (;;) {
    const claims = await client.mGet(await client.keys('feedhouse:*:owner'))
    const valid = claims.filter((claim) => Number(claim?.split(':')[0]) > Date.now())
    if (valid.length === count) break
    await sleep(claimPollMs)
  }
  client.destroy()
}

async function waitUntilRunning(running: readonly { readonly url: string }[]): Promise<void> {
  for (;;) {
    const owned = await Promise.all(running.map(({ url }) => ownedBy(url)))
    if (owned.reduce((sum, each) => sum + each, 0) === count) return
    await sleep(pollMs)
  }
}

/** Requests a feed from each site until it is available. */
async function requestAll(url: string): Promise<void> {
  const agent = new Agent({ connections })
  for (let site = 1; site <= count; site += 1) {
    while ((await ask(agent, url, site)) !== '200') await sleep(100)
  }
  await agent.close()
}

/** Returns the status, and the text of an error. */
async function ask(dispatcher: Agent, url: string, site: number): Promise<string> {
  const headers = { host: 'feeds.example', 'accept-encoding': 'gzip' }
  const path = `${url}/site-${site}/events.ics`
  const { statusCode, body } = await request(path, { dispatcher, headers })
  if (statusCode !== 200) return `${statusCode} ${(await body.text()).trim()}`
  await body.dump()
  return '200'
}

/** Requests feeds of all sites from hosts in turn, at a steady rate. */
async function load(urls: readonly string[]) {
  const agent = new Agent({ connections })
  const times: number[] = []
  const failures: string[] = []
  const napMs = 1000 / Number(values.requests)
  const begun = performance.now()
  const asked: Promise<void>[] = []
  async function measure(url: string, site: number): Promise<void> {
    const sentAt = performance.now()
    const answer = await ask(agent, url, site).catch(String)
    times.push(performance.now() - sentAt)
    if (answer !== '200') failures.push(answer)
  }
  for (let number = 0; number * napMs < loadSeconds * 1000; number += 1) {
    asked.push(measure(urls[number % urls.length] ?? '', (number % count) + 1))
    await sleep(Math.max(0, begun + (number + 1) * napMs - performance.now()))
  }
  await Promise.all(asked)
  await agent.close()
  return { sent: asked.length, failures, times: times.toSorted((a, b) => a - b) }
}

function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.floor((sorted.length - 1) * part)] ?? NaN).toFixed(1)
}

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}

async function stateOf(url: string) {
  const response = await fetch(url)
  return (await response.json()) as {
    readonly settings: object
    readonly caFile: string
    readonly mostPerMinute: number
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

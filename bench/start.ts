/*
 * Measures starts: the time from running the command of `npm start` to the first response with events,
 * with code that earlier starts have compiled. Measures these in turn:
 *
 *   first    starts without stored copies, which read the website first
 *   again    starts with the copies that the first one has stored
 *   node     starts of Node itself, twice, because the service has two processes
 *
 *   npm run bench -- start [--runs 6] [--other DIR]
 *
 * `--other` is a directory with another version of Feedhouse, which starts in turn with this version.
 * Prints the medians of processor time and elapsed time in milliseconds, and the ratio of both to
 * those of Node itself or of the other version. Linux only.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { workerAllocation } from '../src/hosting/front-process.ts'
import { startProcess } from './running/child-process.ts'
import { cpuUs, requireLinux } from './running/process-figures.ts'
import { quartilesFrom } from './running/quartiles.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'
import { startUnlimitedSandbox } from './running/unlimited-sandbox.ts'

const pollMs = 5

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '6' }, other: { type: 'string' } },
})
requireLinux()
const runs = Math.max(1, Number.parseInt(values.runs, 10) || 1)
const root = join(import.meta.dirname, '..')
const roots = [root, ...(values.other === undefined ? [] : [resolve(values.other)])]

const cwd = temporaryDirectory()
await using sandbox = await startUnlimitedSandbox(cwd)

type Cost = { readonly cpuMs: number; readonly ms: number }

async function startOf(version: string, isFirst: boolean): Promise<Cost> {
  const directory = join(cwd, String(roots.indexOf(version)))
  const data = join(directory, 'data')
  if (isFirst) rmSync(data, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const startedAt = performance.now()
  const args = ['--max-semi-space-size=8', join(version, 'bin/feedhouse'), 'serve']
  await using service = startProcess(process.execPath, args, {
    cwd: directory,
    env: {
      ...workerAllocation,
      ...sandbox.settings,
      SITE_TIME_ZONE: 'America/New_York',
      PUBLIC_FEEDS: 'events',
      DATA_DIR: data,
      PORT: '0',
      NODE_COMPILE_CACHE: join(directory, 'compile-cache'),
    },
  })
  const [, url] = await service.waitForOutput(/(http:\/\/\S+)\/$/m)
  while (!(await hasEvents(`${url}/events.ics`))) await sleep(pollMs)
  return { cpuMs: cpuUs(service.pid) / 1000, ms: performance.now() - startedAt }
}

async function hasEvents(url: string): Promise<boolean> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.ok
}

/** Returns the cost of two processes that run nothing. */
function startOfNode(): Cost {
  const report = `{const{user,system}=process.cpuUsage();process.stdout.write(String(user+system))}`
  const startedAt = performance.now()
  const one = () => Number(spawnSync(process.execPath, ['-e', report], { encoding: 'utf8' }).stdout)
  return { cpuMs: (one() + one()) / 1000, ms: performance.now() - startedAt }
}

function medianOf(costs: readonly Cost[]): Cost {
  return {
    cpuMs: quartilesFrom(costs.map(({ cpuMs }) => cpuMs)).median,
    ms: quartilesFrom(costs.map(({ ms }) => ms)).median,
  }
}

function show(name: string, { cpuMs, ms }: Cost, to: Cost): void {
  const ratios = `${(cpuMs / to.cpuMs).toFixed(2)}, ${(ms / to.ms).toFixed(2)}`
  process.stdout.write(`${name} ${cpuMs.toFixed(0)} ms CPU, ${ms.toFixed(0)} ms (${ratios})\n`)
}

// The first starts compile the code.
for (const version of roots) {
  await startOf(version, true)
  await startOf(version, false)
}
const nodeCosts: Cost[] = []
const costs = roots.map(() => ({ first: [] as Cost[], again: [] as Cost[] }))
for (let run = 0; run < runs; run += 1) {
  nodeCosts.push(startOfNode())
  for (const [index, version] of run % 2 ? [...roots.entries()].toReversed() : roots.entries()) {
    costs[index]?.first.push(await startOf(version, true))
    costs[index]?.again.push(await startOf(version, false))
  }
}
const node = medianOf(nodeCosts)
show('node ', node, node)
const [own, other] = costs
for (const kind of ['first', 'again'] as const) {
  const cost = medianOf(own?.[kind] ?? [])
  show(kind, cost, node)
  if (other) show(`${kind}, compared with the other version`, cost, medianOf(other[kind]))
}

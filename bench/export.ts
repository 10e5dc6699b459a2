/*
 * Compares repeated exports of an unchanged website with the first one. All feeds that can be public
 * are public.
 *
 *   npm run bench -- export [--runs 5] [--other DIR]
 *
 * `--other` is a directory with another version of Feedhouse, which exports the same website in turn
 * with this version. Prints the medians of processor time and elapsed time in milliseconds, and the
 * ratio of processor time to that of this version's first export or of the other version.
 */
import { mkdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { publishableFeeds } from '../src/feeds/catalog.ts'
import { quartilesFrom } from './running/quartiles.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'
import { startUnlimitedSandbox } from './running/unlimited-sandbox.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, other: { type: 'string' } },
})
const runs = Math.max(1, Number.parseInt(values.runs, 10) || 1)
const root = join(import.meta.dirname, '..')
const roots = [root, ...(values.other === undefined ? [] : [resolve(values.other)])]

const cwd = temporaryDirectory()
await using sandbox = await startUnlimitedSandbox(cwd)

type Cost = { readonly cpuMs: number; readonly ms: number }

/** Runs an export in a new process, which reports its own processor time. */
function exportOf(version: string): Cost {
  const directory = join(cwd, String(roots.indexOf(version)))
  mkdirSync(directory, { recursive: true })
  const startedAt = performance.now()
  const args = [join(version, 'bin/feedhouse'), 'export', '--out', 'out', '--json']
  const report = `--import=data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu:'+(user+system)+';')})`
  const { status, stderr } = spawnSync(process.execPath, [report, ...args], {
    cwd: directory,
    encoding: 'utf8',
    env: {
      ...sandbox.settings,
      SITE_TIME_ZONE: 'America/New_York',
      PUBLIC_URL: 'https://feeds.example.org',
      PUBLIC_FEEDS: publishableFeeds.map(({ id }) => id).join(','),
      NODE_COMPILE_CACHE: join(directory, 'compile-cache'),
    },
  })
  const ms = performance.now() - startedAt
  const [, cpuUs] = /cpu:(\d+);/.exec(stderr) ?? []
  if (status !== 0) throw new Error(stderr)
  return { cpuMs: Number(cpuUs) / 1000, ms }
}

const medianOf = (costs: readonly Cost[]) => ({
  cpuMs: quartilesFrom(costs.map(({ cpuMs }) => cpuMs)).median,
  ms: quartilesFrom(costs.map(({ ms }) => ms)).median,
})

function show(name: string, { cpuMs, ms }: Cost, to: Cost): void {
  const figures = [cpuMs, ms].map((each) => each.toFixed(0).padStart(7)).join('')
  process.stdout.write(`${name.padEnd(18)}${figures}  ${(cpuMs / to.cpuMs).toFixed(2)}\n`)
}

// The first run also compiles the code, which later runs reuse.
const first = roots.map(exportOf)
const costs = roots.map((): Cost[] => [])
for (let run = 0; run < runs; run += 1) {
  for (const [index, version] of roots.entries()) costs[index]?.push(exportOf(version))
}
const [own, other] = costs.map(medianOf)
if (!own || !first[0]) throw new Error('there are no runs')
show('first', first[0], first[0])
show('unchanged', own, other ?? first[0])
if (other) show('unchanged, other', other, other)

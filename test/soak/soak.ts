/*
 * Runs the service through eight simulated weeks of faults, and prints what subscribers would notice.
 * Exits with status 1 if there is something to print.
 *
 *   npm run soak -- [--seed 1] [--only SQLite|Redis] [--days 56] [--night]
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../support/seeded-random.ts'
import { renderReport } from './report.ts'
import { runSoak } from './run-soak.ts'
import { eightWeeks, oneNight } from './schedule.ts'
import { dayMs } from './soak-time.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    days: { type: 'string' },
    night: { type: 'boolean' },
  },
})
const random = seededRandom(Number(values.seed))
const directory = mkdtempSync(join(tmpdir(), 'feedhouse-soak-'))
const print = (line: string) => void process.stdout.write(`${line}\n`)
print(`the logs of the services are in ${directory}`)
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
const whole = values.night ? oneNight() : eightWeeks(random)
const forMs = values.days === undefined ? whole.forMs : Number(values.days) * dayMs
const schedule = { ...whole, forMs }
const kinds = (['SQLite', 'Redis'] as const).filter((kind) => kind === (values.only ?? kind))
const report = await runSoak({
  schedule,
  kinds,
  directory,
  random,
  print,
  signal: stopping.signal,
})
process.stdout.write(renderReport(report))
if (report.violations.length > 0) process.exitCode = 1

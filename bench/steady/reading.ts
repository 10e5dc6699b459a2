import { setTimeout as sleep } from 'node:timers/promises'
import { datasetEvents } from '../running/dataset.ts'
import { cpuUs } from '../running/process-figures.ts'
import { startService } from '../running/service.ts'
import { startSites } from '../sites/start-sites.ts'
import { printFigure, printTarget } from './figure.ts'

const events = 200
const settleMs = 60_000
const measuredMs = 200_000
const [fewSites, manySites] = [10, 50]
/** With the sample data, the daily limit of API calls stretches the interval to about three minutes. */
const fresh = { idleSeconds: 3_600, readingSeconds: 120 }
const targets = {
  idle: { max: 0.2, unit: '% of a core' },
  first: { max: 250, unit: 'ms' },
  call: { max: 4, unit: 'ms' },
}

/** Measures the CPU time of an idle service, of first readings, and of calls that find nothing new. */
export async function measureReading(): Promise<void> {
  process.stdout.write('\nReading websites that do not change\n')
  printTarget('idle with one site, both processes', await idlePercent(), targets.idle)
  const few = await measure(fewSites, fresh.idleSeconds, 0)
  const idle = await measure(manySites, fresh.idleSeconds)
  const firstMs = (idle.firstMs - few.firstMs) / (manySites - fewSites)
  printTarget('first reading of a site', firstMs, targets.first)
  printFigure(`idle with ${manySites} sites`, `${((100 * idle.cpuMs) / measuredMs).toFixed(2)} %`)
  const reading = await measure(manySites, fresh.readingSeconds)
  const calls = reading.calls - idle.calls
  if (calls === 0) throw new Error('the websites were not read again')
  printFigure('calls', String(calls))
  printTarget('CPU time of a call', (reading.cpuMs - idle.cpuMs) / calls, targets.call)
}

async function idlePercent(): Promise<number> {
  const settings = { FRESH_SECONDS: String(fresh.idleSeconds) }
  await using service = await startService(datasetEvents(events), { settings })
  await sleep(settleMs)
  const before = cpuUs(service.pid)
  await sleep(measuredMs)
  return (100 * (cpuUs(service.pid) - before)) / 1000 / measuredMs
}

/** Measures the first readings together with the start of the service, and later readings. */
async function measure(count: number, freshSeconds: number, ms = measuredMs) {
  await using sites = await startSites(count, freshSeconds)
  await sleep(settleMs)
  const [firstUs, callsBefore] = [cpuUs(sites.service.pid), sum(await sites.calls())]
  await sleep(ms)
  const cpuMs = (cpuUs(sites.service.pid) - firstUs) / 1000
  return { firstMs: firstUs / 1000, cpuMs, calls: sum(await sites.calls()) - callsBefore }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

import { setTimeout as sleep } from 'node:timers/promises'
import { cpuUs } from '../running/process-figures.ts'
import { startSite } from '../sites/start-sites.ts'
import { printFigure, printTarget } from './figure.ts'

const settleMs = 60_000
/** The daily limit of API calls stretches the first interval to about three minutes. */
const fresh = { readingSeconds: 60, idleSeconds: 3_600 }
const target = { max: 6, unit: 'ms' }

/**
 * Measures the CPU time of a call that finds nothing new, with one site. An idle service runs at the same
 * time, and its CPU time is subtracted. Runs of less than half an hour may contain no full garbage
 * collection.
 */
export async function measureUnchangedCalls(minutes: number): Promise<void> {
  process.stdout.write('\nCalls to a website that does not change\n')
  await using reading = await startSite(fresh.readingSeconds)
  await using idle = await startSite(fresh.idleSeconds)
  await sleep(settleMs)
  const ms = minutes * 60_000
  const [own, other] = await Promise.all([measured(reading, ms), measured(idle, ms)])
  const calls = own.calls - other.calls
  if (calls <= 0) throw new Error('the website was not read again')
  printFigure('calls', String(calls))
  printTarget('CPU time of a call, all processes', (own.cpuMs - other.cpuMs) / calls, target)
}

async function measured(
  { service, calls }: Awaited<ReturnType<typeof startSite>>,
  ms: number,
): Promise<{ readonly cpuMs: number; readonly calls: number }> {
  const [cpuBefore, callsBefore] = [cpuUs(service.pid), sum(await calls())]
  await sleep(ms)
  const cpuMs = (cpuUs(service.pid) - cpuBefore) / 1000
  return { cpuMs, calls: sum(await calls()) - callsBefore }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

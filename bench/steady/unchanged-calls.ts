import { setTimeout as sleep } from 'node:timers/promises'
import { cpuUs } from '../running/process-figures.ts'
import { startSites } from '../sites/start-sites.ts'
import { printFigure, printTarget } from './figure.ts'

const settleMs = 60_000
/** The daily limit of API calls stretches the first interval to about three minutes. */
const fresh = { readingSeconds: 60, idleSeconds: 3_600 }
const target = { max: 6, unit: 'ms' }

/**
 * Measures the CPU time of a call that finds nothing new, with one site. An idle service runs at the same
 * time, and its CPU time is subtracted. In less than half an hour, full garbage collections may be missing.
 */
export async function measureUnchangedCalls(minutes: number): Promise<void> {
  process.stdout.write('\nCalls to a website that does not change\n')
  await using reading = await startSites(1, fresh.readingSeconds)
  await using idle = await startSites(1, fresh.idleSeconds)
  await sleep(settleMs)
  const before = await stateOf([reading, idle])
  await sleep(minutes * 60_000)
  const after = await stateOf([reading, idle])
  const [own = { cpuMs: 0, calls: 0 }, other = own] = after.map(({ cpuMs, calls }, index) => {
    const start = before[index] ?? { cpuMs: 0, calls: 0 }
    return { cpuMs: cpuMs - start.cpuMs, calls: calls - start.calls }
  })
  const calls = own.calls - other.calls
  if (calls <= 0) throw new Error('the website was not read again')
  printFigure('calls', String(calls))
  printTarget('CPU time of a call, all processes', (own.cpuMs - other.cpuMs) / calls, target)
}

function stateOf(services: readonly Awaited<ReturnType<typeof startSites>>[]) {
  return Promise.all(
    services.map(async ({ service, calls }) => ({
      cpuMs: cpuUs(service.pid) / 1000,
      calls: (await calls()).reduce((total, each) => total + each, 0),
    })),
  )
}

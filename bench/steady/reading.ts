import { setTimeout as sleep } from 'node:timers/promises'
import { datasetEvents } from '../running/dataset.ts'
import { cpuUs } from '../running/process-figures.ts'
import { startService, type RunningService } from '../running/service.ts'
import { printFigure, printTarget } from './figure.ts'

const events = 200
const feeds = 'events,news,calendar,rental,signup,announcements'
const settleMs = 60_000
const idleMs = 60_000
const readingMs = 240_000
const targets = { idle: { max: 0.2, unit: '% of a core' }, call: { max: 4, unit: 'ms' } }

/** Measures the CPU time of an idle service, and of reading a website that does not change. */
export async function measureReading(): Promise<void> {
  process.stdout.write('\nReading a website that does not change\n')
  const idle = await measure('3600', idleMs)
  const reading = await measure('60', readingMs)
  const idleShare = idle.cpuMs / idleMs
  // Each of them has read everything once before it is measured.
  const calls = reading.calls - idle.calls
  printTarget('idle, both processes', idleShare * 100, targets.idle)
  printFigure('calls', `${calls}`)
  const perCall = (reading.cpuMs - idleShare * readingMs) / calls
  printTarget('CPU time per call, in addition', perCall, targets.call)
}

async function measure(freshSeconds: string, ms: number) {
  const settings = { FRESH_SECONDS: freshSeconds, PUBLIC_FEEDS: feeds }
  await using service = await startService(datasetEvents(events), { settings })
  await sleep(settleMs)
  const before = cpuUs(service.pid)
  await sleep(ms)
  const cpuMs = (cpuUs(service.pid) - before) / 1000
  // A scrape of the metrics starts a timer, so it comes last.
  return { cpuMs, calls: await callsOf(service) }
}

async function callsOf({ url }: RunningService): Promise<number> {
  const response = await fetch(`${url}/metrics`)
  const samples = (await response.text()).matchAll(/^feedhouse_upstream_calls_total\{.*\} (\d+)$/gm)
  return samples.reduce((sum, [, count]) => sum + Number(count), 0)
}

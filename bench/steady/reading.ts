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
  const perCall = (reading.cpuMs - idleShare * readingMs) / reading.calls
  printTarget('idle, both processes', idleShare * 100, targets.idle)
  printFigure('calls', `${reading.calls}`)
  printTarget('CPU time per call, in addition', perCall, targets.call)
}

async function measure(freshSeconds: string, ms: number) {
  const settings = { FRESH_SECONDS: freshSeconds, PUBLIC_FEEDS: feeds }
  await using service = await startService(datasetEvents(events), { settings })
  await sleep(settleMs)
  const callsBefore = await callsOf(service)
  const before = cpuUs(service.pid)
  await sleep(ms)
  const cpuMs = (cpuUs(service.pid) - before) / 1000
  return { cpuMs, calls: (await callsOf(service)) - callsBefore }
}

async function callsOf({ url }: RunningService): Promise<number> {
  const response = await fetch(`${url}/metrics`)
  const samples = (await response.text()).matchAll(/^feedhouse_upstream_calls_total\{.*\} (\d+)$/gm)
  return samples.reduce((sum, [, count]) => sum + Number(count), 0)
}

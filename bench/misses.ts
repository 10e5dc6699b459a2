/*
 * Compares responses from the front's cache with those that the front must first fetch from the worker,
 * although their bytes are ready.
 *
 *   npm run bench -- misses [--events 200] [--runs 500]
 *
 * Each run sends one request of each kind, over new connections. A miss has a URL that the front does not
 * know. Figures are medians and 99th percentiles in milliseconds, and the processor time of a miss in the
 * main threads of both processes. The processor time varies least.
 */
import { parseArgs } from 'node:util'
import { datasetEvents } from './running/dataset.ts'
import { childrenOf, mainThreadUs, requireLinux } from './running/process-figures.ts'
import { fetchResponse } from './running/response.ts'
import { startService } from './running/service.ts'

requireLinux()
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200' },
    runs: { type: 'string', default: '500' },
  },
})
const [events, runs] = [values.events, values.runs].map((value) =>
  Math.max(1, Number.parseInt(value, 10) || 1),
)
const warmUps = 100

await using service = await startService(datasetEvents(events ?? 1))
const feed = `${service.url}/events.ics`
const accepting = { 'Accept-Encoding': 'gzip' }

const [worker = 0] = childrenOf(service.pid)

let misses = 0
async function timeOfMiss(): Promise<number> {
  misses += 1
  return (await fetchResponse(`${feed}?utm_source=${misses}`, accepting)).ms
}

async function timesOf(count: number) {
  const [hit, miss]: [number[], number[]] = [[], []]
  while (hit.length < count) {
    hit.push((await fetchResponse(feed, accepting)).ms)
    miss.push(await timeOfMiss())
  }
  return { hit, miss }
}

async function processorUs(count: number): Promise<readonly string[]> {
  const before = [service.pid, worker].map(mainThreadUs)
  for (let left = count; left > 0; left -= 1) await timeOfMiss()
  const after = [service.pid, worker].map(mainThreadUs)
  return after.map((us, index) => `${((us - (before[index] ?? NaN)) / count).toFixed(0)} us`)
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? NaN
}

await timesOf(warmUps)
const { hit, miss } = await timesOf(runs ?? 1)
for (const [name, share] of [
  ['median', 0.5],
  ['p99', 0.99],
] as const) {
  const [fast, slow] = [percentile(hit, share), percentile(miss, share)]
  const figures = [fast, slow, slow - fast].map((ms) => ms.toFixed(2).padStart(8)).join('')
  process.stdout.write(`${name.padEnd(8)}hit, miss, difference:${figures}\n`)
}
const [front, ofWorker] = await processorUs(runs ?? 1)
process.stdout.write(`a miss takes ${front} in the front, ${ofWorker} in the worker\n`)

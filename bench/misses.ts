/*
 * Compares responses from the front's cache with those that the front must first fetch from the worker,
 * although their bytes are ready.
 *
 *   npm run bench -- misses [--events 200] [--runs 500]
 *
 * Each run sends one request of each kind, over new connections. A miss has a URL that the front does not
 * know. Figures are medians and 99th percentiles in milliseconds.
 */
import { parseArgs } from 'node:util'
import { datasetEvents } from './running/dataset.ts'
import { fetchResponse } from './running/response.ts'
import { startService } from './running/service.ts'

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

let misses = 0
async function timesOf(count: number) {
  const [hit, miss]: [number[], number[]] = [[], []]
  while (hit.length < count) {
    hit.push((await fetchResponse(feed, accepting)).ms)
    miss.push((await fetchResponse(`${feed}?utm_source=${(misses += 1)}`, accepting)).ms)
  }
  return { hit, miss }
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

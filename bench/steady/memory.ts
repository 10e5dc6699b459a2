import { join } from 'node:path'
import type { Load } from '../load/load.ts'
import { answerOf } from '../running/answer.ts'
import { datasetEvents } from '../running/dataset.ts'
import { residentMib } from '../running/process-figures.ts'
import { startService } from '../running/service.ts'
import { printFigure, printMissing, printReach } from './figure.ts'
import { metricsOf, noMetrics } from './metrics.ts'

const events = 200
const connections = 32
const total = 2_000_000
const step = 200_000
const burstSeconds = 1
const maxBursts = 1_200
const notModifiedShare = 9
const mib = 1024 * 1024
const unit = 'MiB a million requests'
/** A byte a request is more than anything that fills up takes. */
const reach = { heap: { most: 1, unit }, resident: { most: 5, unit } }

type Sample = { readonly answered: number; readonly residentMib: number; readonly heapMib: number }

/** How memory grows over two million requests, nine 304 to one GET. */
export async function measureMemory(load: Load): Promise<void> {
  process.stdout.write(`\nMemory, ${events} events, ${connections} connections\n`)
  const collecting = join(import.meta.dirname, 'collect-on-signal.ts')
  await using service = await startService(datasetEvents(events), {
    nodeOptions: ['--expose-gc', '--import', collecting],
  })
  const url = `${service.url}/events.ics`
  const { etag } = await answerOf(url, { 'Accept-Encoding': 'gzip' })
  const unchanged = Array.from({ length: notModifiedShare }, () => ({ url, ifNoneMatch: etag }))
  const requests = [...unchanged, { url }]
  const samples: Sample[] = []
  let answered = 0
  for (let bursts = 0; answered < total; bursts += 1) {
    if (bursts === maxBursts) throw new Error(`Only ${answered} requests were answered.`)
    const burst = await load.burst({ requests, connections, seconds: burstSeconds })
    if (burst.failed > 0) throw new Error(`${burst.failed} requests failed.`)
    answered += burst.answered
    if (answered < (samples.length + 1) * step) continue
    // What is not yet collected goes up and down; what stays is what counts.
    process.kill(service.pid, 'SIGUSR2')
    const heapBytes = (await metricsOf(service.url))?.get('nodejs_heap_size_used_bytes')
    const heapMib = (heapBytes ?? Number.NaN) / mib
    const sample = { answered, residentMib: residentMib(service.pid), heapMib }
    samples.push(sample)
    printFigure(`${answered} requests`, sampleText(sample))
  }
  const secondHalf = samples.filter((sample) => sample.answered > total / 2)
  const slopeOf = (figure: 'residentMib' | 'heapMib') => slope(secondHalf, figure)
  printReach('resident, slope of the second half', slopeOf('residentMib'), reach.resident)
  if (samples.some(({ heapMib }) => Number.isNaN(heapMib))) printMissing('heap', noMetrics)
  else printReach('heap, slope of the second half', slopeOf('heapMib'), reach.heap)
}

function sampleText({ residentMib, heapMib }: Sample): string {
  const heap = Number.isNaN(heapMib) ? '' : `, heap ${heapMib.toFixed(1)} MiB`
  return `resident ${residentMib.toFixed(1)} MiB${heap}`
}

/** By least squares, for a million requests. */
function slope(samples: readonly Sample[], figure: 'residentMib' | 'heapMib'): number {
  const x = mean(samples.map(({ answered }) => answered))
  const y = mean(samples.map((sample) => sample[figure]))
  const covariance = mean(samples.map((each) => (each.answered - x) * (each[figure] - y)))
  return (covariance / mean(samples.map(({ answered }) => (answered - x) ** 2))) * 1_000_000
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

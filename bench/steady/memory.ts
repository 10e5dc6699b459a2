import { join } from 'node:path'
import type { Load } from '../load/load.ts'
import { fetchResponse } from '../running/response.ts'
import { datasetEvents } from '../running/dataset.ts'
import { residentMib } from '../running/process-figures.ts'
import { startService } from '../running/service.ts'
import { printFigure, printMissing, printTarget } from './figure.ts'
import { fetchMetrics, noMetrics } from './metrics.ts'

const events = 200
const connections = 32
const total = 2_000_000
const step = 200_000
const burstSeconds = 1
const maxBursts = 1_200
const notModifiedShare = 9
const mib = 1024 * 1024
const unit = 'MiB per million requests'
/** Allows heap growth of one byte per request. A leak would use more. */
const frontMetric = 'feedhouse_front_resident_memory_bytes'
const target = { front: { max: 3, unit }, resident: { max: 5, unit } }

type Sample = { readonly answered: number; readonly residentMib: number; readonly frontMib: number }

/**
 * Measures memory growth over two million requests, with nine 304 responses for every 200 response.
 */
export async function measureMemory(load: Load): Promise<void> {
  process.stdout.write(`\nMemory, ${events} events, ${connections} connections\n`)
  const collecting = join(import.meta.dirname, 'collect-on-signal.ts')
  await using service = await startService(datasetEvents(events), {
    nodeOptions: ['--expose-gc', '--import', collecting],
  })
  const url = `${service.url}/events.ics`
  const { etag } = await fetchResponse(url, { 'Accept-Encoding': 'gzip' })
  const unchanged = Array.from({ length: notModifiedShare }, () => ({ url, ifNoneMatch: etag }))
  const requests = [...unchanged, { url }]
  const samples: Sample[] = []
  let answered = 0
  for (let bursts = 0; answered < total; bursts += 1) {
    if (bursts === maxBursts) throw new Error(`Only ${answered} requests completed.`)
    const burst = await load.burst({ requests, connections, seconds: burstSeconds })
    if (burst.failed > 0) throw new Error(`${burst.failed} requests failed.`)
    answered += burst.answered
    if (answered < (samples.length + 1) * step) continue
    // Collects garbage first, because the amount of garbage varies.
    process.kill(service.pid, 'SIGUSR2')
    const frontBytes = (await fetchMetrics(service.url))?.get(frontMetric)
    const frontMib = (frontBytes ?? Number.NaN) / mib
    const sample = { answered, residentMib: residentMib(service.pid), frontMib }
    samples.push(sample)
    printFigure(`${answered} requests`, sampleText(sample))
  }
  const secondHalf = samples.filter((sample) => sample.answered > total / 2)
  const slopeOf = (figure: 'residentMib' | 'frontMib') => slope(secondHalf, figure)
  printTarget('resident, slope of the second half', slopeOf('residentMib'), target.resident)
  if (samples.some(({ frontMib }) => Number.isNaN(frontMib))) printMissing('front', noMetrics)
  else printTarget('front, slope of the second half', slopeOf('frontMib'), target.front)
}

function sampleText({ residentMib, frontMib }: Sample): string {
  const front = Number.isNaN(frontMib) ? '' : `, front ${frontMib.toFixed(1)} MiB`
  return `resident ${residentMib.toFixed(1)} MiB${front}`
}

/** Returns the least-squares slope of a figure per million requests. */
function slope(samples: readonly Sample[], figure: 'residentMib' | 'frontMib'): number {
  const x = mean(samples.map(({ answered }) => answered))
  const y = mean(samples.map((sample) => sample[figure]))
  const covariance = mean(samples.map((each) => (each.answered - x) * (each[figure] - y)))
  return (covariance / mean(samples.map(({ answered }) => (answered - x) ** 2))) * 1_000_000
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

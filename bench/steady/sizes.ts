import { setTimeout as sleep } from 'node:timers/promises'
import { datasetEvents, withOneChanged } from '../running/dataset.ts'
import { proportionalMib } from '../running/process-figures.ts'
import { fetchResponse } from '../running/response.ts'
import { startService } from '../running/service.ts'
import { printFigure, printTarget } from './figure.ts'

/** Numbers of events with the maximum memory of both processes. */
const sizes = [
  { events: 200, max: 160, isRefreshed: false },
  { events: 10_000, max: 230, isRefreshed: true },
  { events: 50_000, max: 450, isRefreshed: false },
]

const settleMs = 4_000
const sampleMs = 200
/** Feedhouse reads ten pages every 210 seconds, because of the daily API call limit. */
const refreshTimeoutMs = 400_000

/** Measures the memory of both processes with few and many events, including the peak of a refresh. */
export async function measureSizes(): Promise<void> {
  process.stdout.write('\nMemory by number of events\n')
  // The first start after a change of the code compiles it.
  await (await startService(datasetEvents(1)))[Symbol.asyncDispose]()
  for (const size of sizes) await measureSize(size)
}

async function measureSize({ events, max, isRefreshed }: (typeof sizes)[number]): Promise<void> {
  const dataset = datasetEvents(events)
  await using service = await startService(dataset, { settings: { FRESH_SECONDS: '60' } })
  const url = `${service.url}/events.ics`
  const tag = async () => (await fetchResponse(url, { 'Accept-Encoding': 'gzip' })).etag
  const before = await tag()
  await sleep(settleMs)
  const state = () => proportionalMib(service.pid)
  const total = () => state().reduce((sum, each) => sum + each, 0)
  const parts = state().map((each) => each.toFixed(0))
  printFigure(`${events} events, front + worker`, `${parts.join(' + ')} MiB`)
  let peak = total()
  if (isRefreshed) service.writeEvents(withOneChanged(dataset, 'Moved'))
  const endsAt = performance.now() + (isRefreshed ? refreshTimeoutMs : 0)
  while (performance.now() < endsAt && (await tag()) === before) {
    peak = Math.max(peak, total())
    await sleep(sampleMs)
  }
  peak = Math.max(peak, total())
  printTarget(`${events} events, peak`, peak, { max, unit: 'MiB' })
}

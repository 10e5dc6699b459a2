import type { Load } from '../load/load.ts'
import { fetchResponse } from '../running/response.ts'
import { datasetEvents, withOneChanged } from '../running/dataset.ts'
import { startService } from '../running/service.ts'
import { printFigure, printMissing, printTarget } from './figure.ts'
import { fetchMetrics, noMetrics } from './metrics.ts'

const events = 10_000
const connections = 16
const requestsPerSecond = 1_000
const burstSeconds = 5
/** Reading and rendering the changed records takes less than this many bursts. */
const burstsOfChange = 3
const targets = { delay: { max: 10, unit: 'ms' }, response: { max: 5, unit: 'ms' } }

/**
 * Maximum time to wait for a refresh. The daily API call limit allows Feedhouse to read ten pages
 * every 210 seconds.
 */
const refreshTimeoutMs = 400_000

/**
 * Measures the front's longest event loop delay, and the slowest responses, while changed records are read
 * and served.
 */
export async function measureLoop(load: Load, refreshes: number): Promise<void> {
  process.stdout.write(
    `\nEvent loop, ${events} events, ${requestsPerSecond} requests per second, ${connections} connections\n`,
  )
  const dataset = datasetEvents(events)
  await using service = await startService(dataset, { settings: { FRESH_SECONDS: '60' } })
  if (!(await fetchMetrics(service.url))) return printMissing('longest delay', noMetrics)
  const urls = [`${service.url}/events.ics`, `${service.url}/events.ics?past=30`]
  const longest: number[] = []
  /** The 99.9th percentile of each burst since the previous record, and the highest of each change. */
  let slowest: number[] = []
  const slowResponses: number[] = []

  async function tags(): Promise<readonly string[]> {
    const responses = urls.map((url) => fetchResponse(url, { 'Accept-Encoding': 'gzip' }))
    return (await Promise.all(responses)).map(({ etag }) => etag)
  }

  async function runLoad(): Promise<void> {
    const known = await tags()
    const requests = urls.flatMap((url, index) => {
      const unchanged = { url, ifNoneMatch: known[index] ?? '' }
      return [unchanged, unchanged, unchanged, { url }]
    })
    const { failed, p999Ms } = await load.burst({
      requests,
      connections,
      requestsPerSecond,
      seconds: burstSeconds,
    })
    if (failed > 0) throw new Error(`${failed} requests failed.`)
    slowest.push(p999Ms)
  }

  /** Records the delays since the previous call. Every scrape of the metrics resets them. */
  async function recordDelays(name: string): Promise<void> {
    const metrics = await fetchMetrics(service.url)
    const ms = (metrics?.get('feedhouse_front_event_loop_delay_max_seconds') ?? NaN) * 1000
    longest.push(ms)
    const p999Ms = Math.max(...slowest.slice(-burstsOfChange))
    slowest = []
    slowResponses.push(p999Ms)
    printFigure(name, `max ${ms.toFixed(1)} ms, p99.9 of responses ${p999Ms.toFixed(1)} ms`)
  }

  await runLoad()
  await fetchMetrics(service.url)
  slowest = []
  await runLoad()
  await recordDelays('load alone')
  for (let refresh = 1; refresh <= refreshes; refresh += 1) {
    const [before] = await tags()
    const startedAt = performance.now()
    const passedMs = () => performance.now() - startedAt
    service.writeEvents(withOneChanged(dataset, `Moved, ${refresh}`))
    while ((await tags())[0] === before) {
      if (passedMs() > refreshTimeoutMs) throw new Error('The changed record was not read.')
      await runLoad()
    }
    const seconds = (passedMs() / 1000).toFixed(0)
    await runLoad()
    await recordDelays(`refresh ${refresh}, served after ${seconds} s`)
  }
  printTarget('longest delay', Math.max(...longest), targets.delay)
  printTarget('p99.9 of responses', Math.max(...slowResponses), targets.response)
}

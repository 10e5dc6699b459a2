import type { Load } from '../load/load.ts'
import { answerOf } from '../running/answer.ts'
import { datasetEvents, withOneChanged } from '../running/dataset.ts'
import { startService } from '../running/service.ts'
import { printFigure, printMissing, printReach } from './figure.ts'
import { metricsOf, noMetrics } from './metrics.ts'

const events = 10_000
const connections = 16
const requestsPerSecond = 1_000
const burstSeconds = 5
const reach = { most: 50, unit: 'ms' }

/** Ten pages are read about every 210 seconds: more often the day's calls do not allow. */
const refreshTimeoutMs = 400_000

/** The longest delay of the event loop while changed records are read and answered. */
export async function measureLoop(load: Load, refreshes: number): Promise<void> {
  process.stdout.write(
    `\nEvent loop, ${events} events, ${requestsPerSecond} requests a second, ${connections} connections\n`,
  )
  const dataset = datasetEvents(events)
  await using service = await startService(dataset, { settings: { FRESH_SECONDS: '60' } })
  if (!(await metricsOf(service.url))) return printMissing('longest delay', noMetrics)
  const urls = [`${service.url}/events.ics`, `${service.url}/events.ics?past=30`]
  const longest: number[] = []

  async function tags(): Promise<readonly string[]> {
    const answers = urls.map((url) => answerOf(url, { 'Accept-Encoding': 'gzip' }))
    return (await Promise.all(answers)).map(({ etag }) => etag)
  }

  async function bearLoad(): Promise<void> {
    const known = await tags()
    const requests = urls.flatMap((url, index) => {
      const unchanged = { url, ifNoneMatch: known[index] ?? '' }
      return [unchanged, unchanged, unchanged, { url }]
    })
    const { failed } = await load.burst({
      requests,
      connections,
      requestsPerSecond,
      seconds: burstSeconds,
    })
    if (failed > 0) throw new Error(`${failed} requests failed.`)
  }

  /** Since the last time: every look at the metrics begins anew. */
  async function noteDelays(name: string): Promise<void> {
    const metrics = await metricsOf(service.url)
    const msOf = (which: string) =>
      (metrics?.get(`nodejs_eventloop_lag_${which}_seconds`) ?? NaN) * 1000
    longest.push(msOf('max'))
    printFigure(name, `longest ${msOf('max').toFixed(1)} ms, p99 ${msOf('p99').toFixed(1)} ms`)
  }

  await bearLoad()
  await metricsOf(service.url)
  await bearLoad()
  await noteDelays('load alone')
  for (let refresh = 1; refresh <= refreshes; refresh += 1) {
    const [before] = await tags()
    const startedAt = performance.now()
    const passedMs = () => performance.now() - startedAt
    service.writeEvents(withOneChanged(dataset, `Moved, ${refresh}`))
    while ((await tags())[0] === before) {
      if (passedMs() > refreshTimeoutMs) throw new Error('The changed record was not read.')
      await bearLoad()
    }
    const seconds = (passedMs() / 1000).toFixed(0)
    await bearLoad()
    await noteDelays(`refresh ${refresh}, seen after ${seconds} s`)
  }
  printReach('longest delay', Math.max(...longest), reach)
}

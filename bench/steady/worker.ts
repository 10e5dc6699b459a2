import type { Load } from '../load/load.ts'
import { datasetEvents } from '../running/dataset.ts'
import { childrenOf } from '../running/process-figures.ts'
import { fetchResponse } from '../running/response.ts'
import { startService } from '../running/service.ts'
import { printFigure, printTarget } from './figure.ts'

const events = 200
const connections = 16
const requestsPerSecond = 1_000
const seconds = 5
const kills = 3

/** Counts failed requests while the worker process is killed and replaced. */
export async function measureWorker(load: Load): Promise<void> {
  process.stdout.write(`\nKilled worker, ${requestsPerSecond} requests per second\n`)
  await using service = await startService(datasetEvents(events))
  const url = `${service.url}/events.ics`
  const { etag } = await fetchResponse(url, { 'Accept-Encoding': 'gzip' })
  const requests = [{ url, ifNoneMatch: etag }, { url }]
  let failed = 0
  for (let kill = 1; kill <= kills; kill += 1) {
    const burst = load.burst({ requests, connections, requestsPerSecond, seconds })
    for (const worker of childrenOf(service.pid)) process.kill(worker, 'SIGKILL')
    const result = await burst
    failed += result.failed
    printFigure(`kill ${kill}`, `${result.answered} responses, ${result.failed} failed`)
  }
  printTarget('failed requests', failed, { max: 0, unit: 'requests' })
}

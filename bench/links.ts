/*
 * Measures what feed links with the same large calendar cost, in three encodings: the memory of both
 * processes, the first request for each URL, and the next one.
 *
 *   npm run bench -- links [--events 10000] [--links 1000]
 *
 * Sends the requests one after the other, over new connections. Requests for the first link are not
 * part of the figures, because the calendar is rendered and compressed for it. Linux only.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { addLinks, type NewLink } from '../src/links/stored-links.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { datasetEvents } from './running/dataset.ts'
import { machineText, thisMachine } from './running/machine.ts'
import { childrenOf, cpuUs, proportionalMib, requireLinux } from './running/process-figures.ts'
import { quartilesFrom } from './running/quartiles.ts'
import { fetchResponse } from './running/response.ts'
import { startService } from './running/service.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'
import { printFigure } from './steady/figure.ts'
import { fetchMetrics } from './steady/metrics.ts'

const encodings = ['gzip', 'br', 'identity']
/** Time to read new links, to render their feeds, and to compress one with brotli. */
const settleMs = 15_000

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    links: { type: 'string', default: '1000' },
  },
})
const [events = 1, count = 1] = [values.events, values.links].map((value) =>
  Math.max(2, Number.parseInt(value, 10) || 0),
)

requireLinux()
process.stdout.write(`${machineText(thisMachine({}))}\n\n`)
const directory = temporaryDirectory()
await using service = await startService(datasetEvents(events), {
  settings: { DATA_DIR: directory },
})
const worker = childrenOf(service.pid)[0] ?? 0
const [first = '', ...others] = await addedCalendars()
await sleep(settleMs)
printMemory('before the first request')
for (let round = 0; round < 2; round += 1) {
  for (const encoding of encodings) {
    const { coding, body } = await get(first, encoding)
    if (round > 0) printFigure(`size in ${coding}`, `${body.length} bytes`)
  }
  await sleep(settleMs)
}
printMemory('with one link')
for (const name of ['first', 'next']) {
  for (const encoding of encodings) await measure(`${name} requests, ${encoding}`, encoding)
}
await sleep(settleMs)
printMemory('with all links')
const kept = (await fetchMetrics(service.url))?.get('feedhouse_representations_kept_bytes')
printFigure('representations in the worker', `${kept} bytes`)

async function measure(name: string, encoding: string): Promise<void> {
  const before = [cpuUs(service.pid), cpuUs(worker)]
  const times: number[] = []
  for (const url of others) times.push((await get(url, encoding)).ms)
  const [both = NaN, ofWorker = NaN] = [cpuUs(service.pid), cpuUs(worker)].map(
    (after, index) => (after - (before[index] ?? NaN)) / 1000 / times.length,
  )
  const median = quartilesFrom(times).median.toFixed(2)
  const cost = `CPU time ${both.toFixed(2)} ms, of which worker ${ofWorker.toFixed(2)}`
  printFigure(name, `median ${median} ms; ${cost}`)
}

function get(url: string, encoding: string) {
  return fetchResponse(url, { 'Accept-Encoding': encoding })
}

function printMemory(when: string): void {
  const parts = proportionalMib(service.pid)
  const total = parts.reduce((sum, each) => sum + each, 0)
  const [front, ofWorker] = parts.map((each) => each.toFixed(0))
  printFigure(`memory ${when}`, `${total.toFixed(0)} MiB: front ${front}, worker ${ofWorker}`)
}

/** Adds the links to the store of the running service. */
async function addedCalendars(): Promise<readonly string[]> {
  const file = readdirSync(directory).find((name) => name.endsWith('.sqlite')) ?? ''
  await using store = openSqliteStore(join(directory, file), Date.now)
  const wishes = Array.from({ length: count }, (_, index): NewLink => {
    const label = `Link ${index}`
    const access = { feedIds: undefined, profile: 'full' } as const
    return { ...access, label, expiresAt: undefined, memberId: undefined }
  })
  const change = { now: Date.now(), random: randomBytes, id: 'aaaaaaaa' }
  const result = await addLinks(store.documents, wishes, change)
  if (!result.ok) throw new Error(result.reason)
  return result.added.map(({ key }) => `${service.url}/l/${key}/events.ics`)
}

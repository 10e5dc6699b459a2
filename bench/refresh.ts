/*
 * Measures the time and memory needed to refresh 10,000 calendar events, from reading the sandbox
 * over HTTPS to storing the result in a SQLite file. Also measures loading the events after a
 * restart.
 *
 *   npm run bench -- refresh
 *
 * Everything runs in one process, so that the steps are comparable. The baseline is `JSON.parse`
 * and `JSON.stringify` of the same records. `blocks` is the longest time that the event loop was
 * blocked.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { applyReading, type CollectionCopy } from '../src/collections/copy/collection-copy.ts'
import { loadKept, saveKept, storedStates } from '../src/collections/copy/stored-collections.ts'
import { datasetFrom } from '../src/sandbox/resources/resources.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { createConnection } from '../src/upstream/connection.ts'
import { accessTokenFrom, pageFrom } from '../src/upstream/envelope.ts'
import { readAllPages } from '../src/upstream/pages.ts'

const events = 10_000
const rounds = 5
const mib = 1024 * 1024

const text = 'Bring full gear; meet at the station. '.repeat(6)
const calendar = Array.from({ length: events }, (_, index) => ({
  id: index + 1,
  calendarId: 1 + (index % 4),
  calendar: 'Drills',
  title: `Drill ${index}`,
  status: 2,
  location: 'Station 1',
  contact: 'Captain',
  text,
  allDay: 0,
  startDate: '2026-03-05',
  endDate: '2026-03-05',
  startTime: '19:00:00',
  endTime: '21:00:00',
  created: '2026-01-02 09:00:00',
  createdBy: 'Robin Vale',
  modified: '',
  modifiedBy: '',
}))

const directory = mkdtempSync(join(tmpdir(), 'feedhouse-bench-'))
const dataset = datasetFrom({ calendar })
await using sandbox = await createSandbox({ datasetOn: () => dataset, callsPerMinute: 1000 })
await using connection = createConnection({
  siteUrl: sandbox.url,
  caPem: readFileSync(sandbox.caFile, 'utf8'),
  now: Date.now,
})
await using store = openSqliteStore(join(directory, 'bench.sqlite'), Date.now)
const refreshToken = sandbox.projects[0]?.refreshToken ?? ''
const { token } = accessTokenFrom(
  await connection.request({ method: 'POST', path: '/apps/api/refresh/', token: refreshToken }),
)

type Measured = { readonly ms: number; readonly blocksMs: number; readonly peakMib: number }

const measurements = new Map<string, Measured[]>()

async function measured<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  globalThis.gc?.()
  const before = process.memoryUsage()
  let peak = 0
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 2)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  peak = Math.max(peak, process.memoryUsage().heapUsed)
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  clearInterval(sampler)
  const blocksMs = delay.max / 1e6
  const peakMib = (peak - before.heapUsed) / mib
  measurements.set(name, [...(measurements.get(name) ?? []), { ms, blocksMs, peakMib }])
  return result
}

let kept: CollectionCopy<'calendar'> | undefined
for (let round = 0; round < rounds; round += 1) {
  const reading = await measured('read 10 pages over HTTPS', () =>
    readAllPages(async (startRow, rows) => {
      const path = `/apps/api/calendar/?All=1&StartRow=${startRow}&MaxRows=${rows}`
      const response = await connection.request({ method: 'GET', path, token })
      return { page: pageFrom(response, 'calendar'), share: 1 }
    }),
  )
  // Worst case: every event differs from the previous round.
  const items = reading.items.map((item) => ({ ...(item as object), location: `Room ${round}` }))
  const before = kept
  const { kept: next } = await measured('records, ledger, guard', () =>
    applyReading(
      'calendar',
      before,
      { items: async () => items, calls: reading.calls, days: undefined },
      Date.now(),
    ),
  )
  const revision = (await storedStates(store.documents)).get('calendar')?.revision ?? 0
  const change = { revision, contentId: String(round), isContentNew: true, heldItems: undefined }
  await measured('store', () => saveKept(store.documents, 'calendar', next, change))
  const state = (await storedStates(store.documents)).get('calendar')
  await measured('load at a restart', async () => {
    if (!state || !(await loadKept(store.documents, 'calendar', state)))
      throw new Error('not there')
  })
  await measured('JSON.stringify and JSON.parse (baseline)', () =>
    JSON.parse(JSON.stringify(next.collection.records)),
  )
  kept = next
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const medianOf = (name: string, what: keyof Measured) =>
  median((measurements.get(name) ?? []).map((measurement) => measurement[what]))
const baselineMs = medianOf('JSON.stringify and JSON.parse (baseline)', 'ms')

process.stdout.write(`${events} calendar events, median of ${rounds} rounds\n\n`)
for (const name of measurements.keys()) {
  const ms = medianOf(name, 'ms')
  const figures = [
    `${ms.toFixed(0)} ms`.padStart(8),
    `${(ms / baselineMs).toFixed(1)} x`.padStart(7),
    `blocks ${medianOf(name, 'blocksMs').toFixed(0)} ms`.padStart(14),
    `peak ${medianOf(name, 'peakMib').toFixed(0)} MiB`.padStart(14),
  ]
  process.stdout.write(`${name.padEnd(46)}${figures.join('')}\n`)
}
process.stdout.write(`\nresident in total: ${(process.memoryUsage().rss / mib).toFixed(0)} MiB\n`)
rmSync(directory, { recursive: true })

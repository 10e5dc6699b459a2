/*
 * Measures the service over time:
 *
 *   loop         longest event loop delay and slowest responses under moderate load with 10,000 events,
 *                while changed records are read and served. The delay is taken from `/metrics`, so it
 *                includes the sampling interval of 10 ms.
 *                Takes 4 minutes per refresh, because of the daily API call limit.
 *   memory       memory growth over 2 million requests, with nine 304 responses for every 200 response
 *   sizes        memory of both processes with 200, 10,000 and 50,000 events
 *   worker        failed requests while the worker process is killed, at 1,000 requests per second
 *   reading      CPU time while idle, of first readings, and of calls that find nothing new. Takes 14 minutes
 *   call         CPU time of a call that finds nothing new, with one site. Takes 12 minutes, or --minutes + 2
 *   connections  memory and response times with 10,000 idle keep-alive connections
 *
 *   npm run bench -- steady [--only loop|memory|sizes|worker|reading|call|connections] [--refreshes 2]
 *
 * The service and its sandbox run in separate processes. Load comes from wrk if it is installed,
 * and otherwise from autocannon. Linux only. `connections` requires raising `ulimit -n`.
 */
import { parseArgs } from 'node:util'
import { availableLoad } from './load/available-load.ts'
import { machineText, thisMachine } from './running/machine.ts'
import { requireLinux } from './running/process-figures.ts'
import { measureConnections } from './steady/connections.ts'
import { measureLoop } from './steady/loop.ts'
import { measureWorker } from './steady/worker.ts'
import { measureMemory } from './steady/memory.ts'
import { measureReading } from './steady/reading.ts'
import { measureSizes } from './steady/sizes.ts'
import { measureUnchangedCalls } from './steady/unchanged-calls.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    refreshes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '10' },
  },
})

requireLinux()
const load = availableLoad()
const parts: Readonly<Record<string, () => Promise<void>>> = {
  loop: () => measureLoop(load, Math.max(1, Number.parseInt(values.refreshes, 10) || 1)),
  memory: () => measureMemory(load),
  sizes: measureSizes,
  worker: () => measureWorker(load),
  reading: measureReading,
  call: () => measureUnchangedCalls(Math.max(4, Number.parseInt(values.minutes, 10) || 0)),
  connections: measureConnections,
}
const chosen = Object.entries(parts).filter(([name]) => (values.only ?? name) === name)
if (chosen.length === 0)
  throw new TypeError(`--only must be one of ${Object.keys(parts).join(', ')}.`)
process.stdout.write(`${machineText(thisMachine({ load: load.name }))}\n`)
for (const [, measure] of chosen) await measure()

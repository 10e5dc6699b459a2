/*
 * What the service does over time:
 *
 *   loop         the longest delay of its event loop with 10,000 events under a moderate load, while
 *                changed records are read and answered. As `/metrics` has it: with the 10 ms from one
 *                look to the next. Takes 4 minutes for each refresh, which the day's calls dictate.
 *   memory       whether it grows over 2 million requests, nine 304 to one GET
 *   connections  what 10,000 idle keep-alive connections cost
 *
 *   npm run bench -- steady [--only loop|memory|connections] [--refreshes 2]
 *
 * The service and the sandbox that it reads are processes of their own. Load comes from wrk where it
 * is installed, otherwise from autocannon. Linux only; connections need `ulimit -n` of some more.
 */
import { parseArgs } from 'node:util'
import { availableLoad } from './load/load.ts'
import { machineText, thisMachine } from './running/machine.ts'
import { requireLinux } from './running/process-figures.ts'
import { measureConnections } from './steady/connections.ts'
import { measureLoop } from './steady/loop.ts'
import { measureMemory } from './steady/memory.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, refreshes: { type: 'string', default: '2' } },
})

requireLinux()
const load = availableLoad()
const parts: Readonly<Record<string, () => Promise<void>>> = {
  loop: () => measureLoop(load, Math.max(1, Number.parseInt(values.refreshes, 10) || 1)),
  memory: () => measureMemory(load),
  connections: measureConnections,
}
const chosen = Object.entries(parts).filter(([name]) => (values.only ?? name) === name)
if (chosen.length === 0) throw new TypeError(`--only is one of ${Object.keys(parts).join(', ')}.`)
process.stdout.write(`${machineText(thisMachine({ load: load.name }))}\n`)
for (const [, measure] of chosen) await measure()

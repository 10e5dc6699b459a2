/*
 * Servers that answer the same calendar of 200 events, each a process of its own:
 *
 *   raw                  node:http with finished bytes and headers, the anchor: the least Node can do
 *   feedhouse            the service, which reads a sandbox
 *   nginx                where it is installed: static files, compressed before and kept open, one worker
 *   express              res.send(text) and its own ETag; gives no gzip, so its GET is identity
 *   express+compression  the same with the compression middleware
 *   render each time     Express with ical-generator and luxon for every request; no gzip either
 *
 *   npm run bench -- http [--cycles 8] [--json FILE]
 *
 * All of them are up at once and are loaded in turn, a second each, in another order in every cycle:
 * with wrk where it is installed, otherwise with autocannon. The figure that a busy machine changes
 * least is the CPU time of the server for each answer, so `x raw` compares that: raw's over the
 * server's, cycle by cycle, median and quartiles. The other figures are medians of the cycles, the
 * latencies those of a server that is given all that it can answer. Linux only.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measure, type Measurement } from './http/measurement.ts'
import { nginxVersion } from './http/nginx.ts'
import { resultsOf, resultsText } from './http/results.ts'
import { startServers } from './http/servers.ts'
import { subjectsOf, type Subject } from './http/subject.ts'
import { availableLoad } from './load/load.ts'
import { datasetEvents } from './running/dataset.ts'
import { machineText, packageVersion, thisMachine } from './running/machine.ts'
import { requireLinux } from './running/process-figures.ts'

const events = 200
const warmUpSeconds = 2
const burstSeconds = 1

const { values } = parseArgs({
  options: { cycles: { type: 'string', default: '8' }, json: { type: 'string' } },
})
const cycles = Math.max(1, Number.parseInt(values.cycles, 10) || 1)

requireLinux()
const load = availableLoad()
const machine = thisMachine({
  express: packageVersion('express'),
  nginx: nginxVersion() ?? 'is not installed',
  load: load.name,
})
process.stdout.write(`${machineText(machine)}\n${events} events, ${cycles} cycles\n`)

await using running = new AsyncDisposableStack()
const servers = await startServers(datasetEvents(events), running)
const subjects = await subjectsOf(servers, events)
for (const subject of subjects) await measure(load, subject, warmUpSeconds)

const measured = new Map<Subject, Measurement[]>(subjects.map((subject) => [subject, []]))
for (let cycle = 0; cycle < cycles; cycle += 1) {
  const start = cycle % subjects.length
  for (const subject of [...subjects.slice(start), ...subjects.slice(0, start)]) {
    measured.get(subject)?.push(await measure(load, subject, burstSeconds))
  }
}

const results = resultsOf(measured)
process.stdout.write(resultsText(results))
if (values.json) writeFileSync(values.json, JSON.stringify({ machine, events, cycles, ...results }))

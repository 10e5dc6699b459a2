/*
 * Compares servers that send the same calendar with 200 events. Each server runs in a separate
 * process:
 *
 *   raw                  the baseline: node:http with prebuilt bytes and headers
 *   feedhouse            the service, which reads from a sandbox
 *   feedhouse combined   the same calendar as part of all.ics, with a little more text per event
 *   nginx                one worker with precompressed static files that stay open, if installed
 *   express              res.send(text) with Express's ETag; never compressed
 *   express+compression  Express with the compression middleware
 *   render each time     Express with ical-generator and luxon on every request; never compressed
 *
 *   npm run bench -- http [--cycles 8] [--json FILE] [--starts 1] [--warm-up 2] [--only NAME,NAME]
 *
 * `--starts` starts all servers several times, `--warm-up` puts load on each server for that many seconds
 * before it is measured, and `--only` measures fewer servers. V8 takes several seconds to optimize the
 * front, so measure the ratio to raw with `--only raw,feedhouse --starts 4 --warm-up 8`.
 *
 * All servers run simultaneously. In each cycle, every server gets one second of load, in an order
 * that changes from cycle to cycle. The load comes from wrk if it is installed, and otherwise from
 * autocannon. `x raw` is the CPU time that raw spends on a response, divided by the CPU time that
 * the server spends on one in the same cycle, shown as a median and quartiles. CPU time is the
 * figure that other load on the machine affects least. All other figures are medians across the
 * cycles. Latencies are measured while the server is saturated. Linux only.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measure, type Measurement } from './http/measurement.ts'
import { nginxVersion } from './http/nginx.ts'
import { resultsFrom, resultsText } from './http/results.ts'
import { startServers } from './http/servers.ts'
import { createSubjects, type Subject } from './http/subject.ts'
import { availableLoad } from './load/available-load.ts'
import { datasetEvents } from './running/dataset.ts'
import { machineText, packageVersion, thisMachine } from './running/machine.ts'
import { requireLinux } from './running/process-figures.ts'

const events = 200
const burstSeconds = 1

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '8' },
    starts: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '2' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
})
const numberIn = (text: string) => Math.max(1, Number.parseInt(text, 10) || 1)
const [cycles, starts] = [numberIn(values.cycles), numberIn(values.starts)]
const warmUpSeconds = numberIn(values['warm-up'])

requireLinux()
const load = availableLoad()
const machine = thisMachine({
  express: packageVersion('express'),
  nginx: nginxVersion() ?? 'not installed',
  load: load.name,
})
process.stdout.write(`${machineText(machine)}\n${events} events, ${cycles} cycles\n`)

const measured: (readonly [Subject, readonly Measurement[]])[] = []
for (let start = 1; start <= starts; start += 1) {
  const found = [...(await measureStart())]
  if (starts > 1) process.stdout.write(`\nstart ${start}${resultsText(resultsFrom(found))}`)
  measured.push(...found)
}
const results = resultsFrom(measured)
process.stdout.write(resultsText(results))
if (values.json) writeFileSync(values.json, JSON.stringify({ machine, events, cycles, ...results }))

/** Starts the servers, and measures them in turn. */
async function measureStart(): Promise<ReadonlyMap<Subject, readonly Measurement[]>> {
  await using running = new AsyncDisposableStack()
  const servers = await startServers(datasetEvents(events), running, values.only?.split(','))
  // Feedhouse sends Last-Modified only after the second in which the feed changed.
  await setTimeout(1_000)
  const subjects = await createSubjects(servers, events)
  for (const subject of subjects) await measure(load, subject, warmUpSeconds)
  const found = new Map<Subject, Measurement[]>(subjects.map((subject) => [subject, []]))
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const first = cycle % subjects.length
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)]) {
      found.get(subject)?.push(await measure(load, subject, burstSeconds))
    }
  }
  return found
}

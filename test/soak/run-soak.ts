import type { DeploymentKind } from './deployment.ts'
import { faults, type Fault, type FaultName } from './faults.ts'
import { createMemoryRecord, type MemoryRecord } from './memory.ts'
import { lineFrom } from './report.ts'
import type { Planned, Schedule } from './schedule.ts'
import { createSimulation, steps, type Simulation } from './simulation.ts'
import { dayMs, hourMs, minuteMs } from './soak-time.ts'
import { createSubscribers, type Subscribers } from './subscribers.ts'
import { createViolations, type Violations } from './violations.ts'

const firstReadMs = 3 * minuteMs
const pollEveryMs = 30 * minuteMs

/** How old an edit may be before all subscribers must see it, if everything works. */
const visibleAfterMs = 2 * hourMs

/** Maximum length of a `/status` sentence in a progress line. */
const maxSentence = 80

export type SoakOptions = {
  readonly schedule: Schedule
  readonly kinds: readonly DeploymentKind[]
  readonly directory: string
  readonly random: () => number
  /** Prints a progress line. */
  readonly print: (line: string) => void
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

/** Runs deployments through simulated weeks of faults, and reports what subscribers would notice. */
export async function runSoak(options: SoakOptions) {
  const { schedule, kinds, print, signal } = options
  const { startAt, forMs, workEveryMs } = schedule
  const planned = schedule.planned.filter(({ name }) => canHappen(faults[name], kinds))
  const startedAt = performance.now()
  await using simulation = await createSimulation({ ...options, startAt })
  const { now, deployments, pass, change } = simulation
  const violations = createViolations((violation) => print(lineFrom(violation, schedule)), now)
  const memory = createMemoryRecord()
  const happened = new Map<FaultName, number>()
  await pass(firstReadMs, steps.busyMs)
  const subscribers = await subscribersOf(simulation, violations)
  const pollAll = () => Promise.all(subscribers.map(({ poll }) => poll()))
  const agenda = agendaOf(planned)
  let nextWork = now()
  let nextPoll = now()
  let day = 0
  const isOver = () => now() >= startAt + forMs || signal?.aborted === true
  while (!isOver()) {
    for (let next = agenda[0]; next && startAt + next.at <= now(); next = agenda[0]) {
      agenda.shift()
      const { name, isBegin, leftMs } = next
      if (isBegin) happened.set(name, (happened.get(name) ?? 0) + 1)
      await change(faults[name], isBegin, leftMs)
      await pollAll()
    }
    if (now() >= nextWork) {
      for (const { website } of deployments) website.work()
      nextWork += workEveryMs
    }
    if (now() >= nextPoll) {
      await pollAll()
      nextPoll += pollEveryMs
    }
    const untilNextMs = startAt + (agenda[0]?.at ?? forMs) - now()
    const step = simulation.stepMs(untilNextMs)
    await pass(Math.max(steps.busyMs, Math.min(step, untilNextMs)), step)
    if (now() - startAt < (day + 1) * dayMs) continue
    day += 1
    const today = planned.filter(({ at }) => Math.floor(at / dayMs) === day - 1)
    const seconds = `${Math.round((performance.now() - startedAt) / 1000)} s`
    const troubles = await measureAll(simulation, memory)
    const found = `${violations.all().length} violations`
    print([`day ${day}`, seconds, namesOf(today), found, ...troubles].join(' | '))
  }
  addFinalViolations(simulation, { memory, violations })
  return {
    startAt,
    forMs: now() - startAt,
    /** Real time. */
    tookMs: performance.now() - startedAt,
    notes: simulation.notes,
    /** How often each fault happened. */
    faults: happened as ReadonlyMap<FaultName, number>,
    deployments: deployments.map(({ name, website }, index) => ({
      name,
      calls: website.calls(),
      polls: subscribers[index]?.polls() ?? [],
      edits: website.events().reduce((sum, { edits }) => sum + edits, 0),
    })),
    memory: memory.figures(),
    violations: violations.all(),
  }
}

function subscribersOf(
  { deployments, now, serviceNow, canAgree, oldUntil }: Simulation,
  violations: Violations,
): Promise<readonly Subscribers[]> {
  const mustShow = (editedAt: number) => now() - Math.max(editedAt, oldUntil()) > visibleAfterMs
  const truth = { serviceNow, mustShow, canAgree }
  return Promise.all(deployments.map((each) => createSubscribers(each, { violations, truth })))
}

/** Records the memory of all services. Returns their status pages. */
async function measureAll(
  { deployments, now }: Simulation,
  memory: MemoryRecord,
): Promise<readonly string[]> {
  const troubles = new Set<string>()
  for (const deployment of deployments) {
    for (const service of deployment.services.filter((each) => each.isRunning())) {
      const { sentences, isOk, ...sizes } = await service.measure()
      memory.add(deployment, service.name, service.startedAt(), { at: now(), ...sizes })
      if (!isOk) for (const sentence of sentences) troubles.add(sentence.slice(0, maxSentence))
    }
  }
  return [...troubles]
}

/** Adds the violations that become visible only over the whole run. */
function addFinalViolations(
  { deployments }: Simulation,
  { memory, violations }: { readonly memory: MemoryRecord; readonly violations: Violations },
): void {
  for (const { name, website } of deployments) {
    for (const { name: code, calls } of website.calls().forbidden) {
      const sentence = `the website answered ${calls} calls with ${code}`
      violations.add(code, { service: name, feed: '', entry: '', sentence })
    }
  }
  for (const { service, isFlat, heapBytes } of memory.figures()) {
    const sentence = `the heap grew from ${heapBytes[0]} to ${heapBytes[1]} bytes`
    if (!isFlat) violations.add('memory', { service, feed: '', entry: '', sentence })
  }
}

function canHappen({ onlyFor }: Fault, kinds: readonly DeploymentKind[]): boolean {
  return onlyFor === undefined || kinds.includes(onlyFor)
}

function namesOf(planned: readonly Planned[]): string {
  return planned.map(({ name }) => name).join(', ') || 'no fault'
}

/** Beginnings and ends of faults, in order. */
function agendaOf(planned: readonly Planned[]) {
  return planned
    .flatMap(({ name, at, forMs }) => [
      { name, at, isBegin: true, leftMs: forMs },
      { name, at: at + forMs, isBegin: false, leftMs: 0 },
    ])
    .toSorted((a, b) => a.at - b.at)
}

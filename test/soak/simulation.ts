import { createDeployment, type Deployment, type DeploymentKind } from './deployment.ts'
import type { Fault, World } from './faults.ts'
import { minuteMs } from './soak-time.ts'

/** Simulated time between two wake-ups of the services. */
export const steps = {
  quietMs: 4 * minuteMs,
  /** Around faults. Less than the minute after which replicas no longer count each other. */
  alertMs: 50_000,
  busyMs: 5_000,
}
const alertForMs = 10 * minuteMs
const busyForMs = minuteMs

/** Maximum real time that a step waits for the services to finish their work. */
const patienceMs = 10_000

/** Delay after which replicas that could not reach each other agree again. */
const agreeAfterMs = 30 * minuteMs

export type Simulation = Awaited<ReturnType<typeof createSimulation>>

/** Starts deployments on simulated time. */
export async function createSimulation(options: {
  readonly kinds: readonly DeploymentKind[]
  readonly startAt: number
  readonly directory: string
  readonly random: () => number
}) {
  const { kinds, startAt, directory, random } = options
  let now = startAt
  let clockErrorMs = 0
  let changedAt = startAt
  let oldUntil = startAt
  let apartUntil = startAt
  const notes: string[] = []
  const time = { now: () => now, clockErrorMs: () => clockErrorMs }
  await using starting = new AsyncDisposableStack()
  const deployments: Deployment[] = []
  for (const kind of kinds) {
    const note = (sentence: string) => void notes.push(sentence)
    const deployment = await createDeployment(kind, { directory, time, random, note })
    deployments.push(starting.use(deployment))
    await Promise.all(deployment.services.map(deployment.start))
    await deployment.makePrivate()
  }
  const services = () =>
    deployments.flatMap(({ services: all }) => all.filter((service) => service.isRunning()))

  async function jump(ms: number): Promise<void> {
    clockErrorMs += ms
    await Promise.all(services().map((service) => service.jump(ms)))
  }

  const world: World = { deployments, random, jump }
  const running = starting.move()
  return {
    ...world,
    now: time.now,
    /** Time on the clocks of the services' machines. */
    serviceNow: () => now + clockErrorMs,
    pass: async (forMs: number, perStepMs: number) => {
      for (const end = now + forMs; now < end;) {
        const ms = Math.min(perStepMs, end - now)
        now += ms
        await Promise.all(services().map((service) => service.pass(ms, patienceMs)))
      }
    },
    /** Begins or ends a fault, which lasts for the given time. */
    change: async (fault: Fault, isBegin: boolean, leftMs: number) => {
      oldUntil = Math.max(oldUntil, now + leftMs + fault.recoveryMs)
      if (fault.separatesReplicas) apartUntil = Math.max(apartUntil, now + leftMs + agreeAfterMs)
      await (isBegin ? fault.begin(world) : fault.end?.(world))
      changedAt = now
    },
    /** Returns the length of a step, given the time until the next change. */
    stepMs(untilNextMs: number) {
      const elapsedMs = now - changedAt
      if (elapsedMs < busyForMs) return steps.busyMs
      const isQuiet = elapsedMs >= alertForMs && untilNextMs > 2 * steps.quietMs
      return isQuiet ? steps.quietMs : steps.alertMs
    },
    /** Time until which subscribers may see old records. */
    oldUntil: () => oldUntil,
    /** False while replicas may have read different records. */
    canAgree: () => now > apartUntil,
    notes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

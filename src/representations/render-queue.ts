import { createUsedTime, takeLowest } from '../used-time.ts'

export class RenderingBusy extends Error {
  override readonly name = 'RenderingBusy'

  constructor() {
    super('Too many feed requests are waiting')
  }
}

export const maxWaiting = 200

export type RenderTask = {
  readonly done: Promise<void>
  /** Moves the task ahead of tasks without waiters, because a client of this network waits for it. */
  readonly prioritize: (network: string) => void
}

/** Networks of the clients that wait for a rendering, which may increase until it starts. */
type Waiters = ReadonlySet<string>

type Waiting = { readonly waiters: Waiters; readonly start: () => void }

type Job = { readonly start: () => Promise<unknown>; readonly waiters: Set<string> }

/** Entries that are waiting, and when one without waiters was last taken. */
type Line<T> = { readonly entries: T[]; unawaitedAt: number }

const newLine = <T>(): Line<T> => ({ entries: [], unawaitedAt: -Infinity })

/** Runs one task at a time. Disposing the queue waits for the running task and drops the rest. */
export function createRenderQueue() {
  const line = newLine<Job>()
  const jobs = line.entries
  let current: Job | undefined
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    for (let job = takeNext(line); job; job = takeNext(line)) {
      current = job
      await job.start()
    }
    running = undefined
  }

  return {
    add(work: (waiters: Waiters) => Promise<void>): RenderTask {
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const waiters = new Set<string>()
      const job: Job = {
        waiters,
        start() {
          resolve(work(waiters))
          return done.catch(() => undefined)
        },
      }
      jobs.push(job)
      running ??= run()
      return {
        done,
        prioritize(network) {
          waiters.add(network)
          // The current rendering must end before this one can start.
          current?.waiters.add(network)
        },
      }
    },
    /**
     * True if too many tasks with waiters are queued, and one of them is for this network. If so, callers
     * must not add another one. Other networks may still add one each.
     */
    isBusy: (network: string) =>
      jobs.filter(({ waiters }) => waiters.size > 0).length >= maxWaiting &&
      jobs.some(({ waiters }) => waiters.has(network)),
    async [Symbol.asyncDispose](): Promise<void> {
      jobs.length = 0
      // Otherwise, it could be postponed until another site has started.
      current?.waiters.add('')
      await running
    },
  }
}

/** How long urgent work can postpone renderings without waiters, however much of it there is. */
export const maxPostponedMs = 60_000

/** Interval at which a rendering without waiters goes first, even if others have waiters. */
export const unawaitedMs = 200

/** Interval for checking whether a postponed rendering has a waiter. */
const postponedPollMs = 20

/**
 * Time after which a network's used time counts half. With a longer half-life, new networks could
 * delay the others for longer, until they have used as much time.
 */
const halfLifeMs = 1_000

/** Renderings of all sites in this process that are waiting for their turn. */
const renderings = newLine<Waiting>()
const waiting = renderings.entries
const used = createUsedTime(halfLifeMs)
/** The turn in progress, and the time up to which its network has been charged for it. */
let turn: { readonly network: string; chargedUntil: number } | undefined
let urgentCount = 0
let postponedUntil = -Infinity
/** True if the next turn begins once the process has handled its pending requests. */
let isNextDue = false
let postponed: NodeJS.Timeout | undefined

/**
 * Waits until the process has handled its pending requests. Lets one rendering start at a time,
 * because each blocks the thread. Renderings with waiters go first, regardless of the site. The network
 * that has recently used the least time goes first, so that a client that rarely needs a page waits
 * only for the turn in progress.
 */
export function yieldToRequests(waiters: Waiters): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push({ waiters, start: resolve })
  startSoon()
  return promise
}

/** Calls `start` as soon as a request from this network may be handled, at once if none waits. */
export function startInTurn(network: string, start: () => void): void {
  const job = { waiters: new Set([network]), start }
  if (isNextDue) return void waiting.push(job)
  startNow(job)
  startSoon()
}

function startSoon(): void {
  if (isNextDue) return
  isNextDue = true
  clearTimeout(postponed)
  setImmediate(startNext)
}

function startNext(): void {
  isNextDue = false
  chargeTurn()
  turn = undefined
  const isUnawaited = waiting.every(({ waiters }) => waiters.size === 0)
  if (waiting.length > 0 && isUnawaited && hasUrgentWork()) {
    postponed = setTimeout(startNext, postponedPollMs)
    return
  }
  const next = takeNext(renderings)
  if (!next) return
  startNow(next)
  startSoon()
}

const hasUrgentWork = () => urgentCount > 0 && performance.now() < postponedUntil

/** The network that asked first is charged, even if others wait for the same rendering. */
function startNow({ waiters: [network], start }: Waiting): void {
  turn = network === undefined ? undefined : { network, chargedUntil: performance.now() }
  start()
}

function chargeTurn(): void {
  if (!turn) return
  const now = performance.now()
  used.add(turn.network, now - turn.chargedUntil, now)
  turn.chargedUntil = now
}

/** Does work, such as starting a site, before renderings without waiters. */
export async function beforeRenderings<T>(work: () => Promise<T>): Promise<T> {
  if (urgentCount === 0) postponedUntil = performance.now() + maxPostponedMs
  urgentCount += 1
  try {
    return await work()
  } finally {
    urgentCount -= 1
  }
}

/**
 * Removes and returns the entry with the waiter that has recently used the least time. Those without
 * waiters come last, unless none has been started for a while.
 */
function takeNext<T extends { readonly waiters: Waiters }>(line: Line<T>): T | undefined {
  chargeTurn()
  const now = performance.now()
  const isOverdue = now >= line.unawaitedAt + unawaitedMs && !hasUrgentWork()
  const next = takeLowest(line.entries, ({ waiters }) => {
    if (waiters.size === 0) return isOverdue ? -1 : Infinity
    return Math.min(...[...waiters].map((network) => used.of(network, now)))
  })
  if (next?.waiters.size === 0) line.unawaitedAt = now
  return next
}

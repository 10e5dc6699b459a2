export class RenderingBusy extends Error {
  override readonly name = 'RenderingBusy'

  constructor() {
    super('Too many feed requests are waiting')
  }
}

export const maxWaiting = 200

export type RenderTask = {
  readonly done: Promise<void>
  /** Moves the task ahead of tasks without waiters. */
  readonly prioritize: () => void
}

type Job = { readonly start: () => Promise<unknown>; hasWaiters: boolean }

/** Runs one task at a time. Disposing the queue waits for the running task and drops the rest. */
export function createRenderQueue() {
  const jobs: Job[] = []
  let current: Job | undefined
  let running: Promise<void> | undefined

  const next = () => takeFirst(jobs, ({ hasWaiters }) => hasWaiters)

  async function run(): Promise<void> {
    for (let job = next(); job; job = next()) {
      current = job
      await job.start()
    }
    running = undefined
  }

  return {
    /** `isAwaited` returns true once someone waits for the task. */
    add(work: (isAwaited: () => boolean) => Promise<void>): RenderTask {
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const job: Job = {
        hasWaiters: false,
        start() {
          resolve(work(() => job.hasWaiters))
          return done.catch(() => undefined)
        },
      }
      jobs.push(job)
      running ??= run()
      return { done, prioritize: () => void (job.hasWaiters = true) }
    },
    /** True if too many tasks with waiters are queued. Callers must not add another one then. */
    isBusy: () => jobs.filter(({ hasWaiters }) => hasWaiters).length >= maxWaiting,
    async [Symbol.asyncDispose](): Promise<void> {
      jobs.length = 0
      // Otherwise, it could be postponed until another site has started.
      if (current) current.hasWaiters = true
      await running
    },
  }
}

/** How long urgent work can postpone renderings without waiters, however much of it there is. */
export const maxPostponedMs = 60_000

/** Interval for checking whether a postponed rendering has a waiter. */
const postponedPollMs = 20

/** Renderings of all sites in this process that are waiting for their turn. */
const waiting: { readonly isAwaited: () => boolean; readonly start: () => void }[] = []
let urgentCount = 0
let postponedUntil = -Infinity

/**
 * Waits until the process has handled its pending requests. Lets one rendering start at a time,
 * because each blocks the thread. Renderings with waiters go first, regardless of the site.
 */
export function yieldToRequests(isAwaited: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push({ isAwaited, start: resolve })
  if (waiting.length === 1) setImmediate(startNext)
  return promise
}

function startNext(): void {
  const isPostponed =
    urgentCount > 0 &&
    performance.now() < postponedUntil &&
    !waiting.some(({ isAwaited }) => isAwaited())
  if (!isPostponed) takeFirst(waiting, ({ isAwaited }) => isAwaited())?.start()
  if (waiting.length === 0) return
  if (isPostponed) setTimeout(startNext, postponedPollMs)
  else setImmediate(startNext)
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

/** Removes and returns the first preferred entry, or else the first entry. */
function takeFirst<T>(entries: T[], isPreferred: (entry: T) => boolean): T | undefined {
  return entries.splice(Math.max(0, entries.findIndex(isPreferred)), 1)[0]
}

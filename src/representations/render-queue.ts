/** More is waited for than can be made in good time. */
export class RenderingBusy extends Error {
  override readonly name = 'RenderingBusy'

  constructor() {
    super('Too many feeds are waited for')
  }
}

const maxWaiting = 200

/** Something that is to be made, or is being made. */
export type RenderTask = {
  readonly done: Promise<void>
  /** Somebody waits for it: it is made before what nobody waits for. */
  readonly prioritize: () => void
}

/** Makes one thing after the other. Disposing waits for what is being made, and leaves the rest. */
export type RenderQueue = AsyncDisposable & {
  readonly add: (work: () => Promise<void>) => RenderTask
  /** Whether so much is waited for already that nobody should be let wait for more. */
  readonly isBusy: () => boolean
}

type Job = { readonly start: () => Promise<unknown>; hasWaiters: boolean }

export function createRenderQueue(): RenderQueue {
  const jobs: Job[] = []
  let running: Promise<void> | undefined

  function next(): Job | undefined {
    const index = jobs.findIndex(({ hasWaiters }) => hasWaiters)
    return jobs.splice(Math.max(0, index), 1)[0]
  }

  async function run(): Promise<void> {
    for (let job = next(); job; job = next()) await job.start()
    running = undefined
  }

  return {
    add(work) {
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const start = () => {
        resolve(work())
        return done.catch(() => undefined)
      }
      const job: Job = { start, hasWaiters: false }
      jobs.push(job)
      running ??= run()
      return { done, prioritize: () => void (job.hasWaiters = true) }
    },
    isBusy: () => jobs.filter(({ hasWaiters }) => hasWaiters).length >= maxWaiting,
    async [Symbol.asyncDispose]() {
      jobs.length = 0
      await running
    },
  }
}

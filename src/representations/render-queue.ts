/** There is more to be made than anybody would wait for. */
export class RenderingBusy extends Error {
  override readonly name = 'RenderingBusy'

  constructor() {
    super('Too many feeds are waiting to be made')
  }
}

const maxWaiting = 200

type Job = { readonly start: () => Promise<void>; readonly isAwaited: () => boolean }

/** Makes one thing after the other, what somebody waits for first. */
export type RenderQueue = {
  /** Rejects with `RenderingBusy` when somebody waits for too many already. */
  readonly add: <T>(work: () => Promise<T>, isAwaited: () => boolean) => Promise<T>
}

export function createRenderQueue(): RenderQueue {
  const jobs: Job[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (;;) {
      const index = Math.max(
        0,
        jobs.findIndex((job) => job.isAwaited()),
      )
      const [job] = jobs.splice(index, 1)
      if (!job) break
      await job.start()
    }
    isRunning = false
  }

  return {
    add<T>(work: () => Promise<T>, isAwaited: () => boolean) {
      if (isAwaited() && jobs.length >= maxWaiting) return Promise.reject<T>(new RenderingBusy())
      const { promise, resolve } = Promise.withResolvers<T>()
      const start = async () => {
        const made = work()
        resolve(made)
        await made.catch(() => undefined)
      }
      jobs.push({ start, isAwaited })
      if (!isRunning) void run()
      return promise
    },
  }
}

import { createUsedTime, takeLowest } from '../used-time.ts'

/** If this many drawings are waiting, networks that have one of them may not add more. */
export const maxWaiting = 200

/**
 * Time after which a network's used drawing time counts half. With a longer half-life, new networks
 * could delay the others for longer, until they have used as much time.
 */
const halfLifeMs = 5_000

type Job = { readonly network: string; readonly start: () => Promise<unknown> }

/**
 * Runs one drawing at a time. The network that has recently used the least drawing time goes first,
 * so that a client that rarely needs a picture waits only for the drawing in progress.
 */
export function createDrawingQueue(now: () => number = () => performance.now()) {
  const waiting: Job[] = []
  const used = createUsedTime(halfLifeMs)
  let isRunning = false

  function takeNext(): Job | undefined {
    const at = now()
    return takeLowest(waiting, ({ network }) => used.of(network, at))
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (let job = takeNext(); job; job = takeNext()) {
      const startedAt = now()
      await job.start().catch(() => undefined)
      const at = now()
      used.add(job.network, at - startedAt, at)
    }
    isRunning = false
  }

  return {
    /** Resolves or rejects like the drawing. */
    add<T>(network: string, draw: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>()
      waiting.push({
        network,
        start() {
          const drawn = draw()
          resolve(drawn)
          return drawn
        },
      })
      void run()
      return promise
    },
    /**
     * True if too many drawings are waiting, and one of them is for this network. If so, callers must
     * not add another one. Other networks may still add one each.
     */
    isBusy: (network: string) =>
      waiting.length >= maxWaiting && waiting.some((job) => job.network === network),
  }
}

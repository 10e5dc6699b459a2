import { rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Times } from '../http/front/cached-response.ts'
import {
  callsSentBy,
  type CallsToFront,
  type CallsToWorker,
  type FrontFigures,
  type ListenRequest,
  type WorkerExit,
  type WorkerShare,
} from '../http/front/protocol.ts'
import type { ResponseCache } from '../http/front/response-cache.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { createWorkerRequests, type WorkerLimits } from '../http/front/worker-requests.ts'

/** What the front's workers share. */
export type FrontContext = Pick<CallsToFront, 'changeSites' | 'serving' | 'drain'> & {
  readonly limits: WorkerLimits
  readonly clock: Clock
  readonly times: Times
  readonly cache: ResponseCache
  /** Returns the key of a request's URL in the cache. */
  readonly keyOf: (request: IncomingMessage) => string
  /** Starts listening, if the front does not yet. Resolves to the URL. */
  readonly open: (request: ListenRequest) => Promise<string>
  readonly shareOf: (worker: number) => WorkerShare | undefined
  /** Returns the latest valid text of the sites file; undefined until there is one. */
  readonly sitesText: () => string | undefined
  readonly figures: () => FrontFigures | undefined
  readonly isStopping: () => boolean
  /** Closes the server after the pending responses. */
  readonly close: () => PromiseLike<void> | undefined
}

export type FrontWorker = ReturnType<typeof createFrontWorker>

/** The front's end of a worker, which outlives the worker's processes. Each listens at `socketPath`. */
export function createFrontWorker(front: FrontContext, index: number, socketPath: string) {
  const uses = createUseCounts()
  const reading = new Set<string>()
  const requests = createWorkerRequests(front, { worker: index, socketPath, used: uses.add })
  let worker = callsSentBy<CallsToWorker>(() => undefined)
  let exits: readonly WorkerExit[] = []

  function reportUses(): void {
    const counted = uses.take()
    if (counted.length > 0) worker.uses(counted)
  }

  const calls: CallsToFront = {
    async listen(request) {
      try {
        const url = await front.open(request)
        const [share, sitesText] = [front.shareOf(index), front.sitesText()]
        worker.listening({ url, socketPath, exits, share, sitesText })
      } catch (error) {
        const { message, ...details } = error as Error
        worker.cannotListen(message, details)
      }
    },
    expire(site, names, staleMs) {
      const expired = front.cache.expire(site, names, staleMs)
      // All other responses, such as pages, wait for a request.
      if (staleMs > 0) requests.refetch(expired)
    },
    remove: front.cache.remove,
    confirm: (id) => worker.done(id),
    reading: (site, isDone) => void (isDone ? reading.delete(site) : reading.add(site)),
    changeSites: front.changeSites,
    serving() {
      requests.serving()
      front.serving()
    },
    drain: front.drain,
    async close() {
      await front.close()
      reportUses()
      worker.closed()
    },
    pong: () => undefined,
  }

  return {
    calls,
    listener: requests.listener,
    /** Responds to the requests that wait for the worker to start. */
    stopWaiting: requests.stopWaiting,
    used: uses.add,
    /** Connects the next process. */
    connect(process: CallsToWorker, earlierExits: readonly WorkerExit[]): void {
      worker = process
      exits = earlierExits
      worker.start(front.sitesText())
    },
    process: () => worker,
    /** Returns the sites that the process was reading. */
    exited(): readonly string[] {
      // The next process listens at the same path.
      rmSync(socketPath, { force: true })
      requests.exited()
      const sites = [...reading]
      reading.clear()
      return sites
    },
    report(): void {
      reportUses()
      const figures = index === 0 ? front.figures() : undefined
      if (figures) worker.figures(figures)
    },
    stop(signal: 'SIGINT' | 'SIGTERM'): void {
      reportUses()
      worker.stop(signal)
    },
  }
}

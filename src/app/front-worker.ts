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

/** Parts of the front that its workers use. */
export type FrontContext = Pick<CallsToFront, 'changeSites' | 'serving' | 'drain'> & {
  readonly limits: WorkerLimits
  readonly clock: Clock
  readonly times: Times
  readonly cache: ResponseCache
  readonly keyOf: (request: IncomingMessage) => string
  /** Starts listening, if the front does not yet. Resolves to the URL. */
  readonly open: (request: ListenRequest) => Promise<string>
  readonly shareOf: (worker: number) => WorkerShare | undefined
  /** Returns the latest valid text of the sites file; undefined until there is one. */
  readonly sitesText: () => string | undefined
  readonly figures: () => FrontFigures | undefined
  readonly isStopping: () => boolean
  readonly close: () => PromiseLike<void> | undefined
}

export type FrontWorker = ReturnType<typeof createFrontWorker>

/** The front's end of a worker, which outlives the worker's processes. Each listens at `socketPath`. */
export function createFrontWorker(front: FrontContext, index: number, socketPath: string) {
  const uses = createUseCounts()
  const reading = new Set<string>()
  const requests = createWorkerRequests(front, { worker: index, socketPath, used: uses.add })
  let worker: CallsToWorker = callsSentBy(() => undefined)
  let exits: readonly WorkerExit[] = []

  function reportUses(): void {
    const counted = uses.take()
    if (counted.length > 0) worker.uses(counted)
  }

  async function listen(request: ListenRequest): Promise<void> {
    try {
      const url = await front.open(request)
      const [share, sitesText] = [front.shareOf(index), front.sitesText()]
      worker.listening({ url, socketPath, exits, share, sitesText })
    } catch (error) {
      const { message, ...details } = error as Error
      worker.cannotListen(message, details)
    }
  }

  async function close(): Promise<void> {
    await front.close()
    reportUses()
    worker.closed()
  }

  const calls: CallsToFront = {
    listen: (request) => void listen(request),
    expire(site, names, staleMs) {
      const expired = front.cache.expire(site, names, staleMs)
      // All other responses, such as pages, wait for a request.
      if (staleMs > 0) void requests.refetch(expired)
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
    close: () => void close(),
    pong: () => undefined,
  }

  function connect(process: CallsToWorker, earlierExits: readonly WorkerExit[]): void {
    worker = process
    exits = earlierExits
    worker.start(front.sitesText())
  }

  /** Returns the sites that the process was reading. */
  function exited(): readonly string[] {
    // The next process listens at the same path.
    rmSync(socketPath, { force: true })
    requests.exited()
    const sites = [...reading]
    reading.clear()
    return sites
  }

  function report(): void {
    reportUses()
    const figures = index === 0 ? front.figures() : undefined
    if (figures) worker.figures(figures)
  }

  function stop(signal: 'SIGINT' | 'SIGTERM'): void {
    reportUses()
    worker.stop(signal)
  }

  const { listener, stopWaiting } = requests
  const used = uses.add
  return {
    calls,
    process: () => worker,
    connect,
    exited,
    report,
    stop,
    listener,
    stopWaiting,
    used,
  }
}

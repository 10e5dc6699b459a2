import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock, type Clock } from '../clock.ts'
import type { Times } from '../http/front/cached-response.ts'
import { createFrontListener } from '../http/front/front-listener.ts'
import type { FrontFigures, WorkerShare, ToFront } from '../http/front/protocol.ts'
import { createResponseCache, systemTimes } from '../http/front/response-cache.ts'
import type { WorkerLimits } from '../http/front/worker-requests.ts'
import { createRejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import type { Logger, LogLevel } from '../log.ts'
import { createFrontWorker, type FrontWorker, type ListenRequest } from './front-worker.ts'
import type { WorkerRoutes } from './worker-routes.ts'
import { changedShares } from './site-shares.ts'
import { addressOf, pathOf, serverUrl, watchedResponses } from './web-server.ts'

/** Resolution of the event loop delay. */
const delayResolutionMs = 5

/** The half of the service that has the sockets. It outlives the processes of its workers. */
export type Front = AsyncDisposable & {
  readonly worker: (index: number) => FrontWorker
  /** Resolves to the number of workers once the first one has started completely. */
  readonly served: Promise<number>
  /** Returns true once the first worker has started completely. */
  readonly hasServed: () => boolean
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  /** Makes the workers read the sites file again. */
  readonly reload: () => void
  /** Undefined until a worker has set the log level. */
  readonly log: () => Logger | undefined
}

export function createFront(options: {
  /** Directory for the sockets of the workers. */
  readonly directory: string
  readonly createLogger: (level: LogLevel) => Logger
  readonly limits: WorkerLimits
  readonly clock?: Clock
  readonly times?: Times
}): Front {
  const { directory, createLogger, limits, clock = systemClock, times = systemTimes } = options
  const resources = new AsyncDisposableStack()
  const cache = createResponseCache(times)
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delay.enable()
  resources.defer(() => void delay.disable())
  const served = Promise.withResolvers<number>()
  let shares: ListenRequest['shares'] = []
  let sitesText: string | undefined
  let routes: WorkerRoutes | undefined
  let server: Awaited<ReturnType<typeof openServer>> | undefined
  let closing: PromiseLike<void> | undefined
  let hasServed = false
  let hasStopSignal = false
  let isStopping = false

  const socketPathOf = (index: number) => join(directory, `worker-${index}`)

  const first = createWorker(0)
  const workers = [first]
  const workerOf = (index: number | undefined) => workers[index ?? 0] ?? first

  function createWorker(index: number): FrontWorker {
    return createFrontWorker({
      index,
      socketPath: socketPathOf(index),
      limits,
      clock,
      times,
      cache,
      keyOf: (request) => server?.keyOf(request) ?? '',
      async open(request) {
        if (!server) {
          server = await openServer(request)
          await openWorkers(request)
        }
        return { url: server.url, share: shareOf(index) }
      },
      sitesText: () => sitesText,
      sitesChanged: (change) => void changeSites(change),
      figures: () => (index === 0 ? figures() : undefined),
      isStopping: () => isStopping,
      serving() {
        hasServed = true
        served.resolve(workers.length)
      },
      drain() {
        isStopping = hasStopSignal
      },
      // A worker that fails on its own does not close the server.
      close: async () => (hasStopSignal ? close() : undefined),
    })
  }

  const forward: RequestListener = (request, response) =>
    workerOf(routes?.ofRequest(request)).listener(request, response)

  async function openServer(request: ListenRequest) {
    const { host, port, proxies, isAlone, logLevel } = request
    const opened = resources.use(await listen(host, port))
    const log = createLogger(logLevel as LogLevel)
    const rejections = createRejections(clock, log)
    const inFlight = resources.use(watchedResponses(clock, rejections))
    const keyOf = isAlone ? pathOf : addressOf
    const listener = createFrontListener({
      cache,
      times,
      keyOf,
      others: forward,
      used: (worker, use) => workerOf(worker).used(use),
      inFlight,
      isStopping: () => isStopping,
      proxies,
    })
    const answering = opened.answer(listener, { inFlight, rejections })
    return {
      url: serverUrl(host, opened.port),
      log,
      rejections,
      keyOf,
      answering,
    }
  }

  /** Prepares for all workers, so that their sites respond while they start. */
  async function openWorkers(request: ListenRequest): Promise<void> {
    await spread(request.shares)
    for (let index = 1; index < shares.length; index += 1) workers.push(createWorker(index))
  }

  async function spread(sites: ListenRequest['shares']): Promise<void> {
    shares = sites
    if (shares.length < 2) return
    const { createWorkerRoutes } = await import('./worker-routes.ts')
    routes = createWorkerRoutes(shares)
  }

  /** Moves no site to another worker, so that no two workers read the same website. */
  async function changeSites({
    text,
    sites,
  }: Extract<ToFront, { kind: 'sites changed' }>): Promise<void> {
    const isFirst = sitesText === undefined
    const names = new Set(sites.map(({ name }) => name))
    const removed = shares.flat().filter(({ name }) => !names.has(name))
    sitesText = text
    await spread(changedShares(shares, sites))
    for (const { name } of removed) cache.remove(name)
    // Workers that start later start with it.
    if (isFirst) return
    for (const [index, worker] of workers.entries()) {
      worker.changeSites({ text, share: shareOf(index) })
    }
  }

  function shareOf(index: number): WorkerShare | undefined {
    const own = shares[index]
    if (!own || shares.length < 2) return undefined
    const others = shares.map((sites, other) => ({
      index: other,
      socketPath: socketPathOf(other),
      sites,
    }))
    return {
      sites: own.map(({ name }) => name),
      otherWorkers: index === 0 ? others.slice(1) : [],
      firstSocketPath: index === 0 ? undefined : socketPathOf(0),
    }
  }

  function figures(): FrontFigures | undefined {
    if (!server) return undefined
    const maxDelayMs = Math.max(0, delay.max / 1e6 - delayResolutionMs)
    delay.reset()
    return {
      rejections: server.rejections.counts(),
      maxDelayMs,
      residentBytes: process.memoryUsage.rss(),
    }
  }

  function close(): PromiseLike<void> | undefined {
    for (const worker of workers) worker.stopWaiting()
    closing ??= server?.answering[Symbol.asyncDispose]()
    return closing
  }

  return {
    worker: workerOf,
    served: served.promise,
    hasServed: () => hasServed,
    stop(signal) {
      hasStopSignal = true
      for (const worker of workers) worker.stop(signal)
    },
    reload: () => first.reload(),
    log: () => server?.log,
    async [Symbol.asyncDispose]() {
      await close()
      await resources.disposeAsync()
    },
  }
}

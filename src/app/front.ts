import { rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock, type Clock } from '../clock.ts'
import type { Times } from '../http/front/cached-response.ts'
import { createFrontListener } from '../http/front/front-listener.ts'
import {
  callsSentBy,
  type CallsToFront,
  type CallsToWorker,
  type FrontFigures,
  type ListenRequest,
  type PublicSite,
  type WorkerExit,
  type WorkerShare,
} from '../http/front/protocol.ts'
import { createOrigin, type Origin, type RequestContext } from '../http/front/origin.ts'
import { connectToWorker } from '../http/front/forward.ts'
import { createResponseCache, systemTimes } from '../http/front/response-cache.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { createInFlightResponses } from '../http/server/in-flight-responses.ts'
import { createRejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import { createPlaceLookup } from '../http/server/virtual-hosts.ts'
import type { Logger, LogLevel } from '../log.ts'
import { siteShares } from './site-shares.ts'
import { serverUrl } from './web-server.ts'

const delayResolutionMs = 5

/** Sampling the delay wakes an idle process 200 times a second, so it ends this long after a request. */
const delayIdleMs = 60_000

/** The half of the service that has the sockets. It outlives the processes of its workers. */
export type Front = ReturnType<typeof createFront>

export function createFront(options: {
  readonly directory: string
  readonly createLogger: (level: LogLevel) => Logger
  readonly limits: RequestContext['limits']
  readonly clock?: Clock
  readonly times?: Times
}) {
  const { directory, createLogger, limits, clock = systemClock, times = systemTimes } = options
  const resources = new AsyncDisposableStack()
  const cache = createResponseCache(times)
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  resources.defer(() => void delay.disable())
  const served = Promise.withResolvers<number>()
  let shares: ReturnType<typeof siteShares> = []
  let sitesText: string | undefined
  let placeOf: ReturnType<typeof createPlaceLookup<Origin>> | undefined
  let server: Awaited<ReturnType<typeof openServer>> | undefined
  let closing: PromiseLike<void> | undefined
  let hasServed = false
  let hasStopSignal = false
  let usedAt = -Infinity
  let isStopping = false

  const context: FrontContext = {
    limits,
    clock,
    times,
    cache,
    keyOf: (request) => server?.keyOf(request) ?? '',
    open,
    shareOf,
    sitesText: () => sitesText,
    changeSites,
    figures,
    isStopping: () => isStopping,
    serving() {
      hasServed = true
      served.resolve(workers.length)
    },
    drain() {
      isStopping = hasStopSignal
    },
    // A worker that fails on its own does not close the server.
    close: () => (hasStopSignal ? close() : undefined),
  }
  const socketPathOf = (index: number) => join(directory, `worker-${index}`)
  const createWorker = (index: number) => createFrontWorker(context, index, socketPathOf(index))
  const first = createWorker(0)
  const workers = [first]
  const workerOf = (index = 0) => workers[index] ?? first

  /** Prepares for all workers, so that their sites respond while they start. */
  async function open(request: ListenRequest): Promise<string> {
    if (server) return server.url
    server = await openServer(request)
    for (let index = 1; index < request.workers; index += 1) workers.push(createWorker(index))
    spread(request.sites)
    return server.url
  }

  async function openServer({ host, port, proxies, isAlone, logLevel }: ListenRequest) {
    const opened = resources.use(await listen(host, port))
    const log = createLogger(logLevel)
    const rejections = createRejections(clock, log)
    const inFlight = resources.use(createInFlightResponses(clock, rejections))
    const keyOf = ({ headers, url = '' }: IncomingMessage) =>
      isAlone ? url : `${headers.host ?? ''} ${url}`
    const listener = createFrontListener({
      ...context,
      keyOf,
      others: (request, response) =>
        (placeOf?.(request).value ?? first.origin).listener(request, response),
      inFlight,
      proxies,
    })
    const answering = opened.answer(
      (request, response) => {
        usedAt = clock.now()
        delay.enable()
        listener(request, response)
      },
      { inFlight, rejections },
    )
    return { url: serverUrl(host, opened.port), log, rejections, keyOf, answering }
  }

  function spread(sites: readonly PublicSite[]): void {
    shares = siteShares(sites, workers.length)
    const placed = shares.flatMap((share, index) =>
      share.map((site) => ({ ...site, value: workerOf(index).origin })),
    )
    placeOf = workers.length > 1 ? createPlaceLookup(placed) : undefined
  }

  function changeSites(text: string, sites: readonly PublicSite[]): void {
    const isFirst = sitesText === undefined
    const names = new Set(sites.map(({ name }) => name))
    const removed = shares.flat().filter(({ name }) => !names.has(name))
    sitesText = text
    spread(sites)
    for (const { name } of removed) cache.remove(name)
    // Workers that start later start with it.
    if (isFirst) return
    for (const [index, worker] of workers.entries()) {
      worker.process().sites({ text, share: shareOf(index) })
    }
  }

  function shareOf(index: number): WorkerShare | undefined {
    const own = shares[index]
    if (!own || shares.length < 2) return undefined
    const all = shares.map((sites, other) => ({
      index: other,
      socketPath: socketPathOf(other),
      sites,
    }))
    return {
      names: own.map(({ name }) => name),
      otherWorkers: index === 0 ? all.slice(1) : [],
      firstSocketPath: index === 0 ? undefined : socketPathOf(0),
    }
  }

  function figures() {
    if (!server) return undefined
    const maxDelayMs = Math.max(0, delay.max / 1e6 - delayResolutionMs)
    delay.reset()
    if (clock.now() - usedAt > delayIdleMs) delay.disable()
    const residentBytes = process.memoryUsage.rss()
    return { rejections: server.rejections.counts(), maxDelayMs, residentBytes }
  }

  function close(): PromiseLike<void> | undefined {
    for (const worker of workers) worker.origin.stopWaiting()
    closing ??= server?.answering[Symbol.asyncDispose]()
    return closing
  }

  return {
    worker: workerOf,
    /** Resolves to the number of workers once the first one has started completely. */
    served: served.promise,
    hasServed: () => hasServed,
    stop(signal: 'SIGINT' | 'SIGTERM'): void {
      hasStopSignal = true
      for (const worker of workers) worker.stop(signal)
    },
    reload: () => first.process().reload(),
    /** Undefined until a worker has set the log level. */
    log: () => server?.log,
    async [Symbol.asyncDispose]() {
      await close()
      await resources.disposeAsync()
    },
  }
}

/** Parts of the front that its workers use. */
type FrontContext = RequestContext &
  Pick<CallsToFront, 'changeSites' | 'serving' | 'drain'> & {
    /** Starts listening, if the front does not yet. Resolves to the URL. */
    readonly open: (request: ListenRequest) => Promise<string>
    readonly shareOf: (worker: number) => WorkerShare | undefined
    /** Returns the latest valid text of the sites file; undefined until there is one. */
    readonly sitesText: () => string | undefined
    readonly figures: () => FrontFigures | undefined
    readonly close: () => PromiseLike<void> | undefined
  }

export type FrontWorker = ReturnType<typeof createFrontWorker>

/** The front's end of a worker, which outlives the worker's processes. Each listens at `socketPath`. */
function createFrontWorker(front: FrontContext, index: number, socketPath: string) {
  const uses = createUseCounts()
  const reading = new Set<string>()
  const origin = createOrigin(front, { connect: () => connectToWorker(socketPath), used: uses.add })
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
      if (staleMs > 0) void origin.refetch(expired)
    },
    remove: front.cache.remove,
    confirm: (id) => worker.done(id),
    reading: (site, isDone) => void (isDone ? reading.delete(site) : reading.add(site)),
    changeSites: front.changeSites,
    serving() {
      origin.serving()
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
    origin.exited()
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

  return { origin, calls, process: () => worker, connect, exited, report, stop }
}

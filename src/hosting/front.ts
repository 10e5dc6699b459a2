import { rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock, type Clock } from '../clock.ts'
import type { Times } from '../front/cached-response.ts'
import { createFrontListener } from '../front/front-listener.ts'
import {
  callsSentBy,
  type CallsToFront,
  type CallsToWorker,
  type FrontFigures,
  type ListenRequest,
  type WorkerExit,
} from '../front/protocol.ts'
import { createOrigin } from '../front/origin.ts'
import type { RequestContext } from '../front/request-context.ts'
import { connectToWorker } from '../front/origin-connection.ts'
import { createRequestBodies } from '../front/request-bodies.ts'
import { createResponseCache, systemTimes } from '../front/response-cache.ts'
import { createDailyReaders } from '../front/daily-readers.ts'
import { createUseCounts } from '../front/use-counts.ts'
import { clientAddress } from '../front/client-address.ts'
import { listen } from '../front/server.ts'
import { targetOf } from './virtual-hosts.ts'
import type { Logger, LogLevel } from '../log.ts'
import { createPlacement, type PlacedWorker, type Placement } from './placement.ts'
import { serverUrl } from './web-server.ts'

const delayResolutionMs = 5

/** How long sampling continues after a request. It wakes an idle process 200 times a second. */
const delayIdleMs = 60_000

/** The half of the service that owns the sockets. It outlives its worker processes. */
export type Front = AsyncDisposable & {
  readonly worker: (index?: number) => FrontWorker
  /** Resolves to the number of workers once the first one has started completely. */
  readonly served: Promise<number>
  readonly hasServed: () => boolean
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  readonly reload: () => void
  /** Undefined until a worker has set the log level. */
  readonly log: () => Logger | undefined
}

export function createFront(options: {
  readonly directory: string
  readonly createLogger: (level: LogLevel) => Logger
  readonly limits: RequestContext['limits']
  readonly clock?: Clock
  readonly times?: Times
}): Front {
  const { directory, createLogger, limits, clock = systemClock, times = systemTimes } = options
  const resources = new AsyncDisposableStack()
  const cache = createResponseCache(times)
  const delays = resources.use(createDelayMeter(clock))
  const served = Promise.withResolvers<number>()
  let server: Awaited<ReturnType<typeof openServer>> | undefined
  let closing: PromiseLike<void> | undefined
  let hasServed = false
  let ending: 'signaled' | 'draining' | undefined

  const context: FrontContext = {
    limits,
    clock,
    times,
    cache,
    keyOf: (request) => server?.keyOf(request) ?? '',
    addressOf: (request) => clientAddress(request, server?.proxies ?? 0),
    bodies: createRequestBodies({
      report: (...refused) => server?.rejections.report(...refused),
      addUnread: (response) => server?.inFlight.addUnread(response),
    }),
    admit: (response, address) => server?.inFlight.admit(response.req, response, address) === true,
    open,
    placement: () => placement,
    figures,
    isStopping: () => ending === 'draining',
    serving() {
      hasServed = true
      served.resolve(workers.length)
      void placement.hosts.join()
    },
    drain() {
      ending &&= 'draining'
    },
    // A worker that fails on its own does not close the server.
    close: () => ending && close(),
  }
  const socketPathOf = (index: number) => join(directory, `worker-${index}`)
  const createWorker = (index: number) => createFrontWorker(context, index, socketPathOf(index))
  const first = createWorker(0)
  const workers: [FrontWorker, ...FrontWorker[]] = [first]
  const placement = resources.use(createPlacement(context, workers))
  const workerOf = (index = 0) => workers[index] ?? first

  /** Creates all workers in advance, so that their sites respond while they start. */
  async function open(request: ListenRequest): Promise<string> {
    if (server) return server.url
    server = await openServer(request)
    for (let index = 1; index < request.workers; index += 1) workers.push(createWorker(index))
    await placement.start(request, server.log)
    return server.url
  }

  async function openServer({ host, port, proxies, isAlone, logLevel }: ListenRequest) {
    const log = createLogger(logLevel)
    const opened = resources.use(await listen(host, port, { clock, log }))
    const { rejections, inFlight } = opened
    const keyOf = keysFor(isAlone)
    const { noteUse } = delays
    const handlers = { answerHost: placement.hosts.answer, others: placement.route, noteUse }
    const answering = opened.answer(createFrontListener({ ...context, ...handlers, inFlight }))
    const url = serverUrl(host, opened.port)
    return { url, log, proxies, rejections, inFlight, keyOf, answering }
  }

  function figures() {
    if (!server) return undefined
    const residentBytes = process.memoryUsage.rss()
    return { rejections: server.rejections.counts(), maxDelayMs: delays.takeMaxMs(), residentBytes }
  }

  function close(): PromiseLike<void> | undefined {
    for (const worker of workers) worker.origin.stopWaiting()
    closing ??= server?.answering[Symbol.asyncDispose]()
    return closing
  }

  return {
    worker: workerOf,
    served: served.promise,
    hasServed: () => hasServed,
    stop(signal) {
      ending ??= 'signaled'
      void placement.hosts.leave()
      for (const worker of workers) worker.stop(signal)
    },
    reload: () => first.process().reload(),
    log: () => server?.log,
    async [Symbol.asyncDispose]() {
      await close()
      await resources.disposeAsync()
    },
  }
}

/** Measures delays of the event loop while the service is used. */
function createDelayMeter(clock: Clock) {
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  let usedAt = -Infinity
  return {
    noteUse: (at: number) => {
      usedAt = at
      delay.enable()
    },
    /** Returns the longest delay since the previous call. */
    takeMaxMs(): number {
      const maxMs = Math.max(0, delay.max / 1e6 - delayResolutionMs)
      delay.reset()
      if (clock.now() - usedAt > delayIdleMs) delay.disable()
      return maxMs
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}

/** Returns a function for the cache keys of requests: URLs, with the host if there are other sites. */
const keysFor = (isAlone: boolean) => (request: IncomingMessage) => {
  if (isAlone && request.url?.startsWith('/')) return request.url
  const { host, url } = targetOf(request)
  return isAlone ? url : `${host} ${url}`
}

type FrontContext = RequestContext & {
  readonly serving: () => void
  readonly drain: () => void
  /** Starts listening, unless the front already does. Resolves to the URL. */
  readonly open: (request: ListenRequest) => Promise<string>
  readonly placement: () => Placement
  readonly figures: () => FrontFigures | undefined
  readonly close: () => PromiseLike<void> | undefined
}

/** The front's end of a worker, which outlives the worker's processes. Each listens at `socketPath`. */
export type FrontWorker = PlacedWorker & {
  readonly calls: CallsToFront
  readonly connect: (process: CallsToWorker, earlierExits: readonly WorkerExit[]) => void
  /** Returns the sites that the process was reading. */
  readonly exited: () => readonly string[]
  readonly report: () => void
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
}

function createFrontWorker(front: FrontContext, index: number, socketPath: string): FrontWorker {
  const uses = createUseCounts(createDailyReaders(front.clock))
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
      const { shareOf, sitesText } = front.placement()
      worker.listening({ url, socketPath, exits, share: shareOf(index), sitesText: sitesText() })
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
      front.placement().hosts.share.expire(site, names, staleMs)
    },
    remove(site, tags) {
      front.cache.remove(site, tags)
      front.placement().hosts.share.remove(site, tags)
    },
    restart(site, version, tags) {
      front.cache.restart(site, version, tags)
      front.placement().hosts.share.restart(site, version, tags)
    },
    lost: (site) => front.cache.remove(site),
    confirm: (id) =>
      void front
        .placement()
        .hosts.share.done()
        .then(() => worker.done(id)),
    reading: (site, isDone) => void (isDone ? reading.delete(site) : reading.add(site)),
    changeSites: (text, sites) => front.placement().changeSites(text, sites),
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
    worker.start(front.placement().sitesText())
  }

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
    if (index > 0) return
    front.placement().hosts.report()
    const figures = front.figures()
    if (figures) worker.figures(figures)
  }

  function stop(signal: 'SIGINT' | 'SIGTERM'): void {
    reportUses()
    worker.stop(signal)
  }

  return { origin, socketPath, calls, process: () => worker, connect, exited, report, stop }
}

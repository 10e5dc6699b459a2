import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock, type Clock } from '../clock.ts'
import type { Times } from '../http/front/cached-response.ts'
import { createFrontListener } from '../http/front/front-listener.ts'
import type { FrontFigures, MakerShare, ToFront } from '../http/front/protocol.ts'
import { createResponseCache, systemTimes } from '../http/front/response-cache.ts'
import type { WorkerLimits } from '../http/front/worker-requests.ts'
import { createRejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import type { Logger, LogLevel } from '../log.ts'
import { createFrontMaker, type FrontMaker, type ListenRequest } from './front-maker.ts'
import type { MakerRoutes } from './maker-routes.ts'
import { changedShares } from './site-shares.ts'
import { addressOf, pathOf, serverUrl, watchedResponses } from './web-server.ts'

/** Resolution of the event loop delay. */
const delayResolutionMs = 5

/** The half of the service that has the sockets. It outlives the processes of its makers. */
export type Front = AsyncDisposable & {
  readonly maker: (index: number) => FrontMaker
  /** Resolves to the number of makers once the first one has started completely. */
  readonly served: Promise<number>
  /** Returns true once the first maker has started completely. */
  readonly hasServed: () => boolean
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  /** Makes the makers read the sites file again. */
  readonly reload: () => void
  /** Undefined until a maker has set the log level. */
  readonly log: () => Logger | undefined
}

export function createFront(options: {
  /** Directory for the sockets of the makers. */
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
  let routes: MakerRoutes | undefined
  let server: Awaited<ReturnType<typeof openServer>> | undefined
  let closing: PromiseLike<void> | undefined
  let hasServed = false
  let hasStopSignal = false
  let isStopping = false

  const socketPathOf = (index: number) => join(directory, `maker-${index}`)

  const first = createMaker(0)
  const makers = [first]
  const makerOf = (index: number | undefined) => makers[index ?? 0] ?? first

  function createMaker(index: number): FrontMaker {
    return createFrontMaker({
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
          await openMakers(request)
        }
        return { url: server.url, share: shareOf(index) }
      },
      sitesText: () => sitesText,
      sitesChanged: (change) => void changeSites(change),
      figures: () => (index === 0 ? figures() : undefined),
      isStopping: () => isStopping,
      serving() {
        hasServed = true
        served.resolve(makers.length)
      },
      drain() {
        isStopping = hasStopSignal
      },
      // A maker that fails on its own does not close the server.
      close: async () => (hasStopSignal ? close() : undefined),
    })
  }

  const forward: RequestListener = (request, response) =>
    makerOf(routes?.ofRequest(request)).listener(request, response)

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
      used: (worker, use) => makerOf(worker).used(use),
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

  /** Prepares for all makers, so that their sites respond while they start. */
  async function openMakers(request: ListenRequest): Promise<void> {
    await spread(request.shares)
    for (let index = 1; index < shares.length; index += 1) makers.push(createMaker(index))
  }

  async function spread(sites: ListenRequest['shares']): Promise<void> {
    shares = sites
    if (shares.length < 2) return
    const { createMakerRoutes } = await import('./maker-routes.ts')
    routes = createMakerRoutes(shares)
  }

  /** Moves no site to another maker, so that no two makers read the same website. */
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
    // Makers that start later start with it.
    if (isFirst) return
    for (const [index, maker] of makers.entries()) {
      maker.changeSites({ text, share: shareOf(index) })
    }
  }

  function shareOf(index: number): MakerShare | undefined {
    const own = shares[index]
    if (!own || shares.length < 2) return undefined
    const others = shares.map((sites, other) => ({
      index: other,
      socketPath: socketPathOf(other),
      sites,
    }))
    return {
      sites: own.map(({ name }) => name),
      otherMakers: index === 0 ? others.slice(1) : [],
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
    for (const maker of makers) maker.stopWaiting()
    closing ??= server?.answering[Symbol.asyncDispose]()
    return closing
  }

  return {
    maker: makerOf,
    served: served.promise,
    hasServed: () => hasServed,
    stop(signal) {
      hasStopSignal = true
      for (const maker of makers) maker.stop(signal)
    },
    reload: () => first.reload(),
    log: () => server?.log,
    async [Symbol.asyncDispose]() {
      await close()
      await resources.disposeAsync()
    },
  }
}

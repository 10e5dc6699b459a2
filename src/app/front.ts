import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { RequestListener } from 'node:http'
import { systemClock as clock } from '../clock.ts'
import { createForwarding, type Forwarding } from '../http/front/forward.ts'
import { createFrontListener, createPublishedSender } from '../http/front/front-listener.ts'
import { createHealthFallback } from '../http/front/health.ts'
import type { Address, MakerExit, ToFront, ToMaker, Use } from '../http/front/protocol.ts'
import { createPublishedResponses } from '../http/front/published-responses.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { createRejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import { unavailable } from '../http/server/starting.ts'
import type { Logger, LogLevel } from '../log.ts'
import { addressOf, pathOf, serverUrl, watchedResponses } from './web-server.ts'

const respondRestarting = unavailable(2, 'Feedhouse is restarting. Please try again shortly.')

/** Resolution of the event loop delay. */
const delayResolutionMs = 5

/** The half of the service that has the sockets. It outlives its makers. */
export type Front = AsyncDisposable & {
  /** Connects the next maker, which asks to listen. */
  readonly connect: (send: (message: ToMaker) => void, exits: readonly MakerExit[]) => void
  readonly receive: (message: ToFront) => void
  /** Keeps serving what the maker has published. Returns the sites that it was reading. */
  readonly makerExited: () => readonly string[]
  /** Reports uses and figures to the maker. */
  readonly report: () => void
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  /** Returns true once a maker has started completely. */
  readonly hasServed: () => boolean
  /** Undefined until a maker has set the log level. */
  readonly log: () => Logger | undefined
}

type ListenRequest = Extract<ToFront, { kind: 'listen' }>

const sendNowhere = (_message: ToMaker) => undefined

export function createFront(
  directory: string,
  createLogger: (level: LogLevel) => Logger,
  { staleAfterMs }: { readonly staleAfterMs: number },
): Front {
  const resources = new AsyncDisposableStack()
  const published = createPublishedResponses(clock)
  const uses = createUseCounts()
  const reading = new Set<string>()
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delay.enable()
  resources.defer(() => void delay.disable())
  let send: (message: ToMaker) => void = sendNowhere
  let exits: readonly MakerExit[] = []
  let makers = 0
  let forwarding: Forwarding | undefined
  let server: Awaited<ReturnType<typeof openServer>> | undefined
  let isStopping = false
  let hasServed = false

  const socketPathOf = (maker: number) => join(directory, `maker-${maker}`)

  async function openServer({ host, port, proxies, isAlone, logLevel }: ListenRequest) {
    const opened = resources.use(await listen(host, port))
    const log = createLogger(logLevel as LogLevel)
    const rejections = createRejections(clock, log)
    const inFlight = resources.use(watchedResponses(clock, rejections))
    const urlOf = isAlone ? pathOf : addressOf
    const parts = { published, urlOf, used: (use: Use) => uses.add(use), inFlight }
    const sendStale = createPublishedSender({ ...parts, isStaleAllowed: true })
    const health = createHealthFallback(respondRestarting)
    const others: RequestListener = (request, response) => {
      if (forwarding) forwarding.listener(request, response)
      else if (!sendStale(request, response)) health.listener(request, response)
    }
    const listener = createFrontListener({
      ...parts,
      others,
      isStopping: () => isStopping,
      proxies,
    })
    const answering = opened.answer(listener, { inFlight, rejections })
    return {
      url: serverUrl(host, opened.port),
      log,
      rejections,
      urlOf,
      sendStale,
      health,
      answering,
    }
  }

  async function startListening(request: ListenRequest): Promise<void> {
    try {
      const { url, urlOf, sendStale, health } = (server ??= await openServer(request))
      const socketPath = socketPathOf(makers)
      forwarding = createForwarding({
        socketPath,
        staleAfterMs,
        received(request, status, address) {
          if (address) published.remember(urlOf(request), address as Address)
          return !isStopping && health.note(request, status)
        },
        sendStale,
        unanswered: health.listener,
      })
      send({ kind: 'listening', url, socketPath, exits })
    } catch (error) {
      const { message, ...details } = error as Error
      send({ kind: 'cannot listen', message, details })
    }
  }

  function reportUses(): void {
    const counted = uses.take()
    if (counted.length > 0) send({ kind: 'uses', uses: counted })
  }

  async function close(): Promise<void> {
    await server?.answering[Symbol.asyncDispose]()
    reportUses()
    send({ kind: 'closed' })
  }

  return {
    connect(sendToMaker, earlierExits) {
      send = sendToMaker
      exits = earlierExits
      makers += 1
    },
    receive(message) {
      switch (message.kind) {
        case 'listen':
          return void startListening(message)
        case 'publish':
          return published.receive(message.key, message.response, message.validUntil)
        case 'retire':
          return published.retire(message.key)
        case 'links':
          return published.setLinks(message.site, message.servesUntil)
        case 'reading':
          return void (message.isDone ? reading.delete(message.site) : reading.add(message.site))
        case 'drain':
          isStopping = true
          return undefined
        case 'serving':
          hasServed = true
          return undefined
        case 'close':
          return void close()
        case 'pong':
          return undefined
      }
    },
    makerExited() {
      forwarding?.close()
      forwarding = undefined
      rmSync(socketPathOf(makers), { force: true })
      server?.health.makerExited()
      published.expire()
      const sites = [...reading]
      reading.clear()
      return sites
    },
    report() {
      reportUses()
      if (!server) return
      const figures = {
        rejections: server.rejections.counts(),
        maxDelayMs: Math.max(0, delay.max / 1e6 - delayResolutionMs),
        residentBytes: process.memoryUsage.rss(),
      }
      delay.reset()
      send({ kind: 'figures', figures })
    },
    stop(signal) {
      reportUses()
      send({ kind: 'stop', signal })
    },
    hasServed: () => hasServed,
    log: () => server?.log,
    async [Symbol.asyncDispose]() {
      await server?.answering[Symbol.asyncDispose]()
      await resources.disposeAsync()
    },
  }
}

import { rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  createForwarding,
  type Forwarding,
  type StaleAfterMs,
  type StaleSender,
} from '../http/front/forward.ts'
import { createMakerHealth } from '../http/front/health.ts'
import type {
  Address,
  FrontFigures,
  MakerExit,
  MakerShare,
  SitesChange,
  ToFront,
  ToMaker,
  Use,
} from '../http/front/protocol.ts'
import type { PublishedResponses } from '../http/front/published-responses.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { respondStarting, unavailable } from '../http/server/starting.ts'

/**
 * How long requests wait for a starting maker. An immediate 503 would show as an error in apps, and a late
 * one delays proxies that try another replica.
 */
const maxStartMs = 5_000

/** Statuses that make the front drop its response for a URL. */
const withdrawn: ReadonlySet<number> = new Set([401, 403, 404, 410])

const respondRestarting = unavailable(2, 'Feedhouse is restarting. Please try again shortly.')

export type ListenRequest = Extract<ToFront, { kind: 'listen' }>

/** The front's end of the channel to a maker. It outlives the maker's processes. */
export type FrontMaker = {
  /** Connects the next process, which asks to listen. */
  readonly connect: (send: (message: ToMaker) => void, exits: readonly MakerExit[]) => void
  readonly changeSites: (change: SitesChange) => void
  /** Makes the maker read the sites file again. */
  readonly reload: () => void
  readonly receive: (message: ToFront) => void
  /** Keeps serving what the process has published. Returns the sites that it was reading. */
  readonly exited: () => readonly string[]
  /** Serves requests for anything that is not published. */
  readonly listener: RequestListener
  readonly used: (use: Use) => void
  /** Reports uses and figures to the maker. */
  readonly report: () => void
  readonly ping: () => void
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  /** Responds to the requests that wait for the maker to start. */
  readonly stopWaiting: () => void
}

export type FrontMakerOptions = {
  readonly index: number
  /** Where each of its processes listens. */
  readonly socketPath: string
  readonly staleAfterMs: StaleAfterMs
  readonly published: Pick<
    PublishedResponses,
    'receive' | 'retire' | 'retireSite' | 'setLinks' | 'expire'
  > & {
    /** Remembers what the URL of a request stands for. */
    readonly remember: (request: Pick<IncomingMessage, 'headers' | 'url'>, address: Address) => void
    /** Forgets what the URL of a request stands for. */
    readonly forget: (request: IncomingMessage) => void
    readonly sendRecent: StaleSender
    readonly sendStale: StaleSender
  }
  /** Starts listening unless the front already does. Resolves to the URL and to the maker's share. */
  readonly open: (
    request: ListenRequest,
  ) => Promise<{ readonly url: string; readonly share: MakerShare | undefined }>
  /** Returns the latest valid text of the sites file; undefined until there is one. */
  readonly sitesText: () => string | undefined
  readonly sitesChanged: (change: Extract<ToFront, { kind: 'sites changed' }>) => void
  /** Returns what to report in addition to uses; undefined for nothing. */
  readonly figures: () => FrontFigures | undefined
  readonly isStopping: () => boolean
  /** Called when a process has started completely. */
  readonly serving: () => void
  readonly drain: () => void
  /** Closes the server after the pending responses. */
  readonly close: () => Promise<void>
}

const sendNowhere = (_message: ToMaker) => undefined

export function createFrontMaker(options: FrontMakerOptions): FrontMaker {
  const { index, socketPath, staleAfterMs, published, open, isStopping } = options
  const uses = createUseCounts()
  const reading = new Set<string>()
  const health = createMakerHealth()
  const waiting = new Set<(listener: RequestListener) => void>()
  let send: (message: ToMaker) => void = sendNowhere
  let exits: readonly MakerExit[] = []
  let forwarding: Forwarding | undefined
  let isServing = false
  let unanswered: RequestListener = respondStarting

  /** Holds a request until the maker has started. */
  function wait(request: IncomingMessage, response: ServerResponse): void {
    const settle = (listener: RequestListener) => {
      clearTimeout(timer)
      if (waiting.delete(settle) && !response.destroyed) listener(request, response)
    }
    const timer = setTimeout(() => settle(unanswered), maxStartMs)
    waiting.add(settle)
    response.once('close', () => settle(unanswered))
  }

  function answerWaiting(listener: RequestListener): void {
    for (const settle of waiting) settle(listener)
  }

  function startServing({ listener }: Forwarding): void {
    isServing = true
    unanswered = respondRestarting
    health.serving()
    answerWaiting(listener)
  }

  function received(request: IncomingMessage, status: number, address: unknown): void {
    const isSafe = request.method === 'GET' || request.method === 'HEAD'
    if (address) published.remember(request, address as Address)
    else if (isSafe && withdrawn.has(status)) published.forget(request)
    if (!isStopping()) health.note(request, status)
  }

  async function startListening(request: ListenRequest): Promise<void> {
    try {
      const { url, share } = await open(request)
      forwarding = createForwarding({
        socketPath,
        staleAfterMs,
        received,
        sendRecent: published.sendRecent,
        sendStale: published.sendStale,
        sendHealth: health.send,
        unanswered: (request, response) => unanswered(request, response),
        unreachable: wait,
      })
      const sitesText = options.sitesText()
      send({ kind: 'listening', url, socketPath, exits, share, sitesText })
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
    await options.close()
    reportUses()
    send({ kind: 'closed' })
  }

  return {
    connect(sendToMaker, earlierExits) {
      send = sendToMaker
      exits = earlierExits
      send({ kind: 'start', sitesText: options.sitesText() })
    },
    receive(message) {
      switch (message.kind) {
        case 'listen':
          return void startListening(message)
        case 'publish':
          return published.receive(index, message.key, message.response, message.validUntil)
        case 'retire':
          return published.retire(message.key)
        case 'retire site':
          return published.retireSite(message.site)
        case 'confirm':
          return send({ kind: 'done', id: message.id })
        case 'sites changed':
          return options.sitesChanged(message)
        case 'address': {
          const { host, path, address } = message
          return published.remember({ headers: { host }, url: path }, address)
        }
        case 'links':
          return published.setLinks(message.site, message.servesUntil)
        case 'reading':
          return void (message.isDone ? reading.delete(message.site) : reading.add(message.site))
        case 'drain':
          return options.drain()
        case 'serving':
          if (forwarding) startServing(forwarding)
          return options.serving()
        case 'close':
          return void close()
        case 'pong':
          return undefined
      }
    },
    exited() {
      forwarding?.close()
      forwarding = undefined
      isServing = false
      // The next process listens at the same path.
      rmSync(socketPath, { force: true })
      health.exited()
      published.expire(index)
      const sites = [...reading]
      reading.clear()
      return sites
    },
    listener(request, response) {
      if (health.sendAlive(request, response)) return
      if (isServing && forwarding) return forwarding.listener(request, response)
      if (published.sendStale(request, response) || health.send(request, response)) return
      wait(request, response)
    },
    used: uses.add,
    report() {
      reportUses()
      const figures = options.figures()
      if (figures) send({ kind: 'figures', figures })
    },
    changeSites: (change) => send({ kind: 'sites', ...change }),
    reload: () => send({ kind: 'reload' }),
    ping: () => send({ kind: 'ping' }),
    stop(signal) {
      reportUses()
      send({ kind: 'stop', signal })
    },
    stopWaiting: () => answerWaiting(unanswered),
  }
}

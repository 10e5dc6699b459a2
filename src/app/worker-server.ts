import { createServer, type RequestListener } from 'node:http'
import type { EventEmitter } from 'node:events'
import type { Clock } from '../clock.ts'
import { markFromFront } from '../http/front/cache-fields.ts'
import {
  clientHeader,
  type Front,
  type FrontFigures,
  type WorkerExit,
  type SitesChange,
  type ToFront,
  type ToWorker,
} from '../http/front/protocol.ts'
import { createRejections, type Rejection, type Rejections } from '../http/server/rejections.ts'
import { respondStarting } from '../http/server/starting.ts'
import type { Use } from '../http/front/protocol.ts'
import type { Logger } from '../log.ts'
import type { ListenOptions, WebServer } from './web-server.ts'

/** Pause after two exits within this time while a site was read. */
const pauseMs = 60 * 60_000

/** The worker's end of the channel to the front. */
export type WorkerChannel = {
  /** Index of this worker, of which the first reports on the others. */
  readonly index: number
  readonly send: (message: ToFront) => void
  /** Emits `message` with a `ToWorker`. */
  readonly messages: EventEmitter<{ message: [ToWorker] }>
}

/**
 * Returns the channel of a process that the front has started, and the signal that the front passes on.
 * The process exits if the front does.
 */
export function workerChannel(index: number): {
  readonly front: WorkerChannel
  readonly stopped: Promise<'SIGINT' | 'SIGTERM'>
  /** Resolves to the valid text of the sites file to start with; undefined to read the file. */
  readonly sitesText: Promise<string | undefined>
  readonly close: () => void
} {
  const messages = process as unknown as WorkerChannel['messages']
  // A terminal sends signals to both processes.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.once('disconnect', exitWithFront)
  const stopped = waitForMessage(messages, 'stop').then(({ signal }) => signal)
  const sitesText = waitForMessage(messages, 'start').then((start) => start.sitesText)
  return {
    sitesText,
    front: {
      index,
      // Compression may end after the channel is closed.
      send: (message) => void (process.connected && process.send?.(message)),
      messages,
    },
    stopped,
    close() {
      process.off('disconnect', exitWithFront)
      process.disconnect()
    },
  }
}

function exitWithFront(): void {
  process.exit(1)
}

/**
 * Opens a web server whose sockets are in the front process. Rejects if the front cannot listen. Other
 * requests arrive on a Unix socket.
 */
export async function openWorkerServer(
  { send, messages }: WorkerChannel,
  { shares = [], ...address }: ListenOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<WebServer> {
  const listeners = new Map<string, (use: Use, count: number) => void>()
  let answer: RequestListener = respondStarting
  let answerWorker: RequestListener | undefined
  let isStopping = false
  let figures: FrontFigures | undefined
  let sitesChange: SitesChange | undefined
  let sitesChanged: ((change: SitesChange) => void) | undefined
  let reload: (() => void) | undefined

  function changeSites({ text, share }: SitesChange): void {
    sitesChange = { text, share }
    sitesChanged?.(sitesChange)
  }

  messages.on('message', (message) => {
    if (message.kind === 'ping') send({ kind: 'pong' })
    if (message.kind === 'figures') figures = withLongestDelay(message.figures, figures)
    if (message.kind === 'sites') changeSites(message)
    if (message.kind === 'listening' && message.sitesText !== undefined) {
      changeSites({ text: message.sitesText, share: message.share })
    }
    if (message.kind === 'reload') reload?.()
    if (message.kind !== 'uses') return
    for (const { use, count } of message.uses) listeners.get(use.site)?.(use, count)
  })
  const listening = waitForMessage(messages, 'listening', 'cannot listen')
  const { host, port, proxies, isAlone } = address
  const logLevel = log.level
  send({ kind: 'listen', host, port, proxies, isAlone, logLevel, shares })
  const reply = await listening
  if (reply.kind === 'cannot listen') throw Object.assign(new Error(reply.message), reply.details)
  // The front has checked the host and the time; HTTP/1.0 requests may have no host.
  const limits = { keepAliveTimeout: 0, requestTimeout: 0, requireHostHeader: false }
  const server = createServer(limits, (request, response) => {
    // Express and the limits see the client, not the front.
    const remoteAddress = request.headers[clientHeader]
    if (remoteAddress === undefined && answerWorker) return answerWorker(request, response)
    delete request.headers[clientHeader]
    markFromFront(request)
    Object.defineProperty(request.socket, 'remoteAddress', {
      value: remoteAddress,
      configurable: true,
    })
    answer(request, response)
  })
  const opened = Promise.withResolvers<void>()
  server.once('error', opened.reject)
  server.listen(reply.socketPath, opened.resolve)
  await opened.promise
  server.off('error', opened.reject)
  return {
    url: reply.url,
    exits: reply.exits,
    share: reply.share,
    onSitesChange(listener) {
      sitesChanged = listener
      if (sitesChange) listener(sitesChange)
    },
    changeSites: (text, sites) => send({ kind: 'sites changed', text, sites }),
    onReload(listener) {
      reload = listener
    },
    frontFigures() {
      const latest = figures
      // The longest delay is the one since the previous call.
      figures = figures && { ...figures, maxDelayMs: 0 }
      return latest
    },
    readingGuardFor: (site) => ({
      reading: (isDone) => send({ kind: 'reading', site, isDone }),
      pausedUntil: () => pausedUntil(site, reply.exits),
    }),
    front: createRemoteFront(send, messages, (site, listener) => {
      listeners.set(site, listener)
    }),
    rejections: withCounts(createRejections(clock, log), () => figures?.rejections ?? new Map()),
    isStopping: () => isStopping,
    drain() {
      isStopping = true
      send({ kind: 'drain' })
    },
    answer(listener, forWorkers) {
      answer = listener
      answerWorker = forWorkers
      send({ kind: 'serving' })
      return {
        async [Symbol.asyncDispose]() {
          const closed = waitForMessage(messages, 'closed')
          send({ kind: 'close' })
          await closed
        },
      }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function withLongestDelay(latest: FrontFigures, before: FrontFigures | undefined): FrontFigures {
  return { ...latest, maxDelayMs: Math.max(latest.maxDelayMs, before?.maxDelayMs ?? 0) }
}

/**
 * Returns until when a site is paused because of two recent exits while it was read, or 0. If another
 * site was read at the same exits and at others, that site is the likely cause. If several sites were
 * read at the same exits, they resume one after another, so that the next exit shows the cause.
 */
export function pausedUntil(site: string, exits: readonly WorkerExit[]): number {
  const timesOf = (name: string) =>
    exits.flatMap(({ at, reading }) => (reading.includes(name) ? [at] : []))
  const times = timesOf(site)
  const [latest = 0, previous = 0] = times.toSorted((a, b) => b - a)
  if (previous === 0 || latest - previous >= pauseMs) return 0
  const suspects = [...new Set(exits.flatMap(({ reading }) => reading))]
    .filter((name) => times.every((at) => timesOf(name).includes(at)))
    .toSorted()
  if (suspects.some((name) => timesOf(name).length > times.length)) return 0
  return latest + pauseMs * (1 + suspects.indexOf(site) / suspects.length)
}

function createRemoteFront(
  send: WorkerChannel['send'],
  messages: WorkerChannel['messages'],
  onUse: Front['onUse'],
): Front {
  const confirming = new Map<number, () => void>()
  let confirmations = 0
  messages.on('message', (message) => {
    if (message.kind !== 'done') return
    confirming.get(message.id)?.()
    confirming.delete(message.id)
  })
  return {
    done() {
      const { promise, resolve } = Promise.withResolvers<void>()
      confirmations += 1
      confirming.set(confirmations, resolve)
      send({ kind: 'confirm', id: confirmations })
      return promise
    },
    expire: (site, names, staleMs) => send({ kind: 'expire', site, names, staleMs }),
    remove: (site, tags) => send({ kind: 'remove', site, tags }),
    onUse,
  }
}

/** Adds the rejections by the front, which logs them itself. */
function withCounts(own: Rejections, others: () => ReadonlyMap<string, number>): Rejections {
  return {
    report: own.report,
    counts() {
      const counts = new Map(own.counts())
      for (const [reason, count] of others()) {
        counts.set(reason as Rejection, (counts.get(reason as Rejection) ?? 0) + count)
      }
      return counts
    },
  }
}

async function waitForMessage<K extends ToWorker['kind']>(
  messages: WorkerChannel['messages'],
  ...kinds: readonly K[]
): Promise<Extract<ToWorker, { kind: K }>> {
  const { promise, resolve } = Promise.withResolvers<Extract<ToWorker, { kind: K }>>()
  const listener = (message: ToWorker) => {
    if (kinds.includes(message.kind as K)) resolve(message as Extract<ToWorker, { kind: K }>)
  }
  messages.on('message', listener)
  const message = await promise
  messages.off('message', listener)
  return message
}

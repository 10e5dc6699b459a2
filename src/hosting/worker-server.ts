import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { setPriority } from 'node:os'
import type { Runtime } from '../app/runtime.ts'
import { markFromFront } from '../front/cache-fields.ts'
import {
  callsEmittedBy,
  callsSentBy,
  receiveCall,
  clientHeader,
  type CallsToFront,
  type Front,
  type FrontFigures,
  type SitesChange,
  type Use,
  type WorkerEvents,
  type WorkerSocket,
} from '../front/protocol.ts'
import { createRejections } from '../front/rejections.ts'
import { anyNumber } from '../front/server.ts'
import { respondStarting } from '../front/starting.ts'
import type { LogLevel } from '../log.ts'
import { createServer } from '../node-http.ts'
import { pausedUntil } from '../upstream/guarded-connection.ts'
import type { ListenOptions, WebServer } from './web-server.ts'

/** Niceness of workers, so that requests come first when all processors are busy. */
const workerPriority = 5

/** More than the 16 KB that clients may send, because the front adds headers. */
const maxHeaderSize = 32 * 1024

export type WorkerChannel = {
  /** Index of this worker. The first worker reports on the others. */
  readonly index: number
  readonly front: CallsToFront
  readonly events: WorkerEvents
}

/**
 * Returns the channel of a process that the front has started, and the signal that the front
 * forwards. The process exits if the front does.
 */
export function openWorkerChannel(index: number) {
  try {
    setPriority(workerPriority)
  } catch {
    // It is already lower, or a sandbox such as the systemd unit's does not allow this.
  }
  const events: WorkerEvents = new EventEmitter()
  // A terminal sends signals to both processes.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('message', (call) => receiveCall(callsEmittedBy(events), call))
  process.once('disconnect', exitWithFront)
  // Compression may end after the channel is closed.
  const front = callsSentBy(
    (call) => process.connected && process.send?.(call, undefined, undefined, exitIfFailed),
  )
  return {
    channel: { index, front, events },
    stopped: once(events, 'stop').then(([signal]) => signal),
    /** Resolves to the valid sites file text to start with, or to undefined to read the file. */
    sitesText: once(events, 'start').then(([text]) => text),
    close: () => {
      process.off('disconnect', exitWithFront)
      process.disconnect()
    },
  }
}

function exitWithFront(): void {
  process.exit(1)
}

/** The front may be gone before its channel is closed here. */
function exitIfFailed(error: Error | null): void {
  if (error) exitWithFront()
}

/** Receives requests from the front on a Unix socket. Rejects if it cannot listen. */
export async function openWorkerServer(
  { front: calls, events }: WorkerChannel,
  address: ListenOptions,
  { clock, log }: Pick<Runtime, 'clock' | 'log'>,
): Promise<WebServer> {
  let answer: RequestListener = respondStarting
  let answerWorker: RequestListener | undefined
  let isStopping = false
  events.on('ping', calls.pong)
  const onSitesChange = sitesChangesIn(events)
  const figures = figuresIn(events)
  const rejections = createRejections(clock, log)
  const listening = waitForSocket(events)
  calls.listen({ ...address, logLevel: log.level as LogLevel })
  const { socketPath, ...socket } = await listening
  // The front has checked the host, the time and the size; HTTP/1.0 requests may have no host.
  const limits = { keepAliveTimeout: 0, requestTimeout: 0, requireHostHeader: false, maxHeaderSize }
  const server = createServer(limits, (request, response) => {
    // Express and the limits must see the client's address, not the front's.
    const value = request.headers[clientHeader]
    if (value === undefined && answerWorker) return answerWorker(request, response)
    delete request.headers[clientHeader]
    markFromFront(request)
    Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true })
    answer(request, response)
  })
  server.maxHeadersCount = anyNumber
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    ...socket,
    onSitesChange,
    changeSites: calls.changeSites,
    onReload: (listener) => void events.on('reload', listener),
    frontFigures: () => figures.take(),
    readingGuardFor: (site) => ({
      reading: (isDone) => calls.reading(site, isDone),
      pausedUntil: () => pausedUntil(site, socket.exits),
    }),
    front: frontOf(calls, events),
    // The front rejects requests for other reasons, and logs them itself.
    rejections: {
      report: rejections.report,
      counts: () => new Map([...rejections.counts(), ...figures.rejections()]),
    },
    isStopping: () => isStopping,
    drain() {
      isStopping = true
      calls.drain()
    },
    answer(listener, forWorkers) {
      answer = listener
      answerWorker = forWorkers
      calls.serving()
      return {
        async [Symbol.asyncDispose]() {
          const closed = once(events, 'closed')
          calls.close()
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

/** Returns a function that sets the listener, and calls it with the latest change, if any. */
function sitesChangesIn(events: WorkerEvents): WebServer['onSitesChange'] {
  let latest: SitesChange | undefined
  let changed: ((change: SitesChange) => void) | undefined
  const change = (next: SitesChange) => {
    latest = next
    changed?.(next)
  }
  events.on('sites', change)
  // Don't wait for `listening` to resolve, because a later change can arrive before that.
  events.once('listening', ({ sitesText: text, share }) => {
    if (text !== undefined) change({ text, share })
  })
  return (listener) => {
    changed = listener
    if (latest) listener(latest)
  }
}

function figuresIn(events: WorkerEvents) {
  let figures: FrontFigures | undefined
  events.on('figures', (latest) => {
    const maxDelayMs = Math.max(latest.maxDelayMs, figures?.maxDelayMs ?? 0)
    figures = { ...latest, maxDelayMs }
  })
  return {
    rejections: () => figures?.rejections ?? [],
    /** Returns the latest figures. The longest delay is the one since the previous call. */
    take() {
      const latest = figures
      figures = figures && { ...figures, maxDelayMs: 0 }
      return latest
    },
  }
}

async function waitForSocket(events: WorkerEvents): Promise<WorkerSocket> {
  const failed = once(events, 'cannotListen').then(([message, details]) => {
    throw Object.assign(new Error(message), details)
  })
  const [socket] = await Promise.race([once(events, 'listening'), failed])
  return socket
}

function frontOf(calls: CallsToFront, events: WorkerEvents): Front {
  const listeners = new Map<string, (use: Use, count: number) => void>()
  const confirming = new Map<number, () => void>()
  let confirmations = 0
  events.on('uses', (uses) => {
    for (const { use, count } of uses) listeners.get(use.site)?.(use, count)
  })
  events.on('done', (id) => {
    confirming.get(id)?.()
    confirming.delete(id)
  })
  return {
    expire: calls.expire,
    remove: calls.remove,
    restart: calls.restart,
    lost: calls.lost,
    done() {
      const { promise, resolve } = Promise.withResolvers<void>()
      confirmations += 1
      confirming.set(confirmations, resolve)
      calls.confirm(confirmations)
      return promise
    },
    onUse: (site, listener) => void listeners.set(site, listener),
  }
}

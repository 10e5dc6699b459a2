import { rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Times } from '../http/front/cached-response.ts'
import type {
  FrontFigures,
  WorkerExit,
  WorkerShare,
  SitesChange,
  ToFront,
  ToWorker,
  Use,
} from '../http/front/protocol.ts'
import type { ResponseCache } from '../http/front/response-cache.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { createWorkerRequests, type WorkerLimits } from '../http/front/worker-requests.ts'

export type ListenRequest = Extract<ToFront, { kind: 'listen' }>

/** The front's end of the channel to a worker. It outlives the worker's processes. */
export type FrontWorker = {
  /** Connects the next process, which asks to listen. */
  readonly connect: (send: (message: ToWorker) => void, exits: readonly WorkerExit[]) => void
  readonly changeSites: (change: SitesChange) => void
  /** Makes the worker read the sites file again. */
  readonly reload: () => void
  readonly receive: (message: ToFront) => void
  /** Responses in the cache can still be sent. Returns the sites that it was reading. */
  readonly exited: () => readonly string[]
  /** Serves requests that are not answered from the cache at once. */
  readonly listener: RequestListener
  readonly used: (use: Use) => void
  /** Reports uses and figures to the worker. */
  readonly report: () => void
  readonly ping: () => void
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  /** Responds to the requests that wait for the worker to start. */
  readonly stopWaiting: () => void
}

export type FrontWorkerOptions = {
  readonly index: number
  /** Where each of its processes listens. */
  readonly socketPath: string
  readonly limits: WorkerLimits
  readonly clock: Clock
  readonly times: Times
  readonly cache: ResponseCache
  /** Returns the key of a request's URL. */
  readonly keyOf: (request: IncomingMessage) => string
  /** Starts listening unless the front already does. Resolves to the URL and to the worker's share. */
  readonly open: (
    request: ListenRequest,
  ) => Promise<{ readonly url: string; readonly share: WorkerShare | undefined }>
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

const sendNowhere = (_message: ToWorker) => undefined

export function createFrontWorker(options: FrontWorkerOptions): FrontWorker {
  const { socketPath, cache, open } = options
  const uses = createUseCounts()
  const reading = new Set<string>()
  const requests = createWorkerRequests({ ...options, worker: options.index, used: uses.add })
  let send: (message: ToWorker) => void = sendNowhere
  let exits: readonly WorkerExit[] = []

  async function startListening(request: ListenRequest): Promise<void> {
    try {
      const { url, share } = await open(request)
      const sitesText = options.sitesText()
      send({ kind: 'listening', url, socketPath, exits, share, sitesText })
    } catch (error) {
      const { message, ...details } = error as Error
      send({ kind: 'cannot listen', message, details })
    }
  }

  /** Fetches what may be sent in the meantime. All other responses, such as pages, wait for a request. */
  function expire({ site, names, staleMs }: Extract<ToFront, { kind: 'expire' }>): void {
    const expired = cache.expire(site, names, staleMs)
    if (staleMs > 0) requests.refetch(expired)
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
    connect(sendToWorker, earlierExits) {
      send = sendToWorker
      exits = earlierExits
      send({ kind: 'start', sitesText: options.sitesText() })
    },
    receive(message) {
      switch (message.kind) {
        case 'listen':
          return void startListening(message)
        case 'expire':
          return expire(message)
        case 'remove':
          return cache.remove(message.site, message.tags)
        case 'confirm':
          return send({ kind: 'done', id: message.id })
        case 'sites changed':
          return options.sitesChanged(message)
        case 'reading':
          return void (message.isDone ? reading.delete(message.site) : reading.add(message.site))
        case 'drain':
          return options.drain()
        case 'serving':
          requests.serving()
          return options.serving()
        case 'close':
          return void close()
        case 'pong':
          return undefined
      }
    },
    exited() {
      // The next process listens at the same path.
      rmSync(socketPath, { force: true })
      requests.exited()
      const sites = [...reading]
      reading.clear()
      return sites
    },
    listener: requests.listener,
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
    stopWaiting: requests.stopWaiting,
  }
}

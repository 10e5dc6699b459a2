import type { RequestListener } from 'node:http'
import type { Runtime } from './site.ts'
import type {
  Front,
  FrontFigures,
  ListenRequest,
  PublicSite,
  SitesChange,
  WorkerExit,
  WorkerShare,
} from '../http/front/protocol.ts'
import { clientAddress } from '../http/server/client-limit.ts'
import type { Rejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import { noGuard, type ReadingGuard } from '../upstream/guarded-connection.ts'

/** HTTP server of a process. Disposing it waits for in-flight requests. */
export type WebServer = AsyncDisposable & {
  readonly url: string
  readonly front: Front
  readonly exits: readonly WorkerExit[]
  readonly share: WorkerShare | undefined
  /**
   * Calls the listener with the latest change to the sites file, if there is one, and with all
   * later ones.
   */
  readonly onSitesChange: (listener: (change: SitesChange) => void) => void
  /** Tells all workers to serve the sites in the changed sites file. */
  readonly changeSites: (text: string, sites: readonly PublicSite[]) => void
  readonly onReload: (listener: () => void) => void
  /** Returns the latest figures of the front process, or undefined if there is none. */
  readonly frontFigures: () => FrontFigures | undefined
  /** Returns a site's guard, which pauses the site if earlier workers exited while reading it. */
  readonly readingGuardFor: (site: string) => ReadingGuard
  readonly rejections: Rejections
  readonly isStopping: () => boolean
  /** Makes `/readyz` report that the service is stopping. Requests are served until disposal. */
  readonly drain: () => void
  /** Serves requests with `listener` until disposed, and requests from other workers with `forWorkers`. */
  readonly answer: (listener: RequestListener, forWorkers?: RequestListener) => AsyncDisposable
}

export type ListenOptions = Omit<ListenRequest, 'logLevel' | 'sites' | 'workers'> &
  Partial<Pick<ListenRequest, 'sites' | 'workers'>>

/** Starts listening and responds with 503 until `answer` is called. Rejects if the port is in use. */
export async function openWebServer(
  { host, port, proxies }: ListenOptions,
  tools: Pick<Runtime, 'clock' | 'log'>,
): Promise<WebServer> {
  const server = await listen(host, port, tools)
  let sitesChanged: ((change: SitesChange) => void) | undefined
  let isStopping = false
  return {
    ...server,
    url: serverUrl(host, server.port),
    ...withoutFront,
    onSitesChange(listener) {
      sitesChanged = listener
    },
    changeSites: (text) => sitesChanged?.({ text, share: undefined }),
    isStopping: () => isStopping,
    drain() {
      isStopping = true
    },
    answer: (listener) =>
      server.answer((request, response) => {
        // Tells keep-alive clients that the connection will close.
        if (isStopping) response.shouldKeepAlive = false
        const client = clientAddress(request, proxies)
        if (server.inFlight.admit(request, response, client)) listener(request, response)
      }),
  }
}

/** Without a front, nothing is cached, and a process that exits is not replaced. */
const withoutFront = {
  front: {
    expire: () => undefined,
    remove: () => undefined,
    lost: () => undefined,
    done: async () => undefined,
    onUse: () => undefined,
  },
  exits: [],
  share: undefined,
  onReload: () => undefined,
  readingGuardFor: () => noGuard,
  frontFigures: () => undefined,
}

export function serverUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

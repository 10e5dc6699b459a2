import type { RequestListener } from 'node:http'
import type { Runtime } from '../app/runtime.ts'
import type { SiteServer } from '../app/site-server.ts'
import type { ListenRequest, PublicSite, SitesChange, WorkerShare } from '../front/protocol.ts'
import { noGuard } from '../upstream/guarded-connection.ts'

/** HTTP server of a process. Disposing it waits for in-flight requests. */
export type WebServer = SiteServer &
  AsyncDisposable & {
    readonly url: string
    readonly share: WorkerShare | undefined
    /** Calls the listener with the latest change to the sites file, if any, and with all later ones. */
    readonly onSitesChange: (listener: (change: SitesChange) => void) => void
    readonly changeSites: (text: string, sites: readonly PublicSite[]) => void
    readonly onReload: (listener: () => void) => void
    /** Makes `/readyz` report that the service is stopping. Requests are served until disposal. */
    readonly drain: () => void
    /** Serves requests with `listener` until disposed, and requests from other workers with `forWorkers`. */
    readonly answer: (listener: RequestListener, forWorkers?: RequestListener) => AsyncDisposable
  }

export type ListenOptions = Omit<ListenRequest, 'logLevel'>

export type OpenServer = (address: ListenOptions, tools: Runtime) => Promise<WebServer>

/** Without a front, nothing is cached, and a process that exits is not replaced. */
export const withoutFront = {
  front: {
    expire: () => undefined,
    remove: () => undefined,
    restart: () => undefined,
    lost: () => undefined,
    done: async () => undefined,
    onUse: () => undefined,
  },
  exits: [],
  readingGuardFor: () => noGuard,
  frontFigures: () => undefined,
  isStopping: () => false,
}

/** Hosts that mean all network interfaces. Subscribers cannot connect to them. */
export const wildcardHosts = ['0.0.0.0', '::']

export function serverUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

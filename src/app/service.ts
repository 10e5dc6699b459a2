import { storeDirectory, type Config } from '../config/config.ts'
import { mountAt } from '../http/server/virtual-hosts.ts'
import { cacheBudgetPerSite } from './cache-budget.ts'
import { startConfiguredSite } from './configured-site.ts'
import type { SiteService, SiteServiceOptions } from './site-service.ts'
import { openWebServer, type ListenOptions, type WebServer } from './web-server.ts'

/** Options for a service. `openStore` is not called until the port is open. */
export type ServiceOptions = Pick<
  SiteServiceOptions,
  'site' | 'publicFeedIds' | 'openStore' | 'clock' | 'log' | 'random'
> & {
  readonly config: Config
  /** Opens the server; by default in this process. */
  readonly openServer?: (
    address: ListenOptions,
    tools: Pick<SiteServiceOptions, 'clock' | 'log'>,
  ) => Promise<WebServer>
}

export type Service = AsyncDisposable &
  Pick<SiteService, 'addLink' | 'status'> & {
    /** URL that the server listens on. */
    readonly url: string
    /** Base URL of links in feeds and pages. */
    readonly publicUrl: string
    /** Makes `/readyz` report that the service is stopping. Requests are served until disposal. */
    readonly drain: () => void
  }

/** Serves one site. Rejects if the port is in use or the store cannot be opened. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, openServer = openWebServer } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await openServer({ ...config, isAlone: true }, options))
  const publicUrl = config.publicUrl ?? server.url
  const site = starting.use(
    await startConfiguredSite({
      ...options,
      publicUrl,
      dataDirectory: storeDirectory(config),
      memory: cacheBudgetPerSite(1),
      readAfterMs: 0,
      server: { ...server, name: '', proxies: config.proxies, isAlone: true },
    }),
  )
  const { listener } = site.front
  starting.use(server.answer(mountAt({ publicUrl, listener })))
  starting.defer(() => site.abortUpstream())
  const running = starting.move()
  return {
    url: server.url,
    publicUrl,
    addLink: site.addLink,
    status: site.status,
    drain: server.drain,
    async [Symbol.asyncDispose]() {
      server.drain()
      await running.disposeAsync()
    },
  }
}

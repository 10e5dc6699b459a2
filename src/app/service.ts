import type { Config } from '../config/config.ts'
import { mountAt } from '../http/server/virtual-hosts.ts'
import { cacheBudgetPerSite } from './cache-budget.ts'
import { createRenderingThread } from '../representations/rendering-thread.ts'
import { startSiteService, type SiteService, type SiteServiceOptions } from './site.ts'
import { openWebServer } from './web-server.ts'

/** The store is opened once the port is had: nothing lasting is touched when another Feedhouse has it. */
export type ServiceOptions = Pick<
  SiteServiceOptions,
  'site' | 'publicFeedIds' | 'openStore' | 'clock' | 'log' | 'random'
> & { readonly config: Config }

export type Service = AsyncDisposable &
  Pick<SiteService, 'addLink' | 'status'> & {
    /** Where it listens. */
    readonly url: string
    /** Its own address inside feeds and pages. */
    readonly publicUrl: string
    /** Says at `/readyz` that it stops, and goes on until it is disposed. */
    readonly drain: () => void
  }

/** Serves one site, and answers from then on. Rejects when the port or the store cannot be had. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await openWebServer(config, options))
  const publicUrl = config.publicUrl ?? server.url
  const site = starting.use(
    await startSiteService({
      ...{ ...options, publicUrl, memory: cacheBudgetPerSite(1), readAfterMs: 0 },
      thread: starting.use(createRenderingThread(log)),
      server: { ...server, proxies: config.proxies, isAlone: true },
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

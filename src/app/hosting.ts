import pLimit from 'p-limit'
import type { Clock } from '../clock.ts'
import type { SiteConfig } from '../config/config.ts'
import { configuredHosts, type SitesConfig, type NamedSite } from '../config/sites-config.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import { startConfiguredSite } from './configured-site.ts'
import { createFaultySite, createHostedSite } from './hosted-site.ts'
import { reportsOf } from '../http/monitoring/maker-reports.ts'
import { createRejections } from '../http/server/rejections.ts'
import { createServerPages } from '../http/monitoring/server-pages.ts'
import { createSiteSwitch } from '../http/server/virtual-hosts.ts'
import type { Logger } from '../log.ts'
import { cacheBudgetPerSite } from './cache-budget.ts'
import { siteShares } from './site-shares.ts'
import type { SiteService } from './site-service.ts'
import type { Store } from '../store/store.ts'
import type { ServiceOptions } from './service.ts'
import { openWebServer, type WebServer } from './web-server.ts'

/** Maximum number of sites to start concurrently, so that running sites stay responsive. */
const maxConcurrentStarts = 4

/** Maximum period over which the first reads of all sites are spread. */
const maxSpreadMs = 5 * 60_000

export type Hosting = AsyncDisposable & {
  /** URL that the server listens on. */
  readonly url: string
  readonly drain: () => void
  /** Resolves once every site has either started or failed to start. */
  readonly started: Promise<unknown>
}

export type HostingOptions = Omit<SitesConfig, 'secretFiles'> & {
  readonly openStore: (site: NamedSite) => Promise<Store>
  readonly clock: Clock
  readonly log: Logger
  /** Returns a random number from 0 up to 1. */
  readonly random: () => number
  readonly openServer?: ServiceOptions['openServer']
}

/**
 * Serves several sites, or this maker's share of them. They share a port, and each gets an equal share of
 * cache memory. Rejects if the port is in use.
 */
export async function startHosting(options: HostingOptions): Promise<Hosting> {
  const { server: config, sites, faulty, clock, log, random } = options
  const { openServer = openWebServer } = options
  await using starting = new AsyncDisposableStack()
  const shares = siteShares(sites, config.makers)
  const server = starting.use(await openServer({ ...config, isAlone: false, shares }, options))
  const { share } = server
  const limited = pLimit(maxConcurrentStarts)
  const hosts = configuredHosts(sites)
  const names = new Set(share?.sites)
  const own = share ? sites.filter(({ name }) => names.has(name)) : sites
  const hosted = own.map((site) =>
    createHostedSite(site, {
      startSite: () => limited(() => startOne(options, site, { server, hosts })),
      clock,
      random,
      log: logOf(log, site),
    }),
  )
  starting.defer(async () => {
    await Promise.all(hosted.map((site) => site[Symbol.asyncDispose]()))
  })
  const { rejections, frontFigures, isStopping } = server
  const all = [...hosted, ...faulty.map(createFaultySite)]
  const pages = createServerPages({
    sites: all,
    otherMakers: share?.otherMakers.map((maker) => reportsOf(maker)) ?? [],
    order: sites.map(({ name }) => name),
    rejections,
    frontFigures,
    isStopping,
  })
  const stopping = new AbortController()
  const started = Promise.all(hosted.map((site) => site.start(stopping.signal)))
  starting.defer(async () => void (await started))
  starting.use(server.answer(createSiteSwitch(all, pages.listener), pages.reports))
  starting.defer(() => {
    stopping.abort()
    for (const site of hosted) site.abortUpstream()
  })
  const running = starting.move()
  return {
    url: server.url,
    started,
    drain: server.drain,
    async [Symbol.asyncDispose]() {
      server.drain()
      await running.disposeAsync()
    },
  }
}

function startOne(
  { server: { proxies }, sites, openStore, clock, log, random }: HostingOptions,
  named: NamedSite,
  { server, hosts }: { readonly server: WebServer; readonly hosts: SiteConfig['configuredHosts'] },
): Promise<SiteService> {
  const config = { ...named.config, configuredHosts: hosts }
  const ownLog = logOf(log, named)
  return startConfiguredSite({
    config,
    site: config.site,
    publicUrl: config.publicUrl,
    clock,
    random,
    publicFeedIds: config.publicFeeds ?? defaultPublicFeeds,
    openStore: () => openStore(named),
    memory: cacheBudgetPerSite(sites.length),
    server: {
      ...server,
      name: named.name,
      rejections: createRejections(clock, ownLog),
      proxies,
      isAlone: false,
    },
    // Spread the reads, because several websites may be on the same server.
    readAfterMs: (Math.min(config.freshMs, maxSpreadMs) * sites.indexOf(named)) / sites.length,
    log: ownLog,
  })
}

function logOf(log: Logger, { name }: NamedSite): Logger {
  return log.child({ site: name })
}

import type { RequestListener } from 'node:http'
import type { Config, SiteSettings } from '../config/config.ts'
import type { NamedSite, SitesConfig } from '../config/sites-config.ts'
import { createFaultySite, type HostedSite } from './hosted-site.ts'
import { createHostedSites, type HostedSites } from './hosted-sites.ts'
import { createHostedCounty } from '../http/pages/county.ts'
import { createHostedSitesPage } from '../http/admin/sites-page.ts'
import type { WorkerShare } from '../http/front/protocol.ts'
import { reportsOf } from '../http/monitoring/worker-reports.ts'
import { createServerPages } from '../http/monitoring/server-pages.ts'
import { applicationOf } from '../http/routes.ts'
import { respondStarting } from '../http/server/starting.ts'
import {
  createSiteSwitch,
  mountAt,
  serveNothing,
  withStartPage,
} from '../http/server/virtual-hosts.ts'
import { createSharedAlerts } from './notifications/shared-alerts.ts'
import { listedSites, siteShares } from './site-shares.ts'
import type { Store } from '../store/store.ts'
import type { Runtime } from './upstream-sync.ts'
import { openWebServer, type WebServer } from './web-server.ts'

/** The other workers may take this long to start. */
const workerStartMs = 60_000

type ProcessOptions = Runtime & {
  /** Opens the server; by default in this process. */
  readonly openServer?: typeof openWebServer
}

/** Options for a service. `openStore` is not called until the port is open. */
export type ServiceOptions = ProcessOptions & {
  readonly config: Config
  readonly site: SiteSettings
  readonly publicFeedIds: readonly string[]
  readonly openStore: () => Promise<Store>
}

type Served = AsyncDisposable & {
  /** URL that the server listens on. */
  readonly url: string
  /** Makes `/readyz` report that the service is stopping. Requests are served until disposal. */
  readonly drain: () => void
}

export type Service = Served & {
  /** Base URL of links in feeds and pages. */
  readonly publicUrl: string
  readonly site: HostedSite
}

export type Hosting = Served & {
  /** Serves these sites instead, in all workers. */
  readonly changeSites: (sites: SitesConfig) => void
  /** Calls the listener when the operator asks to read the sites file again. */
  readonly onReload: (listener: () => void) => void
  /** Resolves once every site has either started or failed to start. */
  readonly started: Promise<unknown>
}

export type HostingOptions = ProcessOptions & {
  /** The sites to start with. */
  readonly sites: SitesConfig
  /** Parses the text of a changed sites file. Throws a `ConfigError`. */
  readonly parse: (text: string) => SitesConfig
  /** Returns one sentence for each reason why the changed sites file is not used. */
  readonly faults: () => readonly string[]
  readonly openStore: (site: NamedSite) => Promise<Store>
  /** Opens the store for sessions of the page with all sites. */
  readonly openSitesStore: () => Promise<Store>
}

/**
 * Serves one site, on every host. Rejects if the port is in use, the store cannot be opened, or the site
 * cannot be started.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, site, publicFeedIds, openServer = openWebServer } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await openServer({ ...config, isAlone: true }, options))
  const isPublicUrlSet = config.publicUrl !== undefined
  const publicUrl = config.publicUrl ?? server.url
  const sites = starting.use(
    createHostedSites({
      ...options,
      server,
      isAlone: true,
      isPublicUrlSet,
      replaced: () => undefined,
    }),
  )
  await sites.apply([
    { name: '', config: { ...config, site, publicUrl, publicFeeds: publicFeedIds } },
  ])
  const [only] = sites.all()
  if (!only) throw new Error('the site was stopped')
  return { publicUrl, site: only, ...serve(starting, server, sites, mountAt(only)) }
}

/**
 * Serves several sites, or this worker's share of them. They share a port, and each gets an equal share of
 * cache memory. Rejects if the port is in use.
 */
export async function startHosting(options: HostingOptions): Promise<Hosting> {
  const { sites: first, parse, faults, clock, log } = options
  const { openServer = openWebServer } = options
  const startedAt = clock.now()
  await using starting = new AsyncDisposableStack()
  const shares = siteShares(first.sites, first.server.workers)
  const server = starting.use(
    await openServer({ ...first.server, isAlone: false, shares }, options),
  )
  let current = { ...first, share: server.share }
  const { sitesUrl, sitesPassword } = first.server
  const alerts = createSharedAlerts({
    sites: () => current.sites,
    firstSocketPath: () => current.share?.firstSocketPath,
    overviewUrl: sitesUrl && sitesPassword ? `${sitesUrl}/sites` : undefined,
    clock,
  })
  const hosted = starting.use(
    createHostedSites({
      ...options,
      server,
      config: first.server,
      isAlone: false,
      isPublicUrlSet: true,
      senderFor: alerts.senderFor,
      replaced: mountSites,
    }),
  )
  // The first worker reports on the others, and on sites that cannot be served.
  const isFirst = () => current.share?.otherWorkers.length !== 0
  const all = () => [...hosted.all(), ...(isFirst() ? current.faulty.map(createFaultySite) : [])]
  const openPage = () =>
    createHostedSitesPage(first.server, {
      ...options,
      server,
      overview: () => pages.overview(),
      openStore: options.openSitesStore,
    })
  const sitesPage = starting.use(isFirst() ? openPage() : undefined)
  const county = isFirst() ? createHostedCounty(first.server, { server, clock, log }) : undefined
  const ownPages = [sitesPage, county].flatMap((page) => page?.handler ?? [])
  const startPage = county
    ? `${sitesUrl}/county`
    : sitesPage
      ? `${sitesUrl ?? ''}/sites`
      : undefined
  const mounted =
    sitesUrl !== undefined && ownPages.length > 0
      ? [{ publicUrl: sitesUrl, listener: withStartPage(applicationOf(ownPages), startPage) }]
      : []
  const pages = createServerPages({
    sites: all,
    otherWorkers() {
      const isStarting = clock.now() < startedAt + workerStartMs
      return current.share?.otherWorkers.map((worker) => reportsOf(worker, { isStarting })) ?? []
    },
    titles: () => new Map(current.sites.map(({ name, config }) => [name, config.site.name])),
    faults,
    ...server,
    sendAlert: alerts.sendPassed,
    sitesPage: sitesPage?.handler,
  })
  let listener: RequestListener = respondStarting

  function mountSites(): void {
    listener = createSiteSwitch(
      [...all(), ...mounted],
      withStartPage(pages.listener, startPage),
      // Without SITES_URL, only direct requests reach the page with all sites.
      withStartPage(serveNothing, sitesUrl && startPage),
    )
  }

  function apply(sites: SitesConfig, share: WorkerShare | undefined): Promise<unknown> {
    current = { ...sites, share }
    const applied = hosted.apply(sites.sites, share?.names)
    mountSites()
    county?.changeSites(sites.sites)
    return applied
  }

  const started = apply(first, server.share)
  const changeSites = ({ text, sites }: SitesConfig) => server.changeSites(text, listedSites(sites))
  if (isFirst()) changeSites(first)
  server.onSitesChange(({ text, share }) => {
    try {
      void apply(parse(text), share)
    } catch (error) {
      log.error({ err: error }, 'the changed sites file cannot be used')
    }
  })
  const respond: RequestListener = (request, response) => listener(request, response)
  const served = serve(starting, server, hosted, respond, pages.reports)
  return { ...served, started, changeSites, onReload: server.onReload }
}

/** Serves requests with the listener until disposed. */
function serve(
  starting: AsyncDisposableStack,
  server: WebServer,
  sites: HostedSites,
  listener: RequestListener,
  reports?: RequestListener,
): Served {
  starting.use(server.answer(listener, reports))
  starting.defer(sites.abort)
  const running = starting.move()
  return {
    url: server.url,
    drain: server.drain,
    async [Symbol.asyncDispose]() {
      server.drain()
      await running.disposeAsync()
    },
  }
}

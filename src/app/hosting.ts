import type { RequestListener } from 'node:http'
import pLimit from 'p-limit'
import type { Clock } from '../clock.ts'
import { storeDirectory, type SiteConfig } from '../config/config.ts'
import { configuredHosts, type SitesConfig, type NamedSite } from '../config/sites-config.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import { startConfiguredSite } from './configured-site.ts'
import { createFaultySite, createHostedSite, type StartedSite } from './hosted-site.ts'
import { createHostedSites } from './hosted-sites.ts'
import { createHostedCounty } from './county.ts'
import { createHostedSitesPage } from './hosted-sites-page.ts'
import type { MakerShare } from '../http/front/protocol.ts'
import { reportsOf } from '../http/monitoring/maker-reports.ts'
import { createRejections } from '../http/server/rejections.ts'
import { createServerPages } from '../http/monitoring/server-pages.ts'
import { respondStarting } from '../http/server/starting.ts'
import {
  createSiteSwitch,
  listenerOf,
  serveNothing,
  withStartPage,
} from '../http/server/virtual-hosts.ts'
import type { Logger } from '../log.ts'
import { cacheBudgetPerSite } from './cache-budget.ts'
import { createSharedAlerts, type SharedAlerts } from './notifications/shared-alerts.ts'
import { createRetirableFront } from './retirable-front.ts'
import { listedSites, siteShares } from './site-shares.ts'
import type { Store } from '../store/store.ts'
import type { ServiceOptions } from './service.ts'
import { openWebServer, type WebServer } from './web-server.ts'

/** Maximum number of sites to start concurrently, so that running sites stay responsive. */
const maxConcurrentStarts = 4

/** The other makers may take this long to start. */
const makerStartMs = 60_000

/** Maximum period over which the first reads of all sites are spread. */
const maxSpreadMs = 5 * 60_000

export type Hosting = AsyncDisposable & {
  /** URL that the server listens on. */
  readonly url: string
  readonly drain: () => void
  /** Serves these sites instead, in all makers. */
  readonly changeSites: (sites: SitesConfig) => void
  /** Calls the listener when the operator asks to read the sites file again. */
  readonly onReload: (listener: () => void) => void
  /** Resolves once every site has either started or failed to start. */
  readonly started: Promise<unknown>
}

export type HostingOptions = {
  /** The sites to start with. */
  readonly sites: SitesConfig
  /** Parses the text of a changed sites file. Throws a `ConfigError`. */
  readonly parse: (text: string) => SitesConfig
  /** Returns one sentence for each reason why the changed sites file is not used. */
  readonly faults: () => readonly string[]
  readonly openStore: (site: NamedSite) => Promise<Store>
  /** Opens the store for sessions of the page with all sites. */
  readonly openSitesStore: () => Promise<Store>
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
  const { sites: first, parse, faults, clock, log, random } = options
  const { openServer = openWebServer } = options
  const startedAt = clock.now()
  await using starting = new AsyncDisposableStack()
  const shares = siteShares(first.sites, first.server.makers)
  const server = starting.use(
    await openServer({ ...first.server, isAlone: false, shares }, options),
  )
  const limited = pLimit(maxConcurrentStarts)
  let current = {
    ...first,
    share: server.share,
    added: first.sites,
    hosts: configuredHosts(first.sites),
  }
  const { sitesUrl, sitesPassword } = first.server
  const alerts = createSharedAlerts({
    sites: () => current.sites,
    firstSocketPath: () => current.share?.firstSocketPath,
    overviewUrl: sitesUrl && sitesPassword ? `${sitesUrl}/sites` : undefined,
    clock,
  })
  const hosted = starting.use(
    createHostedSites((site) =>
      createHostedSite(site, {
        startSite: (wanted) =>
          limited(() => startOne(options, wanted, current, { server, alerts })),
        replaced: mountSites,
        clock,
        random,
        log: logOf(log, site),
      }),
    ),
  )
  // The first maker reports on the others, and on sites that cannot be served.
  const isFirst = () => current.share?.otherMakers.length !== 0
  const all = () => [...hosted.all(), ...(isFirst() ? current.faulty.map(createFaultySite) : [])]
  const { rejections, frontFigures, isStopping } = server
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
      ? [{ publicUrl: sitesUrl, listener: withStartPage(listenerOf(ownPages), startPage) }]
      : []
  const pages = createServerPages({
    sites: all,
    otherMakers() {
      const isStarting = clock.now() < startedAt + makerStartMs
      return current.share?.otherMakers.map((maker) => reportsOf(maker, { isStarting })) ?? []
    },
    titles: () => new Map(current.sites.map(({ name, config }) => [name, config.site.name])),
    faults,
    rejections,
    frontFigures,
    isStopping,
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

  function apply(sites: SitesConfig, share: MakerShare | undefined): Promise<void> {
    const known = new Set(current.sites.map(({ name }) => name))
    const added = sites.sites.filter(({ name }) => !known.has(name))
    const hosts = configuredHosts(sites.sites)
    current = { ...sites, share, added: sites === first ? first.sites : added, hosts }
    const names = share?.sites ?? sites.sites.map(({ name }) => name)
    const applied = hosted.apply(sites.sites, new Set(names))
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
  starting.use(server.answer((request, response) => listener(request, response), pages.reports))
  starting.defer(hosted.abort)
  const running = starting.move()
  return {
    url: server.url,
    started,
    changeSites,
    onReload: server.onReload,
    drain: server.drain,
    async [Symbol.asyncDispose]() {
      server.drain()
      await running.disposeAsync()
    },
  }
}

type CurrentSites = Pick<SitesConfig, 'server' | 'sites'> & {
  /** Sites that were added by the latest change. */
  readonly added: readonly NamedSite[]
  readonly hosts: SiteConfig['configuredHosts']
}

async function startOne(
  { openStore, clock, log, random }: HostingOptions,
  named: NamedSite,
  { server: serverConfig, sites, added, hosts }: CurrentSites,
  { server, alerts }: { readonly server: WebServer; readonly alerts: SharedAlerts },
): Promise<StartedSite> {
  const config = { ...named.config, configuredHosts: hosts }
  const ownLog = logOf(log, named)
  const front = createRetirableFront(server.front, named.name)
  const position = Math.max(0, added.indexOf(named))
  const service = await startConfiguredSite({
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
      front,
      name: named.name,
      rejections: createRejections(clock, ownLog),
      proxies: serverConfig.proxies,
      isAlone: false,
    },
    dataDirectory: storeDirectory(serverConfig),
    sendShared: alerts.senderFor(named.name),
    // Spread the reads, because several websites may be on the same server.
    readAfterMs: (Math.min(config.freshMs, maxSpreadMs) * position) / Math.max(1, added.length),
    log: ownLog,
  })
  const { activate, retireAll } = front
  return { ...service, activate, retireAll }
}

function logOf(log: Logger, { name }: NamedSite): Logger {
  return log.child({ site: name })
}

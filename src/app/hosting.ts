import type { RequestListener } from 'node:http'
import {
  storeDirectory,
  type Config,
  type ServerConfig,
  type SiteSettings,
} from '../config/config.ts'
import { configuredHosts, type NamedSite, type SitesConfig } from '../config/sites-config.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import { createApplication } from '../http/application.ts'
import type { WorkerShare } from '../http/front/protocol.ts'
import { createHostingPages } from '../http/hosting/hosting-pages.ts'
import { createRejections } from '../http/front/rejections.ts'
import { mountAt } from '../http/hosting/virtual-hosts.ts'
import { beforeRenderings } from '../representations/render-queue.ts'
import type { OwnedOptions } from '../store/open-store.ts'
import { createSharedCounts } from '../store/shared-counts.ts'
import type { Store } from '../store/store.ts'
import { cacheBudgetPerSite } from './worker-cache-budget.ts'
import {
  createFaultySite,
  createHostedSite,
  type HostedSite,
  type SiteHost,
} from './hosted-site.ts'
import type { SendNotice } from '../channels/notice.ts'
import { createSharedAlerts } from './notifications/shared-alerts.ts'
import { followSecret } from '../followers/follow-secret.ts'
import { startSite, type RunningSite } from './running-site.ts'
import type { Runtime } from './runtime.ts'
import { listedSites, workerCount } from './site-shares.ts'
import { createStartQueue } from './start-queue.ts'
import type { OpenServer, WebServer } from './web-server.ts'

/** Maximum number of sites to start concurrently, so that running sites stay responsive. */
const maxConcurrentStarts = 4

/**
 * Time between the first reads of two sites, if all sites are read within the maximum period.
 * Reading and rendering a site takes about that much processor time.
 */
const readSpacingMs = 250
const maxSpreadMs = 5 * 60_000

type ProcessOptions = Runtime & {
  readonly openServer: OpenServer
  /** Opens the store for data that all sites share, like the number of emails. */
  readonly openSharedStore: () => Promise<Store>
}

/** Options for a service. `openStore` is not called until the port is open. */
export type ServiceOptions = ProcessOptions & {
  readonly config: Config
  readonly site: SiteSettings
  readonly publicFeedIds: readonly string[]
  readonly openStore: () => Promise<Store>
}

/** Serves one site, on every host. Rejects if the port, the store or the site cannot be opened. */
export async function startService(options: ServiceOptions) {
  const { config, site, publicFeedIds: publicFeeds, openServer } = options
  await using starting = new AsyncDisposableStack()
  const address = { ...config, sites: [], workers: 1, isAlone: true }
  const server = starting.use(await openServer(address, options))
  const publicUrl = config.publicUrl ?? server.url
  const isPublicUrlSet = config.publicUrl !== undefined
  const alone = { server, isAlone: true, isPublicUrlSet, replaced: () => undefined }
  const sites = starting.use(createHostedSites({ ...options, ...alone }))
  await sites.apply([{ name: '', config: { ...config, site, publicUrl, publicFeeds } }])
  const [only] = sites.all()
  if (!only) throw new Error('the site was stopped')
  return { publicUrl, site: only, ...serve(starting, server, sites, mountAt(only)) }
}

export type HostingOptions = ProcessOptions & {
  readonly sites: SitesConfig
  /** Parses the text of a changed sites file. Throws a `ConfigError`. */
  readonly parse: (text: string) => SitesConfig
  /** Returns one sentence for each error that keeps the changed sites file from being used. */
  readonly faults: () => readonly string[]
  readonly openStore: (site: NamedSite, owned: OwnedOptions) => Promise<Store>
}

/**
 * Serves several sites, or this worker's share of them. They share a port, and each gets an equal share of
 * cache memory. Rejects if the port is in use.
 */
export async function startHosting(options: HostingOptions) {
  const { sites: first, parse, clock, log, openServer } = options
  const { server: config } = first
  await using starting = new AsyncDisposableStack()
  const { redisUrl, advertiseUrl: url } = config
  const shared = {
    sites: listedSites(first.sites),
    workers: workerCount(first.sites.length, config.workers),
    hosts: redisUrl === undefined || url === undefined ? undefined : { redisUrl, url },
  }
  const server = starting.use(await openServer({ ...config, ...shared, isAlone: false }, options))
  let current = { ...first, share: server.share }
  const { sitesUrl, sitesPassword } = config
  const alerts = createSharedAlerts({
    sites: () => current.sites,
    firstSocketPath: () => current.share?.firstSocketPath,
    overviewUrl: sitesUrl && sitesPassword ? `${sitesUrl}/sites` : undefined,
    clock,
  })
  const { senderFor, sendPassed: sendAlert } = alerts
  const ofSites = { ...options, server, config, isAlone: false, isPublicUrlSet: true, senderFor }
  const hosted = starting.use(createHostedSites({ ...ofSites, replaced: () => pages.update() }))
  // The first worker reports on the others, and on sites that cannot be served.
  const isFirst = server.share?.firstSocketPath === undefined
  const pages = starting.use(
    createHostingPages(config, {
      ...options,
      server,
      isFirst,
      sites: () => [...hosted.all(), ...(isFirst ? current.faulty.map(createFaultySite) : [])],
      current: () => current,
      sendAlert,
    }),
  )

  function apply(sites: SitesConfig, share: WorkerShare | undefined): Promise<unknown> {
    current = { ...sites, share }
    const applied = hosted.apply(sites.sites, share?.names)
    pages.update()
    return applied
  }

  const changeSites = ({ text, sites }: SitesConfig) => server.changeSites(text, listedSites(sites))
  /** Resolves once every site has either started or failed to start. */
  const started = apply(first, server.share)
  if (isFirst) changeSites(first)
  server.onSitesChange(({ text, share }) => {
    try {
      void apply(text === current.text ? current : parse(text), share)
    } catch (error) {
      log.error({ err: error }, 'the changed sites file cannot be used')
    }
  })
  const served = serve(starting, server, hosted, pages.listener, pages.reports)
  return { ...served, started, changeSites, onReload: server.onReload }
}

function serve(
  starting: AsyncDisposableStack,
  server: WebServer,
  sites: ReturnType<typeof createHostedSites>,
  listener: RequestListener,
  reports?: RequestListener,
) {
  starting.use(server.answer(listener, reports))
  starting.defer(sites.abort)
  const running = starting.move()
  return {
    url: server.url,
    drain: server.drain,
    [Symbol.asyncDispose]: async () => {
      server.drain()
      await running.disposeAsync()
    },
  }
}

/** Starts, replaces and stops the sites of a process, which can change while it runs. */
function createHostedSites(
  options: Runtime & {
    readonly server: WebServer
    readonly config: ServerConfig
    readonly isAlone: boolean
    readonly isPublicUrlSet: boolean
    readonly openStore: (site: NamedSite, owned: OwnedOptions) => Promise<Store>
    readonly openSharedStore: () => Promise<Store>
    /** Returns a site's sender of alerts, if they are combined with those of other sites. */
    readonly senderFor?: (site: string) => SendNotice
    readonly replaced: () => void
  },
) {
  const { server, config: serverConfig, isAlone, clock } = options
  const hosted = new Map<string, HostedSite>()
  const closing = new Set<Promise<void>>()
  const starts = createStartQueue(maxConcurrentStarts)
  const sharedCounts = createSharedCounts(options.openSharedStore)
  const application = createApplication(serverConfig.proxies)
  let isStopping = false
  let all: readonly NamedSite[] = []
  let added: readonly NamedSite[] = []
  const logOf = (site: string) => (isAlone ? options.log : options.log.child({ site }))

  /** Starts a site after the others that are waiting. With several hosts, claims it right away. */
  async function startInTurn(
    named: NamedSite,
    host: SiteHost,
    signal: AbortSignal,
  ): Promise<RunningSite | undefined> {
    const open = () => options.openStore(named, host)
    const claimed = serverConfig.advertiseUrl === undefined ? undefined : await open()
    const openStore = async () => claimed ?? open()
    const started = starts.add(named.name, async () => {
      if (!signal.aborted) return beforeRenderings(() => start(named, host, openStore))
      await claimed?.[Symbol.asyncDispose]()
      return undefined
    })
    // A stopped site releases its claim without waiting, because another host may need it.
    const release = () => starts.runNow(named.name)
    if (signal.aborted) release()
    signal.addEventListener('abort', release)
    return started.finally(() => signal.removeEventListener('abort', release))
  }

  function start(
    named: NamedSite,
    host: SiteHost,
    openStore: () => Promise<Store>,
  ): Promise<RunningSite | undefined> {
    const { name, config } = named
    const log = logOf(name)
    const { publicFeeds = defaultPublicFeeds } = config
    const hosts = isAlone ? config.configuredHosts : configuredHosts(all)
    const rejections = isAlone ? server.rejections : createRejections(clock, log)
    const spreadMs = Math.min(config.freshMs, maxSpreadMs)
    const spacingMs = Math.min(readSpacingMs, spreadMs / Math.max(1, added.length))
    return startSite({
      ...options,
      ...host,
      config: { ...config, publicFeeds, configuredHosts: hosts },
      openStore,
      memory: cacheBudgetPerSite(all.length),
      server: { ...server, name, rejections, application, isAlone },
      dataDirectory: storeDirectory(serverConfig),
      sendShared: options.senderFor?.(name),
      followSecret: (isNeeded) => followSecret(serverConfig, isNeeded),
      sharedCounts,
      // Spreads out the reads, because several websites may be on the same server.
      readAfterMs: Math.max(0, added.indexOf(named)) * spacingMs,
      log,
    })
  }

  function add(named: NamedSite): Promise<void> {
    const site = createHostedSite(named, {
      ...options,
      front: server.front,
      startSite: startInTurn,
      startNext: () => starts.prioritize(named.name),
      log: logOf(named.name),
    })
    hosted.set(named.name, site)
    return site.start()
  }

  /** Stops a site that is now served elsewhere, or not at all. */
  function stop(site: HostedSite): void {
    const isRemoved = all.every(({ name }) => name !== site.name)
    hosted.delete(site.name)
    const stopped = isRemoved ? site.remove() : site[Symbol.asyncDispose]()
    const closed = stopped.finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /**
   * Starts new sites, replaces sites with changed settings, and stops sites that are not in `names`.
   * Resolves once each new site has either started or failed to start. Rejects if the process serves only
   * one site, and it cannot be started.
   */
  async function apply(
    sites: readonly NamedSite[],
    names: readonly string[] = sites.map(({ name }) => name),
  ) {
    if (isStopping) return
    const known = new Set(all.map(({ name }) => name))
    all = sites
    added = sites.filter(({ name }) => !known.has(name))
    const own = sites.filter(({ name }) => names.includes(name))
    for (const site of hosted.values()) if (!names.includes(site.name)) stop(site)
    const missing = own.filter(({ name }) => !hosted.has(name))
    for (const named of own) hosted.get(named.name)?.change(named)
    await Promise.all(missing.map(add))
  }

  return {
    apply,
    all: () => [...hosted.values()],
    /** Aborts all upstream requests, the requests that wait for them, and retries of failed starts. */
    abort: () => {
      isStopping = true
      for (const site of hosted.values()) site.abort()
    },
    [Symbol.asyncDispose]: async () => {
      const disposed = [...hosted.values()].map((site) => site[Symbol.asyncDispose]())
      await Promise.all([...closing, ...disposed])
      await sharedCounts[Symbol.asyncDispose]()
    },
  }
}

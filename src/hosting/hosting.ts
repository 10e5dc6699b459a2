import type { RequestListener } from 'node:http'
import type { Config, SiteSettings } from '../config/config.ts'
import type { NamedSite, SitesConfig } from '../config/sites-config.ts'
import type { SitesFileStatus } from '../config/sites-location.ts'
import type { WorkerShare } from '../front/protocol.ts'
import { mountAt } from './virtual-hosts.ts'
import type { OwnedOptions } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createFaultySite } from './hosted-site.ts'
import { createHostedSites, type HostedSites } from './hosted-sites.ts'
import type { Runtime } from '../app/runtime.ts'
import { listedSites, workerCount } from './site-shares.ts'
import type { OpenServer, WebServer } from './web-server.ts'

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
  /** Returns one sentence for each error that keeps the newest sites file from being used. */
  readonly faults: () => readonly string[]
  readonly sitesFile?: () => SitesFileStatus | undefined
  readonly openStore: (site: NamedSite, owned: OwnedOptions) => Promise<Store>
}

/**
 * Serves several sites, or this worker's share of them. They share a port, and each gets an equal share of
 * cache memory. Rejects if the port is in use.
 */
export async function startHosting(options: HostingOptions) {
  const { sites: first, parse, clock, log, openServer } = options
  const { server: config } = first
  // A single site does not need these modules.
  const [{ createHostingPages }, { createSharedAlerts }] = await Promise.all([
    import('./hosting-pages.ts'),
    import('./shared-alerts.ts'),
  ])
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
  sites: HostedSites,
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

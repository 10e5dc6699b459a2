import type { RequestListener } from 'node:http'
import type { Clock } from '../clock.ts'
import type { ServerConfig } from '../config/config.ts'
import type { SitesConfig } from '../config/sites-config.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createHostedSitesPage } from './sites-page.ts'
import type { WorkerShare } from '../front/protocol.ts'
import { createServerPages, type HostedSite } from '../features/monitoring/server-pages.ts'
import {
  overviewsOf,
  reportsOf,
  type SendForWorker,
} from '../features/monitoring/worker-reports.ts'
import { createHostedCounty, type CountyOptions } from '../features/county/county.ts'
import { applicationOf } from '../http/application.ts'
import { respondStarting } from '../front/starting.ts'
import {
  createSiteSwitch,
  serveNothing,
  wellKnownSites,
  withStartPage,
  type MountedSite,
} from './virtual-hosts.ts'

const workerStartMs = 60_000

type ServerPages = Parameters<typeof createServerPages>[0]

/**
 * Routes requests to a process's sites, and serves the pages for all sites: the status and, in the
 * first worker, `/sites` and the county page.
 */
export function createHostingPages(
  config: ServerConfig,
  options: {
    readonly server: Pick<ServerPages, 'rejections' | 'frontFigures' | 'isStopping'> &
      CountyOptions['server']
    readonly isFirst: boolean
    readonly faults: ServerPages['faults']
    readonly sitesFile?: ServerPages['sitesFile']
    /** The sites of this process. */
    readonly sites: () => readonly (HostedSite & MountedSite)[]
    readonly current: () => SitesConfig & { readonly share: WorkerShare | undefined }
    readonly sendAlert: SendForWorker
    /** Opens the store for sessions of the sites page. */
    readonly openSharedStore: () => Promise<Store>
    readonly clock: Clock
    readonly log: Logger
  },
) {
  const { server, isFirst, sites, current, faults, clock } = options
  const { sitesUrl, advertiseUrl } = config
  const startedAt = clock.now()
  const overview = () => pages.overview()
  const ofSites = { ...options, overview, openStore: options.openSharedStore }
  const sitesPage = isFirst ? createHostedSitesPage(config, ofSites) : undefined
  const county = isFirst ? createHostedCounty(config, options) : undefined
  const ownPages = [sitesPage, county].flatMap((page) => page?.handler ?? [])
  const ownPath = county ? 'county' : sitesPage && 'sites'
  const startPage = ownPath && `${sitesUrl ?? ''}/${ownPath}`
  const pages = createServerPages({
    ...server,
    faults,
    sitesFile: options.sitesFile,
    sites,
    otherWorkers() {
      const isStarting = clock.now() < startedAt + workerStartMs
      const others = current().share?.otherWorkers ?? []
      return others.map((worker) => reportsOf(worker, isStarting))
    },
    ownHost: advertiseUrl && new URL(advertiseUrl).host,
    otherHosts: () => (current().share?.otherHosts ?? []).map((host) => overviewsOf(host)),
    titles: () => new Map(current().sites.map(({ name, config: { site } }) => [name, site.name])),
    sendAlert: options.sendAlert,
    sitesPage: sitesPage?.handler,
  })
  const mounted =
    sitesUrl !== undefined && ownPages.length > 0
      ? [{ publicUrl: sitesUrl, listener: withStartPage(applicationOf(ownPages), startPage) }]
      : []
  let listener: RequestListener = respondStarting

  /** Applies a change to the sites or their URLs. */
  function update(): void {
    const here = sites()
    const names = new Set(here.map(({ name }) => name))
    // Requests for a site that is moving may arrive before the site does, or after it has left.
    const elsewhere = current().sites.flatMap(({ name, config: { publicUrl } }) =>
      names.has(name) ? [] : [{ publicUrl, listener: respondStarting }],
    )
    const davUrls = current().sites.flatMap(({ config }) => (config.hasDav ? config.publicUrl : []))
    listener = createSiteSwitch(
      [...here, ...elsewhere, ...mounted, ...wellKnownSites(davUrls)],
      withStartPage(pages.listener, startPage),
      // Without SITES_URL, only direct requests reach the sites page.
      withStartPage(serveNothing, sitesUrl && startPage),
    )
    county?.changeSites(current().sites)
  }

  const respond: RequestListener = (request, response) => listener(request, response)
  return {
    update,
    listener: respond,
    /** Serves other workers: the first one asks for reports, and the others pass their alerts to it. */
    reports: pages.reports,
    [Symbol.asyncDispose]: async () => sitesPage?.[Symbol.asyncDispose](),
  }
}

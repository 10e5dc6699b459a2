import { storeDirectory, type ServerConfig } from '../config/config.ts'
import { configuredHosts, type NamedSite } from '../config/sites-config.ts'
import type { SendNotice } from '../channels/notice.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import { followSecret } from '../followers/follow-secret.ts'
import { createApplication } from '../http/application.ts'
import { createRejections } from '../front/rejections.ts'
import type { Logger } from '../log.ts'
import { beforeRenderings } from '../representations/render-queue.ts'
import type { OwnedOptions } from '../store/open-store.ts'
import { createSharedCounts } from '../store/shared-counts.ts'
import type { Store } from '../store/store.ts'
import { createHostedSite, type HostedSite, type SiteHost } from './hosted-site.ts'
import { startSite, type RunningSite } from '../app/running-site.ts'
import type { Runtime } from '../app/runtime.ts'
import { createStartQueue } from './start-queue.ts'
import type { WebServer } from './web-server.ts'
import { cacheBudgetPerSite } from '../app/worker-cache-budget.ts'

/** Maximum number of sites to start concurrently, so that running sites stay responsive. */
const maxConcurrentStarts = 4

/**
 * Time between the first reads of two sites, if all sites are read within the maximum period.
 * Reading and rendering a site takes about that much processor time.
 */
const readSpacingMs = 250
const maxSpreadMs = 5 * 60_000

/** Time until pages are loaded if nobody requests one. Feeds start sooner without them. */
const loadPagesAfterMs = 10_000

type HostedSitesOptions = Runtime & {
  readonly server: WebServer
  readonly config: ServerConfig
  readonly isAlone: boolean
  readonly isPublicUrlSet: boolean
  readonly openStore: (site: NamedSite, owned: OwnedOptions) => Promise<Store>
  readonly openSharedStore: () => Promise<Store>
  /** Returns a site's sender of alerts, if they are combined with those of other sites. */
  readonly senderFor?: (site: string) => SendNotice
  readonly replaced: () => void
}

export type HostedSites = AsyncDisposable & {
  /**
   * Starts new sites, replaces sites with changed settings, and stops sites that are not in `names`.
   * Resolves once each new site has either started or failed to start. Rejects if the process serves only
   * one site, and it cannot be started.
   */
  readonly apply: (sites: readonly NamedSite[], names?: readonly string[]) => Promise<void>
  readonly all: () => readonly HostedSite[]
  /** Aborts all upstream requests, the requests that wait for them, and retries of failed starts. */
  readonly abort: () => void
}

/** Starts, replaces and stops the sites of a process, which can change while it runs. */
export function createHostedSites(options: HostedSitesOptions): HostedSites {
  const hosted = new Map<string, HostedSite>()
  const closing = new Set<Promise<void>>()
  const starter = createSiteStarter(options)
  let isStopping = false

  function add(named: NamedSite): Promise<void> {
    const site = createHostedSite(named, {
      ...options,
      front: options.server.front,
      startSite: starter.start,
      startNext: () => starter.startNext(named.name),
      log: logOf(options, named.name),
    })
    hosted.set(named.name, site)
    return site.start()
  }

  /** Stops a site that is now served elsewhere, or not at all. */
  function stop(site: HostedSite, isRemoved: boolean): void {
    hosted.delete(site.name)
    const stopped = isRemoved ? site.remove() : site[Symbol.asyncDispose]()
    const closed = stopped.finally(() => closing.delete(closed))
    closing.add(closed)
  }

  return {
    async apply(sites, names = sites.map(({ name }) => name)) {
      if (isStopping) return
      starter.changeSites(sites)
      const own = sites.filter(({ name }) => names.includes(name))
      for (const site of hosted.values()) {
        const isRemoved = sites.every(({ name }) => name !== site.name)
        if (!names.includes(site.name)) stop(site, isRemoved)
      }
      const missing = own.filter(({ name }) => !hosted.has(name))
      for (const named of own) hosted.get(named.name)?.change(named)
      await Promise.all(missing.map(add))
    },
    all: () => [...hosted.values()],
    abort() {
      isStopping = true
      for (const site of hosted.values()) site.abort()
    },
    async [Symbol.asyncDispose]() {
      const disposed = [...hosted.values()].map((site) => site[Symbol.asyncDispose]())
      await Promise.all([...closing, ...disposed])
      await starter[Symbol.asyncDispose]()
    },
  }
}

const logOf = ({ isAlone, log }: HostedSitesOptions, site: string): Logger =>
  isAlone ? log : log.child({ site })

/** Starts sites in turn, with everything that the sites of the process share. */
function createSiteStarter(options: HostedSitesOptions) {
  const { server, config: serverConfig, isAlone, clock } = options
  const starts = createStartQueue(maxConcurrentStarts)
  const sharedCounts = createSharedCounts(options.openSharedStore)
  const application = createApplication(serverConfig.proxies)
  const stopping = new AbortController()
  // A later request for a page should not have to wait for this.
  const loaded = clock
    .sleep(loadPagesAfterMs, stopping.signal)
    .then(application.loadPages, () => undefined)
    .catch((error: unknown) => {
      // Feeds do not need them.
      options.log.error({ err: error }, 'the pages could not be loaded')
    })
  let all: readonly NamedSite[] = []
  let added: readonly NamedSite[] = []

  function startNow(
    named: NamedSite,
    host: SiteHost,
    openStore: () => Promise<Store>,
  ): Promise<RunningSite | undefined> {
    const { name, config } = named
    const log = logOf(options, name)
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

  /** Starts a site after the others that are waiting. With several hosts, claims it right away. */
  async function start(
    named: NamedSite,
    host: SiteHost,
    signal: AbortSignal,
  ): Promise<RunningSite | undefined> {
    const open = () => options.openStore(named, host)
    const claimed = serverConfig.advertiseUrl === undefined ? undefined : await open()
    const openStore = async () => claimed ?? open()
    const started = starts.add(named.name, async () => {
      if (!signal.aborted) return beforeRenderings(() => startNow(named, host, openStore))
      await claimed?.[Symbol.asyncDispose]()
      return undefined
    })
    // A stopped site releases its claim without waiting, because another host may need it.
    const release = () => starts.runNow(named.name)
    if (signal.aborted) release()
    signal.addEventListener('abort', release)
    return started.finally(() => signal.removeEventListener('abort', release))
  }

  return {
    start,
    startNext: starts.prioritize,
    changeSites(sites: readonly NamedSite[]): void {
      const known = new Set(all.map(({ name }) => name))
      all = sites
      added = sites.filter(({ name }) => !known.has(name))
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await loaded
      await sharedCounts[Symbol.asyncDispose]()
    },
  }
}

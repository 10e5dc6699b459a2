import pLimit from 'p-limit'
import { storeDirectory, type ServerConfig } from '../config/config.ts'
import { configuredHosts, type NamedSite } from '../config/sites-config.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import { createRejections } from '../http/server/rejections.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { cacheBudgetPerSite } from './cache-budget.ts'
import { createHostedSite, type HostedSite, type SiteHost } from './hosted-site.ts'
import type { SendNotice } from './notifications/notice.ts'
import { startSite, type RunningSite } from './running-site.ts'
import type { Runtime } from './upstream-sync.ts'
import type { WebServer } from './web-server.ts'

/** Maximum number of sites to start concurrently, so that running sites stay responsive. */
const maxConcurrentStarts = 4

/** Maximum period over which the first reads of all sites are spread. */
const maxSpreadMs = 5 * 60_000

/** The sites of a process, which can change while it runs. */
export type HostedSites = AsyncDisposable & {
  /**
   * Starts new sites, replaces sites with changed settings, and stops sites that are not in `names`.
   * Resolves once each new site has either started or failed to start. Rejects if the process serves only
   * one site, and it cannot be started.
   */
  readonly apply: (sites: readonly NamedSite[], names?: readonly string[]) => Promise<unknown>
  readonly all: () => readonly HostedSite[]
  /** Aborts all upstream requests, the requests that wait for them, and retries of failed starts. */
  readonly abort: () => void
}

export type HostOptions = Runtime & {
  readonly server: WebServer
  readonly config: ServerConfig
  /** True if the process serves a single site. */
  readonly isAlone: boolean
  /** False if the public URL is the one that the server listens on. */
  readonly isPublicUrlSet: boolean
  readonly openStore: (site: NamedSite) => Promise<Store>
  /** Returns the function with which a site sends alerts, if they are combined with those of other sites. */
  readonly senderFor?: (site: string) => SendNotice
  /** Called when a site has been replaced, so its public URL may have changed. */
  readonly replaced: () => void
}

export function createHostedSites(options: HostOptions): HostedSites {
  const { server, config: serverConfig, isAlone, clock } = options
  const hosted = new Map<string, HostedSite>()
  const closing = new Set<Promise<void>>()
  const limited = pLimit(maxConcurrentStarts)
  let isStopping = false
  let all: readonly NamedSite[] = []
  /** Sites that were added by the latest change. */
  let added: readonly NamedSite[] = []

  function logOf({ name }: NamedSite): Logger {
    return isAlone ? options.log : options.log.child({ site: name })
  }

  function start(named: NamedSite, host: SiteHost): Promise<RunningSite> {
    const { name, config } = named
    const log = logOf(named)
    const { publicFeeds = defaultPublicFeeds } = config
    const hosts = isAlone ? config.configuredHosts : configuredHosts(all)
    const rejections = isAlone ? server.rejections : createRejections(clock, log)
    const position = Math.max(0, added.indexOf(named))
    return startSite({
      ...options,
      ...host,
      config: { ...config, publicFeeds, configuredHosts: hosts },
      openStore: () => options.openStore(named),
      memory: cacheBudgetPerSite(all.length),
      server: { ...server, name, rejections, proxies: serverConfig.proxies, isAlone },
      dataDirectory: storeDirectory(serverConfig),
      sendShared: options.senderFor?.(name),
      // Spread the reads, because several websites may be on the same server.
      readAfterMs: (Math.min(config.freshMs, maxSpreadMs) * position) / Math.max(1, added.length),
      log,
    })
  }

  function add(named: NamedSite): Promise<void> {
    const site = createHostedSite(named, {
      ...options,
      front: server.front,
      startSite: (...wanted) => limited(start, ...wanted),
      log: logOf(named),
    })
    hosted.set(named.name, site)
    return site.start()
  }

  function remove(site: HostedSite): void {
    hosted.delete(site.name)
    const closed = site.remove().finally(() => closing.delete(closed))
    closing.add(closed)
  }

  return {
    async apply(sites, names = sites.map(({ name }) => name)) {
      if (isStopping) return
      const known = new Set(all.map(({ name }) => name))
      all = sites
      added = sites.filter(({ name }) => !known.has(name))
      const own = sites.filter(({ name }) => names.includes(name))
      for (const site of hosted.values()) if (!names.includes(site.name)) remove(site)
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
    },
  }
}

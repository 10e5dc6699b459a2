import type { SiteConfig, SiteSettings } from '../config/config.ts'
import { combinedFeeds } from '../feeds/catalog.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import type { ServiceStatus } from '../http/monitoring/monitoring-routes.ts'
import type { SiteListener } from '../http/site-listener.ts'
import { createLinkService } from '../links/link-service.ts'
import type { NewLink } from '../links/stored-links.ts'
import { publishToHubs } from '../representations/websub.ts'
import type { Store } from '../store/store.ts'
import { createAdminActions } from './admin-actions.ts'
import { createEmergencyStore } from './emergency-store.ts'
import { keptIdHost } from './id-host.ts'
import { presentationChangedAt } from './presentation-changed-at.ts'
import { notePublicAddress } from './published-url.ts'
import { siteFromSettings } from './site-from-settings.ts'
import { createSite, type SiteOptions } from './site.ts'

export type SiteServiceOptions = Pick<
  SiteOptions,
  'site' | 'memory' | 'server' | 'clock' | 'log' | 'random'
> & {
  readonly config: SiteConfig
  readonly site: SiteSettings
  readonly publicUrl: string
  readonly publicFeedIds: readonly string[]
  readonly openStore: () => Promise<Store>
  /** Settings that an admin can change while the site runs. */
  readonly settings: AdminActions['settings']
  /** Delay before the first scheduled read. A request can trigger an earlier read. */
  readonly readAfterMs: number
}

/** A running site with its store, feed links, representations and pages. */
export type SiteService = AsyncDisposable & {
  readonly front: SiteListener
  readonly status: () => Promise<ServiceStatus>
  /** Aborts upstream requests and all requests that are waiting for them. */
  readonly abortUpstream: () => void
  /** Creates a feed link. Resolves to the URL of the link's page. The URL is not stored. */
  readonly addLink: (wish: NewLink) => Promise<string>
}

/**
 * Starts a site. Rejects with a `StoreError`, or with a `ConfigError` if the host for ids is unclear or
 * would change.
 */
export async function startSiteService(options: SiteServiceOptions): Promise<SiteService> {
  const { config, publicUrl, publicFeedIds, clock, log } = options
  const { url: siteUrl, timeZone } = options.site
  await using starting = new AsyncDisposableStack()
  const store = starting.use(await options.openStore())
  const { documents } = store
  const { idHost: configured, configuredHosts, hubs } = config
  const idHost = await keptIdHost(store, { siteUrl, idHost: configured, configuredHosts, log })
  const published = siteFromSettings(options.site, { idHost, publicUrl, publicFeedIds, hubs })
  await notePublicAddress(documents, { publicUrl, timeZone })
  const links = createLinkService(documents, { clock, log })
  const emergency = createEmergencyStore(documents, { clock, log })
  await Promise.all([links.pull(), emergency.pull()])
  const site = await createSite(starting, {
    ...options,
    published,
    store,
    links,
    emergency,
    presentationChangedAt: await presentationChangedAt(documents, published, clock.now()),
    adminActions: (collections) =>
      createAdminActions(config, {
        documents,
        links,
        collections,
        emergency,
        settings: options.settings,
        clock,
      }),
    requestLog: log,
  })
  const { front, status, representations, signal, abort } = site
  const working = [links.poll(signal), emergency.poll(signal)]
  starting.defer(async () => void (await Promise.all(working)))
  starting.defer(abort)
  representations.start()
  site.collections.start(options.readAfterMs)
  if (hubs.length > 0) {
    const forEveryone = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
    const feeds = [...site.publicFeeds, ...forEveryone]
    working.push(publishToHubs({ feeds, site: published, representations, clock, log, signal }))
  }
  const running = starting.move()
  return {
    front,
    status,
    abortUpstream: abort,
    async addLink(wish) {
      const added = await links.add(wish)
      if (!added.ok) throw new Error(`no feed link could be added: ${added.reason}`)
      return `${publicUrl}/l/${added.key}/`
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

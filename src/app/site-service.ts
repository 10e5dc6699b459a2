import { randomUUID } from 'node:crypto'
import { problemsFrom } from '../collections/status/problems.ts'
import type { SiteConfig, SiteSettings } from '../config/config.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import type { ServiceStatus } from '../http/monitoring/monitoring-routes.ts'
import type { SiteListener } from '../http/site-listener.ts'
import { createLinkService } from '../links/link-service.ts'
import type { NewLink } from '../links/stored-links.ts'
import { publishToHubs } from '../representations/websub.ts'
import type { Store } from '../store/store.ts'
import { createAdminActions } from './admin-actions.ts'
import { createEmergencyStore } from './emergency-store.ts'
import type { SendNotice } from './notifications/combined-alerts.ts'
import { createObserver } from './notifications/observations.ts'
import {
  alertSiteFrom,
  createChannels,
  runNotifications,
} from './notifications/site-notifications.ts'
import { keptIdHost } from './id-host.ts'
import { presentationChangedAt } from './presentation-changed-at.ts'
import { notePublicAddress } from './published-url.ts'
import { siteFromSettings } from './site-from-settings.ts'
import { createSite, type SiteOptions } from './site.ts'

/** What is due after a start, or after hours without a network, is read within this time. */
const settleMs = 2 * 60_000

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
  /** Combines alerts with those of other sites. Undefined if there are no other sites. */
  readonly sendShared?: SendNotice | undefined
  /** Directory with the store; undefined if the store is elsewhere. */
  readonly dataDirectory: string | undefined
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
  const channels = createChannels(config.notifications, clock)
  const alertSite = alertSiteFrom(published, { hasAdminPage: config.adminPassword !== undefined })
  await Promise.all([links.pull(), emergency.pull()])
  const site = await createSite(starting, {
    ...options,
    published,
    store,
    links,
    emergency,
    presentationChangedAt: await presentationChangedAt(documents, published, clock.now()),
    adminActions: (parts) =>
      createAdminActions(config, {
        ...parts,
        documents,
        links,
        channels,
        alertSite,
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
    const forEveryone = site.catalog.combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
    const feeds = [...site.publicFeeds, ...forEveryone]
    working.push(publishToHubs({ feeds, site: published, representations, clock, log, signal }))
  }
  const observe = createObserver({ ...options, ...site, documents })
  working.push(
    runNotifications({
      settings: config.notifications,
      channels,
      sendShared: options.sendShared,
      store,
      holder: randomUUID(),
      alertSite,
      async problems() {
        const [state, observations] = await Promise.all([site.statusOptions(), observe()])
        return problemsFrom(state, observations)
      },
      changes: { ...site, site: published },
      startAfterMs: options.readAfterMs + settleMs,
      clock,
      log,
      signal,
    }),
  )
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

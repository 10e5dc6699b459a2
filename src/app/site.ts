import { createAdminActions } from './admin-actions.ts'
import { isOpenProbe } from '../store/probe.ts'
import type { Clock } from '../clock.ts'
import { publicStatusFrom } from '../collections/status/public-status.ts'
import { statusFrom } from '../collections/status/status.ts'
import type { SiteConfig, SiteSettings } from '../config/config.ts'
import { feeds } from '../feeds/catalog.ts'
import {
  createSiteListener,
  type SiteListener,
  type SiteListenerOptions,
} from '../http/site-listener.ts'
import type { ServiceStatus } from '../http/monitoring/monitoring-routes.ts'
import { keptIdHost } from './id-host.ts'
import { createLinkService } from '../links/link-service.ts'
import type { NewLink } from '../links/stored-links.ts'
import type { Logger } from '../log.ts'
import { createFeedPipeline } from './feed-pipeline.ts'
import type { CacheBudget } from './cache-budget.ts'
import { notePublicAddress } from './public-address.ts'
import { siteFromSettings } from './site-from-settings.ts'
import { createUpstreamSync } from './upstream-sync.ts'
import { feedSentences } from '../representations/feed-diagnostics.ts'
import type { RenderingThread } from '../representations/rendering-thread.ts'
import { publishToHubs } from '../representations/websub.ts'
import { presentationChangedAt } from './presentation-changed-at.ts'
import { createPictureSource } from '../pictures/picture-source.ts'
import type { Store } from '../store/store.ts'

export type SiteServiceOptions = {
  readonly config: SiteConfig
  readonly site: SiteSettings
  readonly publicUrl: string
  readonly publicFeedIds: readonly string[]
  readonly openStore: () => Promise<Store>
  readonly thread: Pick<RenderingThread, 'renderingFor'>
  /** Cache budget beyond pinned entries. */
  readonly memory: CacheBudget
  /** Parts shared by all sites of the process. */
  readonly server: Pick<
    SiteListenerOptions,
    'inFlight' | 'rejections' | 'isStopping' | 'proxies' | 'isAlone'
  >
  /** Delay before the first scheduled read; a request can trigger an earlier one. */
  readonly readAfterMs: number
  readonly clock: Clock
  readonly log: Logger
  /** From 0 up to 1. */
  readonly random: () => number
}

/** One website's store, client, collections, representations and pages. */
export type SiteService = AsyncDisposable & {
  readonly front: SiteListener
  readonly status: () => Promise<ServiceStatus>
  /** Aborts upstream requests, which also ends all waiting requests. */
  readonly abortUpstream: () => void
  /** Creates a feed link. Resolves to the URL of its page, which is not stored. */
  readonly addLink: (wish: NewLink) => Promise<string>
}

/** Creates and starts the parts of a site. Rejects with a `StoreError`, or a `ConfigError` about ids. */
export async function startSiteService(options: SiteServiceOptions): Promise<SiteService> {
  const { config, publicUrl, publicFeedIds, thread, memory, clock, log } = options
  const { timeZone, caPem } = options.site
  await using starting = new AsyncDisposableStack()
  const publicFeeds = feeds.filter((feed) => publicFeedIds.includes(feed.id))
  const stopping = new AbortController()
  const { signal } = stopping
  const store = starting.use(await options.openStore())
  const { idHost: configured, otherSites, hubs } = config
  const idHost = await keptIdHost(store, {
    siteUrl: options.site.url,
    idHost: configured,
    otherSites,
    log,
  })
  const site = siteFromSettings(options.site, { idHost, publicUrl, publicFeedIds, hubs })
  await notePublicAddress(store.documents, { publicUrl, timeZone })
  const links = createLinkService(store.documents, { clock, log })
  await links.pull()
  const { client, collections, upstreamCalls } = await createUpstreamSync(starting, {
    ...options,
    store,
    publicFeeds,
    links,
    stopping,
  })
  const { representations, overviews, itemPages, diagnostics } = createFeedPipeline(starting, {
    site,
    publicFeeds,
    links,
    collections,
    thread,
    memory,
    clock,
    log,
    presentationChangedAt: await presentationChangedAt(store.documents, site, clock.now()),
  })
  const statusOptions = async () => ({
    collections: collections.states(),
    storeFailure: collections.storeFailure() ?? links.storeFailure(),
    budget: await client.budget(),
    token: client.tokens.state(),
    timeZone,
  })
  const readingStatus = async () => statusFrom(await statusOptions())
  const status = async (): Promise<ServiceStatus> => {
    const [reading, states] = await Promise.all([readingStatus(), diagnostics.states()])
    return {
      ...reading,
      sentences: [...reading.sentences, ...feedSentences(states)],
      feeds: states,
    }
  }
  const publicStatus = async (): Promise<ServiceStatus> => {
    const resources = publicFeeds.map(({ resource }) => resource)
    const reading = publicStatusFrom(await statusOptions(), resources)
    const states = (await diagnostics.states()).filter(({ name }) => publicFeedIds.includes(name))
    return {
      ...reading,
      sentences: [...reading.sentences, ...feedSentences(states)],
      feeds: states,
    }
  }
  const pictures = starting.use(
    createPictureSource({
      siteUrl: site.url,
      caPem,
      now: clock.now,
      maxKeptBytes: memory.pictureBytes,
    }),
  )
  const front = createSiteListener({
    site,
    feeds,
    publicFeeds,
    links,
    collections,
    representations,
    overviews,
    clock,
    log,
    itemPages,
    status,
    publicStatus,
    readingStatus,
    upstreamCalls,
    fetchPicture: pictures.fetch,
    isProbe: (key) => isOpenProbe(store.documents, key),
    admin: createAdminActions(config, { documents: store.documents, links, collections, clock }),
    ...options.server,
  })
  const working = [links.poll(signal)]
  starting.defer(async () => void (await Promise.all(working)))
  starting.defer(() => stopping.abort())
  representations.start()
  collections.start(options.readAfterMs)
  if (config.hubs.length > 0) {
    working.push(publishToHubs({ feeds: publicFeeds, site, representations, clock, log, signal }))
  }
  const running = starting.move()
  return {
    front,
    status,
    abortUpstream: () => stopping.abort(),
    async addLink(wish) {
      const added = await links.add(wish)
      if (!added.ok) throw new Error(`no feed link could be added: ${added.reason}`)
      return `${publicUrl}/l/${added.key}/`
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

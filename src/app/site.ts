import { randomUUID } from 'node:crypto'
import { every } from '../clock.ts'
import { createCollections, type Collections } from '../collections/collections.ts'
import { publicStatusFrom, statusFrom, type Status } from '../collections/status/status.ts'
import { createTopicReplies } from '../collections/topic-replies.ts'
import type { SiteConfig, SiteSettings } from '../config/config.ts'
import { createCatalog, type Catalog } from '../feeds/catalog.ts'
import { includesMembers, members } from '../feeds/catalog/members.ts'
import { databaseSentences } from '../feeds/database-settings.ts'
import { createRenderers, type Feed } from '../feeds/feed.ts'
import { memberSentences, personalResourcesOf } from '../feeds/personal-members.ts'
import { siteIn, type Site } from '../feeds/site.ts'
import type { AdminActions } from '../http/admin/admin-actions.ts'
import type { EmergencyTexts } from '../site/emergency-text.ts'
import type { Following } from '../http/follow/following.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import { exitSentences } from '../http/monitoring/worker-reports.ts'
import { createSiteListener, type Application } from '../http/application.ts'
import type { FeedLink } from '../links/feed-link.ts'
import type { OpenLinks, ServedLinks } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import { createPictureSource } from '../pictures/picture-source.ts'
import { createDuplicatesFor } from '../feeds/duplicates.ts'
import { createPageContent } from '../representations/page-content.ts'
import { createFeedDiagnostics, feedSentences } from '../representations/feed-diagnostics.ts'
import { createTopicRepresentations } from '../representations/render-target.ts'
import { createRepresentations } from '../representations/representations.ts'
import { createSyncLogs } from '../representations/sync-log.ts'
import { plainTargets } from '../representations/target.ts'
import { diskFailure } from '../store/data-directory.ts'
import { createReplicas, heartbeatMs } from '../store/replicas.ts'
import { storedLosses } from '../store/losses.ts'
import { isOpenProbe } from '../store/service-signals.ts'
import { withFallback } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import { countedConnection, createConnection } from '../upstream/connection.ts'
import { guardedConnection, noGuard, type ReadingGuard } from '../upstream/guarded-connection.ts'
import { zoneDataOf } from '../zone-data/zone-data.ts'
import type { PrivateSince } from './private-feeds.ts'
import type { CacheBudget } from './worker-cache-budget.ts'
import { createPictureTypes } from './picture-types.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'
import type { Runtime } from './runtime.ts'
import type { SiteServer } from './web-server.ts'

/** Parts of the process that its sites use. */
export type SiteProcess = Runtime & {
  /** The server, in which `name` identifies this site. */
  readonly server: SiteServer & {
    readonly name: string
    readonly application: Application
    readonly isAlone: boolean
  }
  readonly memory: CacheBudget
  /** Directory with the store, or undefined if the store is elsewhere. */
  readonly dataDirectory?: string | undefined
  readonly withFault?: (status: ServiceStatus) => ServiceStatus
}

export type SiteOptions = SiteProcess & {
  readonly config: SiteConfig
  readonly site: SiteSettings
  /** Settings that feeds and pages show. */
  readonly published: Site
  readonly store: Store
  readonly links: ServedLinks
  readonly emergency: EmergencyTexts
  /** Undefined if people cannot follow the site. */
  readonly following?: Following | undefined
  /**
   * Time of the last change to settings or code that affects how feeds look, in milliseconds since
   * the epoch.
   */
  readonly presentationChangedAt: number
  readonly privateSince?: PrivateSince
  readonly adminActions?: (parts: {
    readonly refreshTokenFingerprint: () => string
    readonly dataService: UpstreamClient['dataService']
  }) => AdminActions | undefined
  readonly exportedFiles?: () => readonly string[]
  readonly requestLog: Logger
}

type SiteFeeds = { readonly catalog: Catalog; readonly publicFeeds: readonly Feed[] }

/**
 * Connects the parts of a site, from the upstream client to the HTTP routes. Starts only the
 * replica heartbeat. `abort` cancels all upstream requests and pending waits.
 */
export async function createSite(starting: AsyncDisposableStack, options: SiteOptions) {
  const { published: site, store, links, emergency, memory, clock, requestLog } = options
  const stopping = new AbortController()
  const catalog = createCatalog(site.databases)
  const publicFeeds = catalog.feeds.filter(({ id }) => site.publicFeedIds.includes(id))
  const feeds = { catalog, publicFeeds }
  const readingGuard = options.server.readingGuardFor(options.server.name)
  const { url: siteUrl, caPem } = options.site
  const { pictureBytes: maxKeptBytes } = memory
  const pictures = starting.use(
    createPictureSource({ siteUrl, caPem, now: clock.now, maxKeptBytes }),
  )
  const pictureTypesIn = createPictureTypes(pictures, siteUrl)
  const connecting = { ...options, ...feeds, readingGuard, pictureTypesIn }
  const upstream = await connectWebsite(starting, connecting, stopping)
  const { client, collections, upstreamCalls } = upstream
  const { dataService, refreshTokenFingerprint } = client
  const pipeline = createPipeline(starting, { ...options, ...feeds, collections, dataService })
  const statuses = createStatuses({ ...options, ...feeds, ...pipeline, collections, client })
  const http = createSiteListener({
    ...options.server,
    ...feeds,
    ...pipeline,
    ...statuses,
    site,
    presentationChangedAt: options.presentationChangedAt,
    privateSince: options.privateSince,
    links,
    emergency,
    collections,
    upstreamCalls,
    windows: store.windows,
    fetchPicture: pictures.fetch,
    following: options.following,
    profileSigner: options.config.profileSigner,
    syncLogs: options.config.hasDav ? createSyncLogs(store.documents, clock) : undefined,
    exportedFiles: options.exportedFiles,
    isProbe: (key) => isOpenProbe(store.documents, key),
    admin: options.adminActions?.({ refreshTokenFingerprint, dataService }),
    clock,
    log: requestLog,
  })
  return {
    ...feeds,
    ...pipeline,
    ...statuses,
    collections,
    refreshTokenFingerprint,
    http,
    signal: stopping.signal,
    abort: () => stopping.abort(),
  }
}

/** Connects the upstream client and the collections. Starts only the replica heartbeat. */
export async function connectWebsite(
  starting: AsyncDisposableStack,
  options: Runtime &
    Pick<SiteOptions, 'config' | 'site' | 'store'> & {
      readonly catalog: Pick<Catalog, 'feeds' | 'feedsOf'>
      readonly publicFeeds: readonly Feed[]
      readonly links: { readonly open: OpenLinks['open'] }
      readonly readingGuard?: ReadingGuard
      readonly pictureTypesIn?: ReturnType<typeof createPictureTypes>
    },
  stopping: AbortController,
) {
  const { config, site, store, catalog, publicFeeds, links, clock } = options
  const { url: siteUrl, caPem, timeZone: siteTimeZone } = site
  const { signal } = stopping
  const id = randomUUID()
  const replicas = createReplicas(store.documents, { id, now: clock.now })
  const heartbeats = every(clock, heartbeatMs, signal, replicas.heartbeat).then(replicas.leave)
  starting.defer(() => heartbeats)
  // Abort even if the code below throws. Otherwise, disposal would wait forever.
  starting.defer(() => stopping.abort())
  const website = starting.use(createConnection({ siteUrl, caPem, now: clock.now, signal }))
  const { readingGuard = noGuard } = options
  const connection = countedConnection(guardedConnection(website, readingGuard, clock))
  // Without the store, an owner cannot know whether another one has taken over, so nobody may read.
  const replica = { id, count: () => (store.isOwned ? Infinity : replicas.count()) }
  const client = createUpstreamClient({ ...config, ...options, connection, replica, signal })
  const isNamed = (resource: Feed['resource']) =>
    [...publicFeeds, ...links.open().flatMap((link) => (link.feedIds ? catalog.feedsOf(link) : []))]
      .map((feed) => feed.resource)
      .includes(resource)
  const collections = starting.use(
    createCollections({
      ...config,
      ...options,
      signal,
      siteTimeZone,
      dataService: client.dataService,
      resources: () => resourcesReadFor(publicFeeds, links.open(), catalog),
      feedsOf: (resource) => ({
        ids: [...catalog.feeds, members]
          .filter((feed) => feed.resource === resource)
          .map((feed) => feed.id),
        areNamed:
          isNamed(resource) ||
          (resource === members.resource && links.open().some(includesMembers)) ||
          // Without the members, a link for a member cannot show any personal entries.
          (resource === 'members' && personalResourcesOf(links.open()).includes(resource)),
      }),
      holder: id,
      usedToday: async () => (await client.budget()).day.used,
    }),
  )
  starting.defer(() => stopping.abort())
  await Promise.all([collections.load(), client.tokens.load()])
  return { client, collections, upstreamCalls: connection.counts }
}

export function resourcesReadFor(
  publicFeeds: readonly Feed[],
  links: readonly FeedLink[],
  { feedsOf }: Pick<Catalog, 'feedsOf'>,
): readonly Feed['resource'][] {
  const shown = [...publicFeeds, ...links.flatMap(feedsOf)].map((feed) => feed.resource)
  const contacts = links.some(includesMembers) ? [members.resource] : []
  return [...new Set([...shown, ...contacts, ...personalResourcesOf(links)])]
}

export function createPipeline(
  starting: AsyncDisposableStack,
  options: Pick<Runtime, 'clock' | 'log'> &
    Pick<SiteOptions, 'published' | 'store' | 'memory' | 'presentationChangedAt'> &
    SiteFeeds & {
      readonly links: ServedLinks
      readonly collections: Collections
      readonly dataService: UpstreamClient['dataService']
    },
) {
  const { published: site, catalog, publicFeeds, links, collections, memory } = options
  const { documents } = options.store
  const { feeds, combinedFeeds, feedsOf } = catalog
  const renderers = createRenderers(site)
  const shared = { ...options, site, documents, feeds, renderers }
  const diagnostics = createFeedDiagnostics(feeds, collections, shared)
  const contentIn = createPageContent(collections, { ...shared, maxBytes: memory.pageBytes })
  const duplicatesFor = createDuplicatesFor(feeds, collections.copyOf, site)
  const ready = { ...shared, diagnostics, duplicatesFor, maxBytes: memory.variantBytes }
  const representations = starting.use(createRepresentations(collections, ready))
  const replies = createTopicReplies({ ...options, siteTimeZone: site.timeZone })
  const topics = createTopicRepresentations(replies, shared)
  const combinedForEveryone = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
  const keepReady = () =>
    representations.keepReady([
      ...plainTargets([...publicFeeds, ...combinedForEveryone], 'public'),
      ...links.open().flatMap((link) => plainTargets(feedsOf(link), link.profile)),
    ])
  keepReady()
  links.onChange(keepReady)
  return { representations, topics, contentIn, duplicatesFor, diagnostics }
}

function createStatuses(
  options: SiteOptions &
    SiteFeeds &
    Pick<ReturnType<typeof createPipeline>, 'diagnostics'> & {
      readonly collections: Collections
      readonly client: UpstreamClient
    },
) {
  const { published: site, catalog, publicFeeds, links, clock } = options
  const { diagnostics, collections, client, withFault = (status) => status } = options
  const storeFailure = async () =>
    collections.storeFailure() ?? links.storeFailure() ?? diskFailure(options.dataDirectory)
  const statusOptions = async () => ({
    collections: collections.states(),
    load: collections.readingLoad(),
    storeFailure: await storeFailure(),
    losses: (await withFallback(() => storedLosses(options.store.documents))) ?? {},
    budget: await client.budget(),
    token: client.tokens.state(),
    timeZone: options.site.timeZone,
    zoneData: zoneDataOf(options.site.timeZone, clock.now()),
    language: siteIn(site, 'en').language,
    now: clock.now(),
  })
  const withFeeds = async (reading: Status, shown: readonly Feed[]): Promise<ServiceStatus> => {
    const ids = shown.map(({ id }) => id)
    const states = diagnostics.states().filter(({ name }) => ids.includes(name))
    const exits = exitSentences(options.server.exits, clock.now())
    const sentences = [...reading.sentences, ...feedSentences(states), ...exits]
    return withFault({ ...reading, sentences, feeds: states })
  }
  const readingStatus = async () => statusFrom(await statusOptions())
  return {
    storeFailure,
    statusOptions,
    readingStatus,
    /** Returns the status shown to signed-in users. */
    async status(): Promise<ServiceStatus> {
      const full = await withFeeds(await readingStatus(), catalog.feeds)
      const sentences = [
        ...full.sentences,
        ...memberSentences(links.open(), collections.copyOf('members')?.records),
        ...databaseSentences(
          site.databases ?? [],
          ({ databaseId }) => collections.copyOf(`databases/${databaseId}`)?.records,
        ),
      ]
      return { ...full, sentences }
    },
    async publicStatus(): Promise<ServiceStatus> {
      const resources = publicFeeds.map(({ resource }) => resource)
      return withFeeds(publicStatusFrom(await statusOptions(), resources), publicFeeds)
    },
  }
}

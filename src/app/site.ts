import { randomUUID } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import type { ServedFeeds } from '../collections/collection-state.ts'
import { createCollections, type Collections } from '../collections/collections.ts'
import { publicStatusFrom, statusFrom, type Status } from '../collections/status/status.ts'
import type { StatusOptions } from '../collections/status/status-sentences.ts'
import { createTopicReplies } from '../collections/topic-replies.ts'
import type { SiteConfig, SiteSettings } from '../config/config.ts'
import { createCatalog, type Catalog } from '../feeds/catalog.ts'
import { includesMembers, members } from '../feeds/catalog/members.ts'
import { databaseSentences } from '../feeds/database-settings.ts'
import { createRenderers, type Feed } from '../feeds/feed.ts'
import { memberSentences, personalResourcesOf } from '../feeds/personal-members.ts'
import { siteIn, type Site } from '../feeds/site.ts'
import type { AdminActions } from '../site/admin-actions.ts'
import type { EmergencyTexts } from '../site/emergency-text.ts'
import type { Following } from '../followers/following.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import { exitSentences } from '../features/monitoring/worker-reports.ts'
import { createSiteListener, type Application, type SiteListener } from '../http/application.ts'
import type { FeedLink } from '../links/feed-link.ts'
import type { OpenLinks, ServedLinks } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import { createPublicReaders } from '../web/public-readers.ts'
import type { FeedResource } from '../records/resources.ts'
import { createPictureSource, type PictureSource } from '../pictures/picture-source.ts'
import { createDuplicatesFor, type DuplicatesFor } from '../feeds/duplicates.ts'
import { createPageContent, type PageContent } from '../representations/page-content.ts'
import {
  createFeedDiagnostics,
  feedSentences,
  type FeedDiagnostics,
} from '../representations/feed-diagnostics.ts'
import {
  createTopicRepresentations,
  type TopicRepresentations,
} from '../representations/render-target.ts'
import { createRepresentations, type Representations } from '../representations/representations.ts'
import { createSyncLogs } from '../representations/sync-log.ts'
import { plainTargets } from '../representations/target.ts'
import { diskFailure } from '../store/data-directory.ts'
import { createReplicas, heartbeatMs } from '../store/replicas.ts'
import { storedLosses } from '../store/losses.ts'
import { isOpenProbe } from '../store/service-signals.ts'
import { withFallback, type StoreError } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import { countedConnection, createConnection } from '../upstream/connection.ts'
import { guardedConnection, noGuard, type ReadingGuard } from '../upstream/guarded-connection.ts'
import { zoneDataOf } from '../zone-data/zone-data.ts'
import type { DataService } from '../upstream/data-service.ts'
import type { PrivateSince } from './private-feeds.ts'
import type { CacheBudget } from './worker-cache-budget.ts'
import { createPictureTypes, type PictureTypesIn } from './picture-types.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'
import type { Runtime } from './runtime.ts'
import type { SiteServer } from './site-server.ts'

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
  /** Sentences for `/status` about stored settings that cannot be used. */
  readonly settingsFaults?: readonly string[]
  readonly adminActions?: (parts: {
    readonly refreshTokenFingerprint: () => string
    readonly dataService: DataService
  }) => AdminActions | undefined
  readonly exportedFiles?: () => readonly string[]
  readonly requestLog: Logger
}

export type SiteFeeds = { readonly catalog: Catalog; readonly publicFeeds: readonly Feed[] }

/** A site's parts, from the client of its website to its responses. */
export type SiteParts = {
  readonly feeds: SiteFeeds
  readonly client: UpstreamClient
  readonly collections: Collections
  readonly pipeline: Pipeline
  readonly statuses: Statuses
  readonly http: SiteListener
  readonly pictures: PictureSource
  readonly signal: AbortSignal
  /** Cancels all upstream requests and pending waits. */
  readonly abort: () => void
}

/** Connects the parts of a site. Starts only the replica heartbeat. */
export async function createSite(
  starting: AsyncDisposableStack,
  options: SiteOptions,
): Promise<SiteParts> {
  const { config, published: site, store, links, memory, server, clock, log, random } = options
  const { documents, windows } = store
  const stopping = new AbortController()
  const catalog = createCatalog(site.databases)
  const publicFeeds = catalog.feeds.filter(({ id }) => site.publicFeedIds.includes(id))
  const feeds = { catalog, publicFeeds }
  const { url: siteUrl, caPem } = options.site
  const { pictureBytes: maxKeptBytes } = memory
  const pictures = starting.use(
    createPictureSource({ siteUrl, caPem, now: clock.now, maxKeptBytes }),
  )
  const website = {
    config,
    site: options.site,
    store,
    feeds,
    links,
    readingGuard: server.readingGuardFor(server.name),
    pictureTypesIn: createPictureTypes(pictures, siteUrl),
    runtime: { clock, log, random },
  }
  const { client, collections, upstreamCalls } = await connectWebsite(starting, website, stopping)
  const { dataService, refreshTokenFingerprint } = client
  const sources = { feeds, links, collections, dataService }
  const shown = { site, presentationChangedAt: options.presentationChangedAt, memory, clock, log }
  const pipeline = createPipeline(starting, sources, shown)
  const statuses = createStatuses(options, { feeds, client, collections, pipeline })
  const http = createSiteListener({
    site,
    presentationChangedAt: options.presentationChangedAt,
    name: server.name,
    application: server.application,
    isAlone: server.isAlone,
    isStopping: server.isStopping,
    front: server.front,
    frontFigures: server.frontFigures,
    rejections: server.rejections,
    catalog,
    publicFeeds,
    privateSince: options.privateSince,
    links,
    emergency: options.emergency,
    collections,
    upstreamCalls,
    representations: pipeline.representations,
    topics: pipeline.topics,
    contentIn: pipeline.contentIn,
    duplicatesFor: pipeline.duplicatesFor,
    status: statuses.status,
    publicStatus: statuses.publicStatus,
    readingStatus: statuses.readingStatus,
    storeFailure: statuses.storeFailure,
    windows,
    publicReaders: createPublicReaders(documents, clock),
    fetchPicture: pictures.fetch,
    following: options.following,
    profileSigner: config.profileSigner,
    syncLogs: config.hasDav ? createSyncLogs(documents, clock) : undefined,
    exportedFiles: options.exportedFiles,
    isProbe: (key) => isOpenProbe(documents, key),
    admin: options.adminActions?.({ refreshTokenFingerprint, dataService }),
    clock,
    log: options.requestLog,
  })
  const { signal } = stopping
  const abort = () => stopping.abort()
  return { feeds, client, collections, pipeline, statuses, http, pictures, signal, abort }
}

type WebsiteOptions = {
  readonly config: SiteConfig
  readonly site: SiteSettings
  readonly store: Store
  readonly feeds: SiteFeeds
  readonly links: { readonly open: OpenLinks['open'] }
  readonly readingGuard?: ReadingGuard
  readonly pictureTypesIn?: PictureTypesIn
  readonly runtime: Runtime
}

type ConnectedWebsite = {
  readonly client: UpstreamClient
  readonly collections: Collections
  /** Number of calls to the data service since startup, by result. */
  readonly upstreamCalls: () => ReadonlyMap<string, number>
}

/** Connects the upstream client and the collections. Starts only the replica heartbeat. */
export async function connectWebsite(
  starting: AsyncDisposableStack,
  options: WebsiteOptions,
  stopping: AbortController,
): Promise<ConnectedWebsite> {
  const { config, site, store, feeds, links, readingGuard = noGuard } = options
  const { pictureTypesIn, runtime } = options
  const { clock } = runtime
  const { callsPerMinute, callsPerDay, freshMs, window } = config
  const { url: siteUrl, caPem, timeZone: siteTimeZone } = site
  const { signal } = stopping
  const id = randomUUID()
  const replicas = createReplicas(store.documents, { id, now: clock.now })
  const heartbeats = every(clock, heartbeatMs, signal, replicas.heartbeat).then(replicas.leave)
  starting.defer(() => heartbeats)
  // Abort even if the code below throws. Otherwise, disposal would wait forever.
  starting.defer(() => stopping.abort())
  const website = starting.use(createConnection({ siteUrl, caPem, now: clock.now, signal }))
  const connection = countedConnection(guardedConnection(website, readingGuard, clock))
  const client = createUpstreamClient({
    site,
    connection,
    callsPerMinute,
    callsPerDay,
    store,
    // Without the store, an owner cannot tell whether another process has taken over, so it must not
    // read the website.
    replica: { id, count: () => (store.isOwned ? Infinity : replicas.count()) },
    signal,
    ...runtime,
  })
  const collections = starting.use(
    createCollections({
      dataService: client.dataService,
      store,
      resources: () => resourcesReadFor(feeds, links.open()),
      feedsOf: (resource) => servedFeeds(resource, feeds, links.open()),
      siteTimeZone,
      window,
      freshMs,
      callsPerDay,
      usedToday: async () => (await client.budget()).day.used,
      holder: id,
      ...(pictureTypesIn && { pictureTypesIn }),
      signal,
      ...runtime,
    }),
  )
  starting.defer(() => stopping.abort())
  await Promise.all([collections.load(), client.tokens.load()])
  return { client, collections, upstreamCalls: connection.counts }
}

function servedFeeds(
  resource: FeedResource,
  { catalog, publicFeeds }: SiteFeeds,
  links: readonly FeedLink[],
): ServedFeeds {
  const linked = links.flatMap((link) => (link.feedIds ? catalog.feedsOf(link) : []))
  const isOf = (feed: { readonly resource: FeedResource }) => feed.resource === resource
  return {
    ids: [...catalog.feeds, members].filter(isOf).map(({ id }) => id),
    areNamed:
      [...publicFeeds, ...linked].some(isOf) ||
      (resource === members.resource && links.some(includesMembers)) ||
      // Without the members, a link for a member cannot show any personal entries.
      (resource === 'members' && personalResourcesOf(links).includes(resource)),
  }
}

export function resourcesReadFor(
  { publicFeeds, catalog: { feedsOf } }: SiteFeeds,
  links: readonly FeedLink[],
): readonly Feed['resource'][] {
  const shown = [...publicFeeds, ...links.flatMap(feedsOf)].map((feed) => feed.resource)
  const contacts = links.some(includesMembers) ? [members.resource] : []
  return [...new Set([...shown, ...contacts, ...personalResourcesOf(links)])]
}

/** Creates text from collections, on request or when records or time change. */
export type Pipeline = {
  readonly representations: Representations
  readonly topics: TopicRepresentations
  readonly contentIn: PageContent
  readonly duplicatesFor: DuplicatesFor
  readonly diagnostics: FeedDiagnostics
}

export function createPipeline(
  starting: AsyncDisposableStack,
  sources: {
    readonly feeds: SiteFeeds
    readonly links: ServedLinks
    readonly collections: Collections
    readonly dataService: DataService
  },
  options: {
    readonly site: Site
    readonly presentationChangedAt: number
    readonly memory: CacheBudget
    readonly clock: Clock
    readonly log: Logger
  },
): Pipeline {
  const { links, collections, dataService } = sources
  const { site, presentationChangedAt, memory, clock, log } = options
  const { catalog, publicFeeds } = sources.feeds
  const { feeds, combinedFeeds, feedsOf } = catalog
  const renderers = createRenderers(site)
  const diagnostics = createFeedDiagnostics(feeds, collections, { renderers, clock, log })
  const paging = { renderers, maxBytes: memory.pageBytes, clock }
  const contentIn = createPageContent(collections, paging)
  const duplicatesFor = createDuplicatesFor(feeds, collections.copyOf, site)
  const appearance = { renderers, presentationChangedAt, clock }
  const { variantBytes: maxBytes } = memory
  const rendering = { ...appearance, diagnostics, duplicatesFor, maxBytes, log }
  const representations = starting.use(createRepresentations(collections, rendering))
  const { timeZone: siteTimeZone } = site
  const replies = createTopicReplies({ dataService, collections, siteTimeZone, clock, log })
  const topics = createTopicRepresentations(replies, appearance)
  const combinedForEveryone = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
  const keepReady = () =>
    representations.keepReady([
      ...plainTargets(publicFeeds, combinedForEveryone, 'public'),
      ...links.open().flatMap((link) => plainTargets(feedsOf(link), [], link.profile)),
    ])
  // An export may have no changes to render.
  if (!site.isStatic) keepReady()
  links.onChange(keepReady)
  return { representations, topics, contentIn, duplicatesFor, diagnostics }
}

export type Statuses = {
  readonly storeFailure: () => Promise<StoreError | undefined>
  readonly statusOptions: () => Promise<StatusOptions>
  readonly readingStatus: () => Promise<Status>
  /** Returns the status shown to signed-in users. */
  readonly status: () => Promise<ServiceStatus>
  readonly publicStatus: () => Promise<ServiceStatus>
}

function createStatuses(
  options: SiteOptions,
  parts: Pick<SiteParts, 'feeds' | 'client' | 'collections' | 'pipeline'>,
): Statuses {
  const { published: site, links, clock, withFault = (status) => status } = options
  const { catalog, publicFeeds } = parts.feeds
  const { client, collections, pipeline } = parts
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
    const all = await pipeline.diagnostics.states()
    const states = all.filter(({ name }) => ids.includes(name))
    const exits = exitSentences(options.server.exits, clock.now())
    const sentences = [...reading.sentences, ...feedSentences(states), ...exits]
    return withFault({ ...reading, sentences, feeds: states })
  }
  const readingStatus = async () => statusFrom(await statusOptions())
  return {
    storeFailure,
    statusOptions,
    readingStatus,
    async status() {
      const full = await withFeeds(await readingStatus(), catalog.feeds)
      const sentences = [
        ...full.sentences,
        ...(options.settingsFaults ?? []),
        ...memberSentences(links.open(), collections.copyOf('members')?.records),
        ...databaseSentences(
          site.databases ?? [],
          ({ databaseId }) => collections.copyOf(`databases/${databaseId}`)?.records,
        ),
      ]
      return { ...full, sentences }
    },
    async publicStatus() {
      const resources = publicFeeds.map(({ resource }) => resource)
      return withFeeds(publicStatusFrom(await statusOptions(), resources), publicFeeds)
    },
  }
}

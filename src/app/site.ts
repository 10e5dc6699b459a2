import { isOpenProbe } from '../store/service-signals.ts'
import type { Collections } from '../collections/collections.ts'
import { publicStatusFrom, statusFrom, type Status } from '../collections/status/status.ts'
import { createCatalog } from '../feeds/catalog.ts'
import { databaseSentences } from '../feeds/database-advice.ts'
import type { Feed } from '../feeds/feed.ts'
import { memberSentences } from '../feeds/personal-members.ts'
import type { Site } from '../feeds/site.ts'
import type { EmergencyTexts } from '../http/board/emergency-text.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import type { ServiceStatus } from '../http/monitoring/monitoring-routes.ts'
import { createSiteListener } from '../http/site-listener.ts'
import type { LinkService } from '../links/link-service.ts'
import { exitSentences } from '../http/front/health.ts'
import type { Logger } from '../log.ts'
import { createPictureSource } from '../pictures/picture-source.ts'
import { feedSentences } from '../representations/feed-diagnostics.ts'
import { diskFailure } from '../store/data-directory.ts'
import type { Store } from '../store/store.ts'
import type { CacheBudget } from './cache-budget.ts'
import { createDatabaseReader } from './database-reader.ts'
import { createFeedPipeline } from './feed-pipeline.ts'
import type { WebServer } from './web-server.ts'
import { createUpstreamSync, type Runtime, type UpstreamSyncOptions } from './upstream-sync.ts'

/** The part of the link service that a site uses. */
type SiteLinks = Pick<
  LinkService,
  'find' | 'byId' | 'isLoaded' | 'pull' | 'open' | 'onChange' | 'edit' | 'storeFailure'
>

/** What a site gets from the process that serves it. */
export type SiteProcess = Runtime & {
  /** The server, in which the name distinguishes sites. */
  readonly server: WebServer & {
    readonly name: string
    readonly proxies: number
    readonly isAlone: boolean
  }
  /** Cache budget in addition to pinned entries. */
  readonly memory: CacheBudget
  /** Directory with the store; undefined if the store is elsewhere. */
  readonly dataDirectory?: string | undefined
  /** Adds to the status that changed settings cannot be applied. */
  readonly withFault?: (status: ServiceStatus) => ServiceStatus
}

export type SiteOptions = UpstreamSyncOptions &
  SiteProcess & {
    /** Settings that feeds and pages show. */
    readonly published: Site
    readonly store: Store
    readonly links: SiteLinks
    readonly emergency: EmergencyTexts
    /** When settings or code last changed how feeds look, in milliseconds since the epoch. */
    readonly presentationChangedAt: number
    /** Undefined if the site has no admin page. */
    readonly adminActions?: (parts: {
      readonly collections: Collections
      readonly refreshTokenFingerprint: () => string
      readonly databases: AdminActions['databases']
    }) => AdminActions | undefined
    readonly exportedFiles?: () => readonly string[]
    readonly requestLog: Logger
  }

/**
 * Connects the parts of a site, from the upstream client to the HTTP routes. The replica heartbeat is
 * the only part that it starts; `abort` cancels all upstream requests and pending waits.
 */
export async function createSite(starting: AsyncDisposableStack, options: SiteOptions) {
  const { published: site, store, links, memory, clock, log } = options
  const { withFault = (status) => status } = options
  const { timeZone, caPem } = options.site
  const stopping = new AbortController()
  const catalog = createCatalog(site.databases)
  const { feeds } = catalog
  const publicFeeds = feeds.filter(({ id }) => site.publicFeedIds.includes(id))
  const { client, collections, upstreamCalls } = await createUpstreamSync(starting, {
    ...options,
    catalog,
    publicFeeds,
    stopping,
    readingGuard: options.server.readingGuardFor(options.server.name),
  })
  const { refreshTokenFingerprint } = client
  const { diagnostics, ...pipeline } = createFeedPipeline(starting, {
    site,
    publicFeeds,
    catalog,
    links,
    collections,
    dataService: client.dataService,
    documents: store.documents,
    memory,
    clock,
    log,
    presentationChangedAt: options.presentationChangedAt,
  })
  const pictures = starting.use(
    createPictureSource({
      siteUrl: site.url,
      caPem,
      now: clock.now,
      maxKeptBytes: memory.pictureBytes,
    }),
  )
  const storeFailure = async () =>
    collections.storeFailure() ?? links.storeFailure() ?? diskFailure(options.dataDirectory)
  const statusOptions = async () => ({
    collections: collections.states(),
    load: collections.readingLoad(),
    storeFailure: await storeFailure(),
    budget: await client.budget(),
    token: client.tokens.state(),
    timeZone,
    now: clock.now(),
  })
  const withFeeds = async (reading: Status, shown: readonly Feed[]): Promise<ServiceStatus> => {
    const ids = shown.map(({ id }) => id)
    const states = diagnostics.states().filter(({ name }) => ids.includes(name))
    const sentences = [
      ...reading.sentences,
      ...feedSentences(states),
      ...exitSentences(options.server.exits, clock.now()),
    ]
    return withFault({ ...reading, sentences, feeds: states })
  }
  const readingStatus = async () => statusFrom(await statusOptions())
  const status = async () => {
    const full = await withFeeds(await readingStatus(), feeds)
    const members = collections.copyOf('members')?.records
    const sentences = [
      ...full.sentences,
      ...memberSentences(links.open(), members),
      ...databaseSentences(
        site.databases ?? [],
        ({ databaseId }) => collections.copyOf(`databases/${databaseId}`)?.records,
      ),
    ]
    return { ...full, sentences }
  }
  const publicStatus = async () => {
    const resources = publicFeeds.map(({ resource }) => resource)
    return withFeeds(publicStatusFrom(await statusOptions(), resources), publicFeeds)
  }
  const http = createSiteListener({
    ...options.server,
    site,
    catalog,
    publicFeeds,
    links,
    emergency: options.emergency,
    collections,
    ...pipeline,
    status,
    publicStatus,
    readingStatus,
    storeFailure,
    upstreamCalls,
    fetchPicture: pictures.fetch,
    exportedFiles: options.exportedFiles,
    isProbe: (key) => isOpenProbe(store.documents, key),
    admin: options.adminActions?.({
      collections,
      refreshTokenFingerprint,
      databases: createDatabaseReader(client.dataService, clock),
    }),
    clock,
    log: options.requestLog,
  })
  const { signal } = stopping
  const abort = () => stopping.abort()
  return {
    ...pipeline,
    catalog,
    publicFeeds,
    collections,
    status,
    readingStatus,
    statusOptions,
    refreshTokenFingerprint,
    http,
    signal,
    abort,
  }
}

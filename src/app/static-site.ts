import { statusFrom, type Status } from '../collections/status/status.ts'
import type { Collections } from '../collections/collections.ts'
import { feeds } from '../feeds/catalog.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import { createAssets } from '../http/pages/assets.ts'
import { createBoardAssets } from '../http/board/board-assets.ts'
import { createSiteListener } from '../http/site-listener.ts'
import { createFeedPipeline } from './feed-pipeline.ts'
import { cacheBudgetPerSite } from './cache-budget.ts'
import { siteFromSettings } from './site-from-settings.ts'
import { createUpstreamSync, type UpstreamSyncOptions } from './upstream-sync.ts'
import type { FeedOverviews } from '../representations/feed-overviews.ts'
import { createRenderingThread } from '../representations/rendering-thread.ts'
import type { Representations } from '../representations/representations.ts'
import type { Store } from '../store/store.ts'
import { createPictureSource } from '../pictures/picture-source.ts'
import { openWebServer } from './web-server.ts'

/** Public part of a site, served on loopback so that an export can save it as files. */
export type StaticSite = AsyncDisposable & {
  readonly site: Site
  /** Returns the public feeds that the API Project has permission to read. */
  readonly shownFeeds: () => readonly Feed[]
  readonly collections: Collections
  readonly representations: Representations
  readonly overviews: FeedOverviews
  readonly assetPaths: readonly string[]
  readonly status: () => Promise<Status>
  /** Fetches a path below the public URL. */
  readonly ask: (path: string) => Promise<Response>
}

const memory = cacheBudgetPerSite(1)

/** Link service without links, so that private feeds are never rendered. */
const noLinks = {
  find: () => undefined,
  isLoaded: () => true,
  pull: async () => {},
  open: () => [],
  onChange: () => undefined,
}

/** Starts serving the public part of the site on loopback. */
export async function startStaticSite(
  options: UpstreamSyncOptions & {
    readonly publicUrl: string
    readonly publicFeedIds: readonly string[]
    readonly store: Store
    /** Host used in all ids. */
    readonly idHost: string
    /** Paths of existing files. */
    readonly exportedFiles: () => readonly string[]
  },
): Promise<StaticSite> {
  const { idHost, publicUrl, publicFeedIds, store, clock, log } = options
  const { timeZone, caPem } = options.site
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await openWebServer({ host: '127.0.0.1', port: 0 }, options))
  // Hubs are not notified of changed files.
  const published = siteFromSettings(options.site, { idHost, publicUrl, publicFeedIds, hubs: [] })
  const site: Site = { ...published, isStatic: true }
  const publicFeeds = feeds.filter(({ id }) => publicFeedIds.includes(id))
  const stopping = new AbortController()
  const { client, collections, upstreamCalls } = await createUpstreamSync(starting, {
    ...options,
    store,
    publicFeeds,
    links: noLinks,
    stopping,
  })
  const { representations, overviews, itemPages } = createFeedPipeline(starting, {
    site,
    publicFeeds,
    links: noLinks,
    collections,
    memory,
    clock,
    log,
    thread: starting.use(createRenderingThread(log)),
    // The static host sets Last-Modified.
    presentationChangedAt: 0,
  })
  const pictures = starting.use(
    createPictureSource({
      siteUrl: site.url,
      caPem,
      now: clock.now,
      maxKeptBytes: memory.pictureBytes,
    }),
  )
  const status = async () =>
    statusFrom({
      collections: collections.states(),
      storeFailure: collections.storeFailure(),
      budget: await client.budget(),
      token: client.tokens.state(),
      timeZone,
    })
  const serviceStatus = async () => ({ ...(await status()), feeds: [] })
  const front = createSiteListener({
    site,
    feeds,
    publicFeeds,
    links: noLinks,
    collections,
    representations,
    overviews,
    clock,
    itemPages,
    status: serviceStatus,
    publicStatus: serviceStatus,
    readingStatus: status,
    upstreamCalls,
    fetchPicture: pictures.fetch,
    exportedFiles: options.exportedFiles,
    ...server,
    admin: undefined,
    proxies: 0,
    isAlone: true,
    isProbe: async () => false,
    // Do not log one request per file.
    log: log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level }),
  })
  starting.use(server.answer(front.listener))
  starting.defer(() => stopping.abort())
  const running = starting.move()
  return {
    site,
    collections,
    representations,
    overviews,
    status,
    shownFeeds: () => publicFeeds.filter(({ resource }) => !collections.isSwitchedOff(resource)),
    assetPaths: [...createAssets('').paths, ...createBoardAssets('').paths],
    ask: (path) =>
      fetch(`${server.url}${path}`, {
        headers: { 'Accept-Encoding': 'identity', Accept: 'text/html,*/*' },
        redirect: 'error',
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

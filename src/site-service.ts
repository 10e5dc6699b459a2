import { randomUUID } from 'node:crypto'
import { adminDuties } from './admin-duties.ts'
import type { Clock } from './clock.ts'
import { createCollections, type Collections } from './collections/collections.ts'
import { statusFrom } from './collections/status.ts'
import type { SiteConfig, SiteSettings } from './config.ts'
import { feeds } from './feeds.ts'
import { nameOf, type Feed, type Site } from './feeds/feed.ts'
import { createFront, type Front, type FrontOptions } from './http/front.ts'
import type { ServiceStatus } from './http/status-routes.ts'
import { createKeptLinks, type KeptLinks } from './link-keeping.ts'
import type { FeedLink } from './links/feed-link.ts'
import type { LinkWish } from './links/stored-links.ts'
import type { Logger } from './log.ts'
import { notePublicAddress } from './public-address.ts'
import { createFeedOverviews } from './representations/feed-overviews.ts'
import { createFeedReviews, feedSentences } from './representations/feed-reviews.ts'
import type { RenderingThread } from './representations/rendering-thread.ts'
import { createRepresentations } from './representations/representations.ts'
import { plainTargets } from './representations/target.ts'
import { publishToHubs } from './representations/websub.ts'
import { shownSince } from './shown-since.ts'
import { createSiteClient } from './site-client.ts'
import { createConnection } from './upstream/connection.ts'
import { createPictureSource } from './upstream/picture-source.ts'
import { countedConnection } from './upstream/counted-connection.ts'
import { beatMs, createReplicas, type Replicas } from './store/replicas.ts'
import type { Store } from './store/store.ts'

export type SiteServiceOptions = {
  readonly config: SiteConfig
  readonly site: SiteSettings
  readonly publicUrl: string
  readonly publicFeedIds: readonly string[]
  readonly openStore: () => Promise<Store>
  readonly thread: Pick<RenderingThread, 'renderingFor'>
  /** How much may be kept ready beyond what is always kept. */
  readonly memory: { readonly variantBytes: number; readonly pictureBytes: number }
  /** What it shares with others of the process. */
  readonly server: Pick<
    FrontOptions,
    'openAnswers' | 'refusals' | 'isStopping' | 'proxies' | 'isAlone'
  >
  /** When it begins to read the website, unless somebody waits for it: several take turns. */
  readonly readAfterMs: number
  readonly clock: Clock
  readonly log: Logger
  /** From 0 up to 1. */
  readonly random: () => number
}

/** All that serves one website: its store, client, collections, representations and pages. */
export type SiteService = AsyncDisposable & {
  readonly front: Front
  readonly status: () => Promise<ServiceStatus>
  /** Reads no more, so that whoever waits for the website is answered. */
  readonly stopWaiting: () => void
  /** Makes a feed link, and resolves to the address of its page, which is nowhere else. */
  readonly addLink: (wish: LinkWish) => Promise<string>
}

/** Builds and joins the parts, which go on by themselves from then on. Rejects with a `StoreError`. */
export async function startSiteService(options: SiteServiceOptions): Promise<SiteService> {
  const { config, publicUrl, publicFeedIds, thread, memory, clock, log } = options
  const { timeZone, caPem } = options.site
  await using starting = new AsyncDisposableStack()
  const site: Site = {
    ...{ publicUrl, timeZone, publicFeedIds, hubs: config.hubs },
    name: nameOf(options.site),
    url: options.site.url,
    links: options.site.links,
  }
  const publicFeeds = feeds.filter((feed) => publicFeedIds.includes(feed.id))
  const stopping = new AbortController()
  const { signal } = stopping
  const store = starting.use(await options.openStore())
  await notePublicAddress(store.documents, { publicUrl, timeZone })
  const links = createKeptLinks(store.documents, { clock, log })
  await links.load()
  const { client, collections, upstreamCalls } = await startReading(starting, {
    ...options,
    ...{ store, publicFeeds, links, stopping },
  })
  const { representations, overviews, reviews } = await startMaking(starting, {
    ...{ store, site, publicFeeds, links, collections, thread, memory, clock, log },
  })
  const readingStatus = async () =>
    statusFrom({
      collections: collections.states(),
      storeFailure: collections.storeFailure() ?? links.storeFailure(),
      budget: await client.budget(),
      token: client.tokens.state(),
      timeZone,
    })
  const status = async (): Promise<ServiceStatus> => {
    const [reading, states] = await Promise.all([readingStatus(), reviews.states()])
    return {
      ...reading,
      sentences: [...reading.sentences, ...feedSentences(states)],
      feeds: states,
    }
  }
  const pictures = starting.use(
    createPictureSource({
      ...{ siteUrl: site.url, caPem, now: clock.now },
      maxKeptBytes: memory.pictureBytes,
    }),
  )
  const front = createFront({
    ...{ site, feeds, publicFeeds, links, collections, representations, overviews, clock, log },
    ...{ status, readingStatus, upstreamCalls },
    fetchPicture: pictures.fetch,
    admin: adminDuties(config, { documents: store.documents, links, collections, clock }),
    ...options.server,
  })
  const working = [links.keepUp(signal)]
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
    stopWaiting: () => stopping.abort(),
    async addLink(wish) {
      const added = await links.add(wish)
      if (!added.ok) throw new Error(`no feed link could be added: ${added.reason}`)
      return `${publicUrl}/l/${added.key}/`
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** What reads the website and keeps what it says, ready to be started. */
async function startReading(
  starting: AsyncDisposableStack,
  options: SiteServiceOptions & {
    readonly store: Store
    readonly publicFeeds: readonly Feed[]
    readonly links: Pick<KeptLinks, 'open'>
    readonly stopping: AbortController
  },
) {
  const { config, site, store, publicFeeds, links, clock, stopping } = options
  const { signal } = stopping
  const { callsPerMinute, callsPerDay, freshMs, window } = config
  const id = randomUUID()
  const replicas = createReplicas(store.documents, { id, now: clock.now })
  const beating = keepBeating(replicas, clock, signal)
  starting.defer(() => beating)
  const replica = { id, count: replicas.count }
  const { url: siteUrl, caPem } = site
  const connection = countedConnection(
    starting.use(createConnection({ siteUrl, caPem, now: clock.now, signal })),
  )
  const budget = { callsPerMinute, callsPerDay }
  const client = createSiteClient({ ...options, ...budget, connection, store, replica, signal })
  const collections = starting.use(
    createCollections({
      ...options,
      ...{ window, freshMs, callsPerDay, signal },
      dataService: client.dataService,
      resources: () => {
        const read = [...publicFeeds, ...links.open().flatMap(feedsOf)]
        return [...new Set(read.map((feed) => feed.resource))]
      },
      feedsOf: (resource) => ({
        ids: feeds.filter((feed) => feed.resource === resource).map(({ id }) => id),
        areNamed: [...publicFeeds, ...links.open().flatMap(namedFeedsOf)].some(
          (feed) => feed.resource === resource,
        ),
      }),
      siteTimeZone: site.timeZone,
      holder: id,
      usedToday: async () => (await client.budget()).day.used,
    }),
  )
  starting.defer(() => stopping.abort())
  await Promise.all([collections.load(), client.tokens.load()])
  return { client, collections, upstreamCalls: connection.counts }
}

/** What makes feeds of that, ready to be started. */
async function startMaking(
  starting: AsyncDisposableStack,
  options: Pick<SiteServiceOptions, 'thread' | 'memory' | 'clock' | 'log'> & {
    readonly store: Store
    readonly site: Site
    readonly publicFeeds: readonly Feed[]
    readonly links: Pick<KeptLinks, 'open' | 'onChange'>
    readonly collections: Collections
  },
) {
  const { store, site, publicFeeds, links, collections, thread, memory, clock, log } = options
  const rendering = thread.renderingFor(site)
  const reviews = createFeedReviews(feeds, collections, { rendering, clock, log })
  const overviews = createFeedOverviews(collections, { rendering, clock })
  const representations = starting.use(
    createRepresentations(collections, {
      ...{ rendering, reviews, clock, log },
      shownSince: await shownSince(store.documents, site, clock.now()),
      maxBytes: memory.variantBytes,
    }),
  )
  const keepReady = () =>
    representations.keepReady([
      ...plainTargets(publicFeeds, 'public'),
      ...links.open().flatMap((link) => plainTargets(feedsOf(link), link.profile)),
    ])
  keepReady()
  links.onChange(keepReady)
  return { representations, overviews, reviews }
}

function feedsOf({ feedIds }: FeedLink): readonly Feed[] {
  return feedIds ? feeds.filter(({ id }) => feedIds.includes(id)) : feeds
}

/** Those that a link gives by name, rather than by giving whatever there is. */
function namedFeedsOf(link: FeedLink): readonly Feed[] {
  return link.feedIds ? feedsOf(link) : []
}

async function keepBeating(replicas: Replicas, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await replicas.beat()
    await clock.sleep(beatMs, signal).catch(() => undefined)
  }
  await replicas.leave()
}

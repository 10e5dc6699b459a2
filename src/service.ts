import { randomUUID } from 'node:crypto'
import { adminDuties } from './admin-duties.ts'
import type { Clock } from './clock.ts'
import { createCollections, type Collections } from './collections/collections.ts'
import { statusFrom } from './collections/status.ts'
import type { Config, SiteSettings } from './config.ts'
import { feeds } from './feeds.ts'
import { nameOf, type Feed, type Site } from './feeds/feed.ts'
import { createFront } from './http/front.ts'
import { listen } from './http/server.ts'
import type { ServiceStatus } from './http/status-routes.ts'
import { createKeptLinks, type KeptLinks } from './link-keeping.ts'
import type { FeedLink } from './links/feed-link.ts'
import type { LinkWish } from './links/stored-links.ts'
import type { Logger } from './log.ts'
import { notePublicAddress } from './public-address.ts'
import { createFeedOverviews } from './representations/feed-overviews.ts'
import { createFeedReviews, feedSentences } from './representations/feed-reviews.ts'
import { createRenderingThread } from './representations/rendering-thread.ts'
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

export type ServiceOptions = {
  readonly config: Config
  readonly site: SiteSettings
  readonly publicFeedIds: readonly string[]
  /** Called once the port is had: nothing lasting is touched when another Feedhouse has it. */
  readonly openStore: () => Promise<Store>
  readonly clock: Clock
  readonly log: Logger
  /** From 0 up to 1. */
  readonly random: () => number
}

export type Service = AsyncDisposable & {
  /** Where it listens. */
  readonly url: string
  /** Its origin inside feeds and pages. */
  readonly publicUrl: string
  /** Makes a feed link, and resolves to the address of its page, which is nowhere else. */
  readonly addLink: (wish: LinkWish) => Promise<string>
  /** Says at `/readyz` that it stops, and goes on until it is disposed. */
  readonly stopSoon: () => void
}

/** Builds and joins the parts, and answers from then on. Rejects when the port cannot be had. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, log } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await listen(config.host, config.port))
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`
  const publicUrl = config.publicUrl ?? url
  const { publicFeedIds } = options
  const { timeZone } = options.site
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
    ...{ store, site, publicFeeds, links, collections, clock, log },
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
  const { caPem } = options.site
  const pictures = starting.use(createPictureSource({ siteUrl: site.url, caPem, now: clock.now }))
  let isStopping = false
  const front = createFront({
    ...{ site, feeds, publicFeeds, links, collections, representations, overviews, clock, log },
    ...{ status, readingStatus, upstreamCalls },
    fetchPicture: pictures.fetch,
    admin: adminDuties(config, { documents: store.documents, links, collections, clock }),
    proxies: config.proxies,
    isStopping: () => isStopping,
  })
  const working = [front.openAnswers.watch(signal), links.keepUp(signal)]
  starting.defer(async () => void (await Promise.all(working)))
  starting.use(server.answer(front.listener, front))
  // First of all, so that whoever waits for the website is answered too.
  starting.defer(() => stopping.abort())
  representations.start()
  collections.start()
  if (config.hubs.length > 0) {
    working.push(publishToHubs({ feeds: publicFeeds, site, representations, clock, log, signal }))
  }
  const running = starting.move()
  return {
    url,
    publicUrl,
    async addLink(wish) {
      const added = await links.add(wish)
      if (!added.ok) throw new Error(`no feed link could be added: ${added.reason}`)
      return `${publicUrl}/l/${added.key}/`
    },
    stopSoon() {
      isStopping = true
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      await running.disposeAsync()
    },
  }
}

/** What reads the website and keeps what it says, ready to be started. */
async function startReading(
  starting: AsyncDisposableStack,
  options: ServiceOptions & {
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
  options: {
    readonly store: Store
    readonly site: Site
    readonly publicFeeds: readonly Feed[]
    readonly links: Pick<KeptLinks, 'open' | 'onChange'>
    readonly collections: Collections
    readonly clock: Clock
    readonly log: Logger
  },
) {
  const { store, site, publicFeeds, links, collections, clock, log } = options
  const rendering = starting.use(createRenderingThread(site, log))
  const reviews = createFeedReviews(feeds, collections, { rendering, clock, log })
  const overviews = createFeedOverviews(collections, { rendering, clock })
  const representations = starting.use(
    createRepresentations(collections, {
      ...{ rendering, reviews, clock, log },
      shownSince: await shownSince(store.documents, site, clock.now()),
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

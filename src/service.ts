import { adminDuties } from './admin-duties.ts'
import type { Clock } from './clock.ts'
import { statusFrom } from './collections/status.ts'
import type { Config, SiteSettings } from './config.ts'
import { feeds } from './feeds.ts'
import { publishedSite } from './published-site.ts'
import { createFront } from './http/front.ts'
import { listen } from './http/server.ts'
import type { ServiceStatus } from './http/status-routes.ts'
import { createKeptLinks } from './link-keeping.ts'
import type { LinkWish } from './links/stored-links.ts'
import type { Logger } from './log.ts'
import { startMaking } from './making.ts'
import { notePublicAddress } from './public-address.ts'
import { startReading } from './reading.ts'
import { feedSentences } from './representations/feed-reviews.ts'
import { publishToHubs } from './representations/websub.ts'
import { shownSince } from './shown-since.ts'
import { createPictureSource } from './upstream/picture-source.ts'
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
  const site = publishedSite(options.site, { publicUrl, publicFeedIds, hubs: config.hubs })
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
  const { representations, overviews, reviews } = startMaking(starting, {
    ...{ site, publicFeeds, links, collections, clock, log },
    shownSince: await shownSince(store.documents, site, clock.now()),
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

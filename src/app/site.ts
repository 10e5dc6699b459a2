import { adminDuties } from './admin-actions.ts'
import { isOpenProbe } from '../check/probe.ts'
import type { Clock } from '../clock.ts'
import { publicStatusFrom } from '../collections/status/public-status.ts'
import { statusFrom } from '../collections/status/status.ts'
import type { SiteConfig, SiteSettings } from '../config/config.ts'
import { feeds } from '../feeds/catalog.ts'
import { createFront, type Front, type FrontOptions } from '../http/site-listener.ts'
import type { ServiceStatus } from '../http/monitoring/status-routes.ts'
import { keptIdHost } from './id-host.ts'
import { createKeptLinks } from '../links/link-service.ts'
import type { LinkWish } from '../links/stored-links.ts'
import type { Logger } from '../log.ts'
import { startMaking } from './feed-pipeline.ts'
import type { SiteMemory } from './cache-budget.ts'
import { notePublicAddress } from './public-address.ts'
import { publishedSite } from './site-from-settings.ts'
import { startReading } from './upstream-sync.ts'
import { feedSentences } from '../representations/feed-diagnostics.ts'
import type { RenderingThread } from '../representations/rendering-thread.ts'
import { publishToHubs } from '../representations/websub.ts'
import { shownSince } from './presentation-changed-at.ts'
import { createPictureSource } from '../pictures/picture-source.ts'
import type { Store } from '../store/store.ts'

export type SiteServiceOptions = {
  readonly config: SiteConfig
  readonly site: SiteSettings
  readonly publicUrl: string
  readonly publicFeedIds: readonly string[]
  readonly openStore: () => Promise<Store>
  readonly thread: Pick<RenderingThread, 'renderingFor'>
  /** How much may be kept ready beyond what is always kept. */
  readonly memory: SiteMemory
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

/** Builds and joins the parts, which go on by themselves from then on. Rejects with a `StoreError`, or a `ConfigError` about ids. */
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
    ...{ siteUrl: options.site.url, idHost: configured, otherSites },
  })
  const site = publishedSite(options.site, { idHost, publicUrl, publicFeedIds, hubs })
  await notePublicAddress(store.documents, { publicUrl, timeZone })
  const links = createKeptLinks(store.documents, { clock, log })
  await links.pull()
  const { client, collections, upstreamCalls } = await startReading(starting, {
    ...options,
    ...{ store, publicFeeds, links, stopping },
  })
  const { representations, overviews, itemPages, reviews } = startMaking(starting, {
    ...{ site, publicFeeds, links, collections, thread, memory, clock, log },
    shownSince: await shownSince(store.documents, site, clock.now()),
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
    const [reading, states] = await Promise.all([readingStatus(), reviews.states()])
    return {
      ...reading,
      sentences: [...reading.sentences, ...feedSentences(states)],
      feeds: states,
    }
  }
  const publicStatus = async (): Promise<ServiceStatus> => {
    const resources = publicFeeds.map(({ resource }) => resource)
    const reading = publicStatusFrom(await statusOptions(), resources)
    const states = (await reviews.states()).filter(({ name }) => publicFeedIds.includes(name))
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
    ...{ itemPages, status, publicStatus, readingStatus, upstreamCalls },
    fetchPicture: pictures.fetch,
    isProbe: (key) => isOpenProbe(store.documents, key),
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

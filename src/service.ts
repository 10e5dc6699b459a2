import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'
import { createCollections } from './collections/collections.ts'
import { statusFrom } from './collections/status.ts'
import type { Config, SiteSettings } from './config.ts'
import { feeds } from './feeds.ts'
import { createRenderers, nameOf } from './feeds/feed.ts'
import { createApplication } from './http/application.ts'
import { listen } from './http/server.ts'
import type { ServiceStatus } from './http/status-routes.ts'
import type { Logger } from './log.ts'
import { createFeedReviews, feedSentences } from './representations/feed-reviews.ts'
import { createRepresentations } from './representations/representations.ts'
import { publishToHubs } from './representations/websub.ts'
import { createSiteClient } from './site-client.ts'
import { createConnection } from './upstream/connection.ts'
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
}

/** Builds and joins the parts, and answers from then on. Rejects when the port cannot be had. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, log, random } = options
  const { callsPerMinute, callsPerDay, freshMs, window } = config
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await listen(config.host, config.port))
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`
  const publicUrl = config.publicUrl ?? url
  const given = { ...options.site, publicUrl, hubs: config.hubs }
  const site = { ...given, name: nameOf(given) }
  const publicFeeds = feeds.filter((feed) => options.publicFeedIds.includes(feed.id))
  const stopping = new AbortController()
  const { signal } = stopping
  const store = starting.use(await options.openStore())
  const id = randomUUID()
  const replicas = createReplicas(store.documents, { id, now: clock.now })
  const beating = keepBeating(replicas, clock, signal)
  starting.defer(() => beating)
  let publishing = Promise.resolve()
  starting.defer(() => publishing)
  const replica = { id, count: replicas.count }
  const { url: siteUrl, caPem } = site
  const connection = starting.use(createConnection({ siteUrl, caPem, now: clock.now, signal }))
  const budget = { callsPerMinute, callsPerDay }
  const client = createSiteClient({ ...options, ...budget, connection, store, replica, signal })
  const collections = starting.use(
    createCollections({
      dataService: client.dataService,
      store,
      clock,
      log,
      resources: [...new Set(publicFeeds.map((feed) => feed.resource))],
      siteTimeZone: site.timeZone,
      window,
      holder: id,
      freshMs,
      callsPerDay,
      usedToday: async () => (await client.budget()).day.used,
      random,
      signal,
    }),
  )
  starting.defer(() => stopping.abort())
  await Promise.all([collections.load(), client.tokens.load()])
  const renderers = createRenderers(site)
  const reviews = createFeedReviews(publicFeeds, collections, { renderers, clock, log })
  const representations = createRepresentations(collections, { renderers, reviews, clock })
  const status = async (): Promise<ServiceStatus> => {
    const feedStates = reviews.states()
    const all = statusFrom({
      collections: collections.states(),
      storeFailure: collections.storeFailure(),
      budget: await client.budget(),
      token: client.tokens.state(),
      timeZone: site.timeZone,
    })
    const sentences = [...all.sentences, ...feedSentences(feedStates)]
    return { ...all, sentences, feeds: feedStates }
  }
  server.answer(
    createApplication({
      site,
      feeds,
      publicFeeds,
      collections,
      representations,
      status,
      clock,
      log,
    }),
  )
  collections.start()
  if (config.hubs.length > 0) {
    publishing = publishToHubs({ feeds: publicFeeds, site, representations, clock, log, signal })
  }
  const running = starting.move()
  return { url, publicUrl, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function keepBeating(replicas: Replicas, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await replicas.beat()
    await clock.sleep(beatMs, signal).catch(() => undefined)
  }
  await replicas.leave()
}

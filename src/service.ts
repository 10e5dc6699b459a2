import type { Clock } from './clock.ts'
import { createCollections } from './collections/collections.ts'
import { feeds, type Site } from './feeds.ts'
import { createApplication } from './http/application.ts'
import { listen } from './http/server.ts'
import type { Logger } from './log.ts'
import { createRepresentations } from './representations/representations.ts'
import { createConnection } from './upstream/connection.ts'
import { createDataService, requestAccessToken } from './upstream/data-service.ts'
import { createThrottle } from './upstream/throttle.ts'
import { throttledConnection } from './upstream/throttled-connection.ts'
import { createTokenSource } from './upstream/token-source.ts'
import type { Config, SiteSettings } from './config.ts'

export type ServiceOptions = {
  readonly config: Config
  readonly site: SiteSettings
  readonly publicFeedIds: readonly string[]
  readonly clock: Clock
  readonly log: Logger
}

export type Service = AsyncDisposable & {
  /** Where it listens. */
  readonly url: string
  /** Its origin inside feeds and pages. */
  readonly publicUrl: string
}

/** Builds and joins the parts, and answers from then on. Rejects when the port cannot be had. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, log } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await listen(config.host, config.port))
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`
  const publicUrl = config.publicUrl ?? url
  const site: Site = { ...options.site, publicUrl }
  const publicFeeds = feeds.filter((feed) => options.publicFeedIds.includes(feed.id))
  const stopping = new AbortController()
  const collections = starting.use(
    createCollections({
      dataService: connectDataService(options, stopping.signal, starting),
      clock,
      log,
      resources: [...new Set(publicFeeds.map((feed) => feed.resource))],
      siteTimeZone: site.timeZone,
      freshMs: config.freshMs,
      signal: stopping.signal,
    }),
  )
  starting.defer(() => stopping.abort())
  const representations = createRepresentations(collections, site, clock)
  server.answer(
    createApplication({ site, feeds, publicFeeds, collections, representations, clock, log }),
  )
  collections.start()
  const running = starting.move()
  return { url, publicUrl, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function connectDataService(
  options: ServiceOptions,
  signal: AbortSignal,
  starting: AsyncDisposableStack,
) {
  const { config, site, clock } = options
  const { callsPerMinute, callsPerDay } = config
  const direct = starting.use(
    createConnection({ siteUrl: site.url, caPem: site.caPem, now: clock.now, signal }),
  )
  const throttle = createThrottle({ callsPerMinute, callsPerDay, clock, signal })
  const connection = throttledConnection(direct, throttle)
  const tokens = createTokenSource(() => requestAccessToken(connection, site.refreshToken), clock)
  return createDataService(connection, tokens)
}

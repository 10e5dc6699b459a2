import { availableParallelism } from 'node:os'
import type { Clock } from './clock.ts'
import { defaultPublicFeeds } from './config.ts'
import type { Deployment, NamedSite } from './deployment.ts'
import { createHostedSite, type RunningSite } from './hosted-site.ts'
import { createRefusals } from './http/refusals.ts'
import { createServerPages } from './http/server-pages.ts'
import { createSiteSwitch } from './http/site-switch.ts'
import type { Logger } from './log.ts'
import { createRenderingThread, type RenderingThread } from './representations/rendering-thread.ts'
import { startSiteService, type SiteService } from './site-service.ts'
import type { Store } from './store/store.ts'
import { openWebServer, type WebServer } from './web-server.ts'

const mebibyte = 1024 * 1024

/** Of all sites together, and the least and the most of each. */
const memoryLimits = {
  variants: { total: 512 * mebibyte, least: mebibyte, most: 64 * mebibyte },
  pictures: { total: 256 * mebibyte, least: mebibyte, most: 48 * mebibyte },
}

/** More would take turns all the same. */
const mostThreads = 4

/** How many are started at a time, so that those that are there are answered meanwhile. */
const startedAtOnce = 4

export type Hosting = AsyncDisposable & {
  /** Where it listens. */
  readonly url: string
  readonly stopSoon: () => void
  /** Resolves when every site was tried. */
  readonly started: Promise<void>
}

export type HostingOptions = Deployment & {
  readonly openStore: (site: NamedSite) => Promise<Store>
  readonly clock: Clock
  readonly log: Logger
  /** From 0 up to 1. */
  readonly random: () => number
}

/**
 * Serves several sites side by side, each with parts of its own. What they share is the process: its
 * port, its rendering threads, and its memory in equal parts. Rejects when the port cannot be had.
 */
export async function startHosting(options: HostingOptions): Promise<Hosting> {
  const { server: config, sites, clock, log } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await openWebServer(config, options))
  const threadCount = Math.min(sites.length, availableParallelism(), mostThreads)
  const threads = Array.from({ length: threadCount }, () =>
    starting.use(createRenderingThread(log)),
  )
  const hosted = sites.map((site, index) =>
    createHostedSite(site, {
      startSite: () => startOne(options, { site, index, server, threads }),
      clock,
      log: logOf(log, site),
    }),
  )
  starting.defer(async () => {
    await Promise.all(hosted.map((site) => site[Symbol.asyncDispose]()))
  })
  const { refusals, isStopping } = server
  const pages = createServerPages({ sites: hosted, refusals, isStopping })
  const stopping = new AbortController()
  const started = startInTurn(hosted, stopping.signal)
  starting.defer(() => started)
  starting.use(server.answer(createSiteSwitch(hosted, pages)))
  starting.defer(() => {
    stopping.abort()
    for (const site of hosted) site.stopWaiting()
  })
  const running = starting.move()
  return {
    ...{ url: server.url, started, stopSoon: server.stopSoon },
    async [Symbol.asyncDispose]() {
      server.stopSoon()
      await running.disposeAsync()
    },
  }
}

function startOne(
  { server: { proxies }, sites, openStore, clock, log, random }: HostingOptions,
  parts: {
    readonly site: NamedSite
    readonly index: number
    readonly server: WebServer
    readonly threads: readonly RenderingThread[]
  },
): Promise<SiteService> {
  const { site: named, index, server, threads } = parts
  const { config } = named
  const thread = threads[index % threads.length]
  if (!thread) throw new TypeError('there is no rendering thread')
  const ownLog = logOf(log, named)
  return startSiteService({
    ...{ config, site: config.site, publicUrl: config.publicUrl, thread, clock, random },
    publicFeedIds: config.publicFeeds ?? defaultPublicFeeds,
    openStore: () => openStore(named),
    memory: memoryOfEach(sites.length),
    server: { ...server, refusals: createRefusals(clock, ownLog), proxies, isAlone: false },
    // Websites that share a machine are not all read at the same moment.
    readAfterMs: (config.freshMs * index) / sites.length,
    log: ownLog,
  })
}

async function startInTurn(sites: readonly RunningSite[], signal: AbortSignal): Promise<void> {
  const waiting = [...sites]
  const rows = Array.from({ length: startedAtOnce }, async () => {
    for (let site = waiting.shift(); site && !signal.aborted; site = waiting.shift()) {
      await site.start(signal)
    }
  })
  await Promise.all(rows)
}

function memoryOfEach(count: number) {
  const partOf = ({ total, least, most }: (typeof memoryLimits)['variants']) =>
    Math.max(least, Math.min(most, total / count))
  return {
    variantBytes: partOf(memoryLimits.variants),
    pictureBytes: partOf(memoryLimits.pictures),
  }
}

function logOf(log: Logger, { name }: NamedSite): Logger {
  return log.child({ site: name })
}

import type { RequestListener } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import express, { type RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { withTimeout } from '../../clock.ts'
import type { SitesFileStatus } from '../../config/sites-location.ts'
import { createServerMetrics, type SiteFigures } from './metrics.ts'
import {
  createWorkerReports,
  failingBecause,
  starting,
  statusUnknown,
  type WorkerOverview,
  type OtherWorkerReports,
  type SendForWorker,
  type SiteOverview,
} from './worker-reports.ts'
import { allowSafeMethods } from '../../web/allow-safe-methods.ts'
import type { Rejections } from '../../front/rejections.ts'
import { okIn } from '../../collections/status/status-sentences.ts'
import { securityHeaders } from '../../web/security-headers.ts'
import { sendMessage } from '../../web/send-message.ts'
import { upTo } from '../../web/client-limit.ts'
import type { ServiceStatus } from '../../representations/service-status.ts'

export type HostedSite = {
  readonly name: string
  readonly publicUrl: string | undefined
  /** Undefined if the site could not be started. */
  readonly status: () => Promise<ReportedStatus | undefined>
  readonly metrics: () => Promise<SiteFigures | undefined>
}

type ReportedStatus = Pick<ServiceStatus, 'ok' | 'state' | 'sentences'> &
  Partial<Pick<ServiceStatus, 'budget' | 'collections'>>

/** Cache lifetime of the combined status and of metrics. */
const freshMs = 1_000

const maxSiteTexts = 100

/** Maximum wait for new results before the previous ones are returned, and their maximum age. */
const patienceMs = 500
const maxAgeMs = 10_000

/** A site that does not report its status within this time counts as failed. */
export const siteMs = 3_000

const notStarted = failingBecause('The site has not started. See the log for the reason.')

export type ServerPages = {
  readonly listener: RequestListener
  /** Returns the workers of all hosts, this worker first, and all sites. */
  readonly overview: () => Promise<{
    readonly workers: readonly WorkerOverview[]
    readonly sites: readonly TitledSite[]
  }>
  /** Reports for the first worker on this host and on other hosts. */
  readonly reports: RequestListener
}

/** Serves health, status and metrics for several sites. A broken site does not affect the others. */
export function createServerPages(options: {
  readonly sites: () => readonly HostedSite[]
  readonly otherWorkers: () => readonly OtherWorkerReports[]
  /** Host and port at which the other hosts reach this one. Undefined if there are no others. */
  readonly ownHost?: string | undefined
  readonly otherHosts: () => readonly Promise<readonly WorkerOverview[]>[]
  /** Titles of all sites by name, in the order of `/status`. Other sites follow. */
  readonly titles: () => ReadonlyMap<string, string>
  /** Returns one sentence for each error that keeps the newest sites file from being used. */
  readonly faults: () => readonly string[]
  readonly sitesFile?: (() => SitesFileStatus | undefined) | undefined
  readonly rejections: Rejections
  readonly frontFigures: Parameters<typeof createServerMetrics>[0]['frontFigures']
  readonly isStopping: () => boolean
  readonly sendAlert?: SendForWorker | undefined
  readonly sitesPage?: RequestHandler | undefined
}): ServerPages {
  const { sites, otherWorkers, ownHost, otherHosts, titles, faults, isStopping } = options
  const metrics = createServerMetrics({
    ...options,
    sites: () =>
      sites().map((site) => ({ ...site, metrics: () => inTurn(site.metrics, undefined) })),
  })
  const ownOverview = cachedBriefly(async (): Promise<WorkerOverview> => ({
    residentBytes: process.memoryUsage.rss(),
    sites: await Promise.all(
      sites().map(async ({ name, publicUrl = null, status }) =>
        overviewFrom(name, publicUrl, (await inTurn(status, statusUnknown)) ?? notStarted),
      ),
    ),
  }))
  const hostOverview = cachedBriefly(() =>
    Promise.all([ownOverview(), ...otherWorkers().map((worker) => worker.overview())]),
  )
  const overview = cachedBriefly(async () => {
    const workers = (await Promise.all([hostOverview(), ...otherHosts()])).flat()
    return { workers, sites: sitesOf(workers, titles()) }
  })
  const statusText = cachedBriefly(async () => {
    const { workers, sites: titled } = await overview()
    const all = titled.map(statusOf)
    const hosts = ownHost === undefined ? undefined : hostsOf(workers, ownHost)
    const sentences = faults()
    const sitesFile = options.sitesFile?.()
    const states = all.map((site) => site.state)
    const isFailing = sentences.length > 0 || states.includes('failing')
    const state = isFailing ? 'failing' : states.includes('starting') ? 'starting' : 'ok'
    return JSON.stringify({ ok: okIn(state), state, sentences, sitesFile, hosts, sites: all })
  })
  const metricsText = cachedBriefly(metrics.text)
  const siteTexts = new LRUCache<string, Promise<string | undefined>>({
    ...upTo(maxSiteTexts),
    ttl: freshMs,
    memoMethod: metrics.siteText,
  })
  const pages = express()
  pages.disable('x-powered-by')
  pages.use(securityHeaders())
  if (options.sitesPage) pages.use(options.sitesPage)
  pages.use(allowSafeMethods())
  pages.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  pages.get('/livez', (_request, response) => void response.type('text/plain').send('ok\n'))
  pages.get('/readyz', (_request, response) => {
    const stopping = isStopping() || undefined
    response.status(stopping ? 503 : 200).json({ ready: !stopping, stopping })
  })
  pages.get(['/status', '/status.json'], async (_request, response) => {
    response.type('json').send(await statusText())
  })
  pages.get('/metrics', async ({ query: { site } }, response, next) => {
    const text = await (typeof site === 'string' ? siteTexts.memo(site) : metricsText())
    if (text === undefined) return next()
    response.set('Content-Type', metrics.contentType).send(text)
  })
  pages.use((_request, response) => sendMessage(response, 404, 'No site at this address.'))
  return {
    listener: pages as RequestListener,
    overview,
    reports: createWorkerReports({ ...metrics, ownOverview, hostOverview }, options.sendAlert),
  }
}

export type TitledSite = SiteOverview & { readonly title: string }

/**
 * Lists each site once, in the order of its titles. For a moment, a site that moves to another host
 * can be on both, or on neither.
 */
function sitesOf(
  workers: readonly WorkerOverview[],
  titles: ReadonlyMap<string, string>,
): readonly TitledSite[] {
  const byName = Map.groupBy(
    workers.flatMap(({ sites }) => sites),
    ({ name }) => name,
  )
  const names = new Set([...titles.keys(), ...byName.keys()])
  return [...names].map((name) => {
    const absent = { name, publicUrl: null, readAt: null, ...starting }
    return { ...(byName.get(name)?.[0] ?? absent), title: titles.get(name) ?? name }
  })
}

/** Lists the sites that run on each host. */
function hostsOf(workers: readonly WorkerOverview[], ownHost: string) {
  const byHost = Map.groupBy(workers, ({ host = ownHost }) => host)
  return [...byHost].map(([host, ofHost]) => ({
    host,
    sites: ofHost.flatMap(({ sites }) => sites.map(({ name }) => name)).toSorted(),
  }))
}

function overviewFrom(
  name: string,
  publicUrl: string | null,
  { ok, state, sentences, budget, collections = [] }: ReportedStatus,
): SiteOverview {
  const times = collections.flatMap(({ fetchedAt }) => fetchedAt ?? [])
  const readAt = times.toSorted().at(-1) ?? null
  const overview = { name, publicUrl, ok, state, sentences, readAt }
  return budget ? { ...overview, callsToday: budget.day } : overview
}

function statusOf({ name, title, publicUrl, ok, state, sentences }: TitledSite) {
  return { name, title, publicUrl, ok, state, sentences }
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * Queries the sites one by one without waiting for their responses, and lets pending requests run
 * in between, because hundreds of sites take seconds. Resolves to `fallback` for a slow or failing
 * site, so that other sites are not affected.
 */
async function inTurn<T>(ask: () => Promise<T>, fallback: T): Promise<T> {
  turn = turn.then(() => setImmediate())
  await turn
  // The site's own pages show the error.
  return withTimeout(ask(), siteMs, () => fallback).catch(() => fallback)
}

/** Caches a result briefly, and returns the previous one while a new one is slow. */
function cachedBriefly<T>(work: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  let latest: { readonly value: T; readonly at: number } | undefined

  async function renew(): Promise<T> {
    try {
      const value = await work()
      latest = { value, at: performance.now() }
      return value
    } finally {
      setTimeout(() => (cached = undefined), freshMs).unref()
    }
  }

  return async () => {
    cached ??= renew()
    const previous = latest
    return previous && performance.now() - previous.at < maxAgeMs
      ? withTimeout(cached, patienceMs, () => previous.value)
      : cached
  }
}

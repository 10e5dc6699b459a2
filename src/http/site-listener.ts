import type { RequestListener } from 'node:http'
import { createApplication, type ApplicationOptions } from './routes.ts'
import { createPagePublishing } from './front/page-publishing.ts'
import type { Front } from './front/protocol.ts'
import { createSiteCache, type SiteCacheLinks } from './front/site-cache.ts'
import { createMetrics, type Metrics, type MetricSources } from './monitoring/metrics.ts'
import type { Rejections } from './server/rejections.ts'
import { createRequestLog } from './monitoring/request-log.ts'
import { createTraffic } from './monitoring/traffic.ts'

/** Serves the requests of one site that the front cannot. */
export type SiteListener = {
  readonly listener: RequestListener
  readonly metrics: Pick<Metrics, 'values'>
}

export type SiteListenerOptions = ApplicationOptions & {
  /** Distinguishes sites that share a front. */
  readonly name: string
  readonly front: Front
  readonly links: SiteCacheLinks
  readonly rejections: Rejections
  /** True if the process serves only this site; its metrics then include the process's. */
  readonly isAlone: boolean
  readonly readingStatus: MetricSources['readingStatus']
  readonly upstreamCalls: MetricSources['upstreamCalls']
  readonly frontFigures: MetricSources['frontFigures']
}

export function createSiteListener(options: SiteListenerOptions): SiteListener {
  const { representations, name, front, links, rejections, clock, log } = options
  const { readingStatus, upstreamCalls, isAlone } = options
  const traffic = createTraffic()
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({
    traffic,
    rejections,
    readingStatus,
    upstreamCalls,
    isAlone,
    frontFigures: options.frontFigures,
    clock,
    kept: representations.kept,
  })
  const siteCache = createSiteCache({
    site: name,
    front,
    representations,
    links,
    onChange(listener) {
      options.collections.onChange(listener)
      links.onChange(listener)
      options.emergency.onChange(listener)
    },
    requestLog,
    clock,
  })
  const pagePublishing = createPagePublishing({ siteCache, clock })
  const parts = { siteCache, pagePublishing, requestLog, metrics }
  const create = () => createApplication({ ...options, ...parts })
  return { metrics, listener: isAlone ? create() : createdOnRequest(create) }
}

/**
 * Creates the listener for the first request. An application takes 0.4 MiB, and with hundreds of sites, the
 * front answers most requests for most of them.
 */
function createdOnRequest(create: () => RequestListener): RequestListener {
  let listener: RequestListener | undefined
  return (request, response) => {
    listener ??= create()
    listener(request, response)
  }
}

import type { RequestListener } from 'node:http'
import { feedUrl } from '../feeds/feed.ts'
import { plainTargets, type Target } from '../representations/target.ts'
import { createApplication, type ApplicationOptions } from './routes.ts'
import { createFeedResponses } from './feeds/feed-address.ts'
import { createPagePublishing } from './front/page-publishing.ts'
import {
  createPublishing,
  type EarlyFeeds,
  type Front,
  type PublishingOptions,
} from './front/publishing.ts'
import { createMetrics, type Metrics, type MetricSources } from './monitoring/metrics.ts'
import type { Rejections } from './server/rejections.ts'
import { createRequestLog } from './monitoring/request-log.ts'
import { createTraffic } from './monitoring/traffic.ts'
import { basePathOf } from './server/urls.ts'

/** Serves the requests of one site that the front cannot. */
export type SiteListener = {
  readonly listener: RequestListener
  readonly metrics: Pick<Metrics, 'values'>
}

export type SiteListenerOptions = ApplicationOptions & {
  /** Distinguishes sites that share a front. */
  readonly name: string
  readonly front: Front
  readonly links: PublishingOptions['links']
  /** Limits for feeds that are published before anyone requests them. */
  readonly early: { readonly maxFeeds: number; readonly maxBytes: number }
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
  const feedResponses = createFeedResponses(options.site)
  const publishing = createPublishing({
    site: name,
    front,
    representations,
    feedResponses,
    early: { feeds: earlyFeeds(options), maxBytes: options.early.maxBytes },
    links,
    requestLog,
    clock,
  })
  const pagePublishing = createPagePublishing({
    site: name,
    front,
    onChange(listener) {
      options.collections.onChange(listener)
      links.onChange(listener)
      options.emergency.onChange(listener)
    },
    clock,
  })
  const parts = { publishing, pagePublishing, feedResponses, requestLog, metrics }
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

/** Returns the public feeds without options, the first format of each feed first. */
function earlyFeeds({
  site,
  catalog: { combinedFeeds },
  publicFeeds,
  early,
}: SiteListenerOptions): EarlyFeeds['feeds'] {
  const combined = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
  return plainTargets([...publicFeeds, ...combined], 'public')
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, early.maxFeeds)
    .map((target) => {
      const route = feedUrl('', target.feed, target.format)
      const { host } = new URL(site.publicUrl)
      return { target, host, path: `${basePathOf(site)}${route}`, route }
    })
}

/** Returns the position of a target's format among those of its feed. */
function rankOf({ feed, format }: Target): number {
  return feed.formats.indexOf(format)
}

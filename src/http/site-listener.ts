import type { RequestListener } from 'node:http'
import { createContext, type ServedSite } from './context.ts'
import { createApplication } from './routes.ts'
import { createSendPage } from './responses/send-page.ts'
import type { Purges } from './front/protocol.ts'
import { createSiteCache, type SiteCache } from './responses/site-cache.ts'
import { createMetrics, type Metrics, type MetricSources } from './monitoring/metrics.ts'
import { createRequestLog, createTraffic } from './monitoring/request-log.ts'

/** Serves the requests of one site that the front cannot. */
export type SiteListener = {
  readonly listener: RequestListener
  readonly metrics: { readonly values: Metrics['values'] }
  readonly used: SiteCache['used']
}

export type SiteListenerOptions = ServedSite &
  Omit<MetricSources, 'traffic'> & {
    /** Distinguishes sites that share a front. */
    readonly name: string
    readonly front: Purges
  }

export function createSiteListener(options: SiteListenerOptions): SiteListener {
  const { name, collections, links, emergency, clock, log } = options
  const traffic = createTraffic()
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({ ...options, traffic })
  const siteCache = createSiteCache({
    ...options,
    site: name,
    onChange(listener) {
      collections.onChange(listener)
      links.onChange(listener)
      emergency.onChange(listener)
    },
    requestLog,
  })
  const sendPage = createSendPage({ siteCache, clock })
  const sending = { siteCache, sendPage, requestLog, metrics }
  const create = () => createApplication(createContext({ ...options, ...sending }))
  const { used } = siteCache
  return { metrics, used, listener: options.isAlone ? create() : createdOnRequest(create) }
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

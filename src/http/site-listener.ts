import type { RequestListener } from 'node:http'
import { createApplication, type ApplicationOptions } from './routes.ts'
import { createFeedResponses } from './feeds/feed-address.ts'
import { createHotPath } from './feeds/hot-path.ts'
import { createMetrics, type Metrics, type MetricSources } from './monitoring/metrics.ts'
import { clientAddress } from './server/client-limit.ts'
import type { InFlightResponses } from './server/in-flight-responses.ts'
import type { Rejections } from './server/rejections.ts'
import { createRequestLog } from './monitoring/request-log.ts'
import { createTraffic } from './monitoring/traffic.ts'

/** Request listener of one site: the hot path first, then Express. */
export type SiteListener = {
  readonly listener: RequestListener
  readonly metrics: Pick<Metrics, 'values'>
}

export type SiteListenerOptions = ApplicationOptions & {
  readonly inFlight: Pick<InFlightResponses, 'add' | 'admit'>
  readonly rejections: Rejections
  /** True if the process serves only this site; its metrics then include the process's. */
  readonly isAlone: boolean
  readonly readingStatus: MetricSources['readingStatus']
  readonly upstreamCalls: MetricSources['upstreamCalls']
}

export function createSiteListener(options: SiteListenerOptions): SiteListener {
  const { representations, inFlight, rejections, clock, log } = options
  const { isStopping, proxies, readingStatus, upstreamCalls, isAlone } = options
  const traffic = createTraffic()
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({
    traffic,
    rejections,
    readingStatus,
    upstreamCalls,
    isAlone,
    clock,
    kept: representations.kept,
  })
  const feedResponses = createFeedResponses(options.site)
  const hotPath = createHotPath(
    representations,
    feedResponses,
    clock,
    (route, request, response) => {
      requestLog.answered(route, request, response)
      // By now, most responses have been written to the socket completely.
      if (response.writableLength > 0) inFlight.add(response)
    },
  )
  const application = createApplication({
    ...options,
    hotPath,
    feedResponses,
    requestLog,
    metrics,
  })
  return {
    metrics,
    listener(request, response) {
      // Tells keep-alive clients that the connection will close.
      if (isStopping()) response.shouldKeepAlive = false
      if (hotPath.answer(request, response)) return
      if (!inFlight.admit(request, response, clientAddress(request, proxies))) return
      application(request, response)
    },
  }
}

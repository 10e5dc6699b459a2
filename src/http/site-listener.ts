import type { RequestListener } from 'node:http'
import { createApplication, type ApplicationOptions } from './routes.ts'
import { createFeedResponses } from './feeds/feed-address.ts'
import { createHotPath } from './feeds/hot-path.ts'
import { createMetrics, type Metrics, type MetricSources } from './monitoring/metrics.ts'
import type { InFlightResponses } from './server/in-flight-responses.ts'
import type { Rejections } from './server/rejections.ts'
import { createRequestLog } from './monitoring/request-log.ts'
import { createTraffic } from './monitoring/traffic.ts'

/** What answers every request for a site: the hot path, and Express for all that it leaves. */
export type SiteListener = {
  readonly listener: RequestListener
  readonly metrics: Pick<Metrics, 'values'>
}

export type SiteListenerOptions = ApplicationOptions & {
  readonly inFlight: Pick<InFlightResponses, 'add' | 'admit'>
  readonly rejections: Rejections
  /** Whether the process serves this site alone: its metrics are then those of the process, too. */
  readonly isAlone: boolean
  readonly readingStatus: MetricSources['readingStatus']
  readonly upstreamCalls: MetricSources['upstreamCalls']
}

export function createSiteListener(options: SiteListenerOptions): SiteListener {
  const { representations, inFlight, rejections, clock, log } = options
  const { isStopping, readingStatus, upstreamCalls, isAlone } = options
  const traffic = createTraffic()
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({
    ...{ traffic, rejections, readingStatus, upstreamCalls, isAlone, clock },
    kept: representations.kept,
  })
  const feedResponses = createFeedResponses(options.site)
  const hotPath = createHotPath(
    representations,
    feedResponses,
    clock,
    (route, request, response) => {
      requestLog.answered(route, request, response)
      // Most answers are with the system at once.
      if (response.writableLength > 0) inFlight.add(response)
    },
  )
  const application = createApplication({
    ...options,
    ...{ hotPath, feedResponses, requestLog, metrics },
  })
  return {
    metrics,
    listener(request, response) {
      // Who keeps its connection hears in time that it ends.
      if (isStopping()) response.shouldKeepAlive = false
      if (hotPath.answer(request, response)) return
      // A process that has much to do is not dead.
      if (request.url === '/livez') inFlight.add(response)
      else if (!inFlight.admit(request, response)) return
      application(request, response)
    },
  }
}

import type { RequestListener } from 'node:http'
import { createApplication, type ApplicationOptions } from './routes.ts'
import { createFeedAnswers } from './feeds/feed-address.ts'
import { createHotPath } from './feeds/hot-path.ts'
import { createMetrics, type Metrics, type MetricSources } from './monitoring/metrics.ts'
import type { OpenAnswers } from './server/in-flight-responses.ts'
import type { Refusals } from './server/rejections.ts'
import { createRequestLog } from './monitoring/request-log.ts'
import { createTraffic } from './monitoring/traffic.ts'

/** What answers every request for a site: the hot path, and Express for all that it leaves. */
export type Front = {
  readonly listener: RequestListener
  readonly metrics: Pick<Metrics, 'values'>
}

export type FrontOptions = ApplicationOptions & {
  readonly openAnswers: Pick<OpenAnswers, 'add' | 'admit'>
  readonly refusals: Refusals
  /** Whether the process serves this site alone: its metrics are then those of the process, too. */
  readonly isAlone: boolean
  readonly readingStatus: MetricSources['readingStatus']
  readonly upstreamCalls: MetricSources['upstreamCalls']
}

export function createFront(options: FrontOptions): Front {
  const { representations, openAnswers, refusals, clock, log } = options
  const { isStopping, readingStatus, upstreamCalls, isAlone } = options
  const traffic = createTraffic()
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({
    ...{ traffic, refusals, readingStatus, upstreamCalls, isAlone, clock },
    kept: representations.kept,
  })
  const feedAnswers = createFeedAnswers(options.site)
  const hotPath = createHotPath(representations, feedAnswers, clock, (route, request, response) => {
    requestLog.answered(route, request, response)
    // Most answers are with the system at once.
    if (response.writableLength > 0) openAnswers.add(response)
  })
  const application = createApplication({
    ...options,
    ...{ hotPath, feedAnswers, requestLog, metrics },
  })
  return {
    metrics,
    listener(request, response) {
      // Who keeps its connection hears in time that it ends.
      if (isStopping()) response.shouldKeepAlive = false
      if (hotPath.answer(request, response)) return
      // A process that has much to do is not dead.
      if (request.url === '/livez') openAnswers.add(response)
      else if (!openAnswers.admit(request, response)) return
      application(request, response)
    },
  }
}

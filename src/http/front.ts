import type { RequestListener } from 'node:http'
import { createApplication, type ApplicationOptions } from './application.ts'
import { createFeedAnswers } from './feed-address.ts'
import { createHotPath } from './hot-path.ts'
import { createMetrics, type MetricSources } from './metrics.ts'
import { createOpenAnswers, type OpenAnswers } from './open-answers.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { createRequestLog } from './request-log.ts'
import { createTraffic } from './traffic.ts'

/** What answers every request: the hot path, and Express for all that it leaves. */
export type Front = {
  readonly listener: RequestListener
  readonly openAnswers: OpenAnswers
  readonly refusals: Refusals
}

export function createFront(
  options: ApplicationOptions & {
    readonly readingStatus: MetricSources['readingStatus']
    readonly upstreamCalls: MetricSources['upstreamCalls']
  },
): Front {
  const { representations, isStopping, readingStatus, upstreamCalls, clock, log } = options
  const traffic = createTraffic()
  const refusals = createRefusals(clock, log)
  const openAnswers = createOpenAnswers(clock, refusals)
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({
    ...{ traffic, refusals, readingStatus, upstreamCalls, clock },
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
    ...{ hotPath, feedAnswers, requestLog, metrics, refusals },
  })
  return {
    openAnswers,
    refusals,
    listener(request, response) {
      // Who keeps its connection hears in time that it ends.
      if (isStopping()) response.shouldKeepAlive = false
      if (hotPath.answer(request, response)) return
      openAnswers.add(response)
      application(request, response)
    },
  }
}

import type { RequestListener } from 'node:http'
import { createApplication, type ApplicationOptions } from './application.ts'
import { createHotPath } from './hot-path.ts'
import { createMetrics } from './metrics.ts'
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
    readonly upstreamCalls: () => ReadonlyMap<string, number>
  },
): Front {
  const { representations, status, upstreamCalls, clock, log } = options
  const traffic = createTraffic()
  const refusals = createRefusals(clock, log)
  const openAnswers = createOpenAnswers(clock, refusals)
  const requestLog = createRequestLog({ traffic, clock, log })
  const metrics = createMetrics({
    ...{ traffic, refusals, status, upstreamCalls, clock },
    kept: representations.kept,
  })
  const hotPath = createHotPath(representations, (route, request, response) => {
    requestLog.answered(route, request, response)
    // Most answers are with the system at once.
    if (response.writableLength > 0) openAnswers.add(response)
  })
  const application = createApplication({ ...options, hotPath, requestLog, metrics, refusals })
  return {
    openAnswers,
    refusals,
    listener(request, response) {
      if (hotPath.answer(request, response)) return
      openAnswers.add(response)
      application(request, response)
    },
  }
}

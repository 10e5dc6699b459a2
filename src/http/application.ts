import express, { type Express } from 'express'
import helmet from 'helmet'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, Site } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import type { Representations } from '../representations/representations.ts'
import { errorHandler, notFound } from './error-handler.ts'
import type { FeedAnswers } from './feed-address.ts'
import { feedRoutes, openPaths } from './feed-routes.ts'
import { healthRoutes } from './health-routes.ts'
import type { HotPath } from './hot-path.ts'
import { readingMethodsOnly } from './methods.ts'
import { metricsRoutes } from './metrics-routes.ts'
import type { Metrics } from './metrics.ts'
import { pageRoutes } from './page-routes.ts'
import type { Refusals } from './refusals.ts'
import type { RequestLog } from './request-log.ts'
import { statusRoutes, type ServiceStatus } from './status-routes.ts'
import { createVariantLimit } from './variant-limit.ts'

export type ApplicationOptions = {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly collections: Collections
  readonly representations: Representations
  readonly status: () => Promise<ServiceStatus>
  readonly isStopping: () => boolean
  /** How many proxies stand in front and name the client's address. */
  readonly proxies: number
  readonly clock: Clock
  readonly log: Logger
}

/** Everything that the hot path leaves, in the order it is tried. */
export function createApplication(
  options: ApplicationOptions & {
    readonly hotPath: Pick<HotPath, 'remember'>
    readonly feedAnswers: FeedAnswers
    readonly requestLog: Pick<RequestLog, 'handler'>
    readonly metrics: Metrics
    readonly refusals: Pick<Refusals, 'tell'>
  },
): Express {
  const { publicFeeds, collections, status, isStopping, clock, log, metrics, refusals } = options
  const application = express()
  application.disable('x-powered-by')
  application.set('etag', 'strong')
  application.set('query parser', false)
  application.set('trust proxy', options.proxies)
  application.use(options.requestLog.handler)
  application.use(securityHeaders())
  application.use(readingMethodsOnly(openPaths(publicFeeds)))
  application.use(healthRoutes({ publicFeeds, collections, isStopping }))
  application.use(statusRoutes(status))
  application.use(metricsRoutes(metrics))
  application.use(feedRoutes({ ...options, variantLimit: createVariantLimit(clock) }))
  application.use(pageRoutes(options))
  application.use(notFound)
  application.use(errorHandler(log, refusals))
  return application
}

function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'https:'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Feedhouse speaks plain HTTP; what terminates TLS decides about HSTS.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
}

import express, { type Express } from 'express'
import helmet from 'helmet'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, Site } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import type { Representations } from '../representations/representations.ts'
import { errorHandler, notFound, readingMethodsOnly } from './error-handler.ts'
import { feedRoutes } from './feed-routes.ts'
import { healthRoutes } from './health-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { statusRoutes, type ServiceStatus } from './status-routes.ts'

/** Everything that is answered over HTTP, in the order it is tried. */
export function createApplication(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly collections: Collections
  readonly representations: Representations
  readonly status: () => Promise<ServiceStatus>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}): Express {
  const { site, feeds, publicFeeds, collections, representations, status, clock, log } = options
  const application = express()
  application.disable('x-powered-by')
  application.set('etag', 'strong')
  application.set('query parser', false)
  application.use(readingMethodsOnly)
  application.use(securityHeaders())
  application.use(healthRoutes(publicFeeds, collections))
  application.use(statusRoutes(status))
  application.use(feedRoutes(feeds, publicFeeds, representations, site))
  application.use(pageRoutes({ site, feeds, publicFeeds, collections, clock }))
  application.use(notFound)
  application.use(errorHandler(log))
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

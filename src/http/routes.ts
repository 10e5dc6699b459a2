import compression from 'compression'
import express, { type Express } from 'express'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import type { LinkRegistry } from '../links/link-registry.ts'
import type { Logger } from '../log.ts'
import type { FeedOverviews } from '../representations/feed-overviews.ts'
import type { ItemPages } from '../representations/item-pages.ts'
import type { Representations } from '../representations/representations.ts'
import { adminRoutes, type AdminActions } from './admin/admin-routes.ts'
import { createAdminSessions } from './admin/requests.ts'
import { basePathOf } from './server/base-path.ts'
import { createBoardAssets } from './board/board-assets.ts'
import { createBoardPictures, type FetchPicture } from './board/board-pictures.ts'
import { boardHeaders, boardRoutes } from './board/board-routes.ts'
import { createAssets, type Assets } from './pages/assets.ts'
import { embedRoutes } from './pages/embed-routes.ts'
import { errorHandler, notFound } from './error-handler.ts'
import type { FeedResponses } from './feeds/feed-address.ts'
import { feedRoutes, openPaths } from './feeds/feed-routes.ts'
import {
  healthRoutes,
  metricsRoutes,
  probeRoutes,
  statusRoutes,
  type ServiceStatus,
} from './monitoring/monitoring-routes.ts'
import type { HotPath } from './feeds/hot-path.ts'
import { createItemPictures } from './pages/item-pictures.ts'
import { linkGate, linkHeaders } from './feeds/link-gate.ts'
import { allowSafeMethods } from './server/allow-safe-methods.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { createQrCodes } from './pages/qr-code.ts'
import type { Rejections } from './server/rejections.ts'
import type { RequestLog } from './monitoring/request-log.ts'
import { securityHeaders } from './server/security-headers.ts'
import { createSubscribePage } from './pages/subscribe-page.ts'
import { createRenderPage } from './templates.ts'

export type ApplicationOptions = {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly collections: Collections
  readonly representations: Representations
  readonly overviews: FeedOverviews
  readonly itemPages: ItemPages
  readonly links: Pick<LinkRegistry, 'find' | 'isLoaded' | 'pull'>
  readonly status: () => Promise<ServiceStatus>
  /** The public part of the status. */
  readonly publicStatus: () => Promise<ServiceStatus>
  readonly fetchPicture: FetchPicture
  /** Existing files of an export; undefined in the service. */
  readonly exportedFiles?: (() => readonly string[]) | undefined
  /** Undefined without an admin page. */
  readonly admin: AdminActions | undefined
  readonly isStopping: () => boolean
  /** Returns true for the key of a `check` that is asking through PUBLIC_URL. */
  readonly isProbe: (key: string) => Promise<boolean>
  /** Number of trusted proxies in front. */
  readonly proxies: number
  readonly clock: Clock
  readonly log: Logger
}

/** The route table: everything that the hot path does not serve, in order. */
export function createApplication(
  options: ApplicationOptions & {
    readonly hotPath: Pick<HotPath, 'remember'>
    readonly feedResponses: FeedResponses
    readonly requestLog: Pick<RequestLog, 'handler'>
    readonly metrics: Metrics
    readonly rejections: Pick<Rejections, 'report'>
  },
): Express {
  const { publicFeeds, collections, isStopping, log, metrics, rejections } = options
  const basePath = basePathOf(options.site)
  const assets = createAssets(basePath)
  const application = express()
  application.disable('x-powered-by')
  // A strong tag would have to differ per content coding.
  application.set('etag', 'weak')
  application.set('query parser', false)
  application.set('trust proxy', options.proxies)
  application.use(options.requestLog.handler)
  application.use(securityHeaders())
  const boardAssets = createBoardAssets(basePath)
  application.use(linkHeaders, boardHeaders(boardAssets, options.clock))
  const pages = createPages(options, assets)
  application.locals['render'] = pages.render
  const pictures = createBoardPictures(options)
  const itemPictures = createItemPictures(options)
  const adminSessions = options.admin && createAdminSessions({ ...options, ...options.admin })
  if (options.admin && adminSessions) {
    application.use(adminRoutes({ ...options, ...options.admin, ...pages, ...adminSessions }))
  }
  application.use(allowSafeMethods(openPaths(publicFeeds)))
  application.use(healthRoutes({ publicFeeds, collections, isStopping }))
  application.use(statusRoutes({ ...options, isAdmin: adminSessions?.isSignedIn }))
  application.use(probeRoutes(options.isProbe))
  application.use(metricsRoutes(metrics))
  application.use('/assets', compression())
  application.use(assets.router)
  application.use(linkGate(options))
  application.use(feedRoutes(options))
  application.use(compression())
  application.use(itemPictures.router)
  application.use(boardRoutes({ ...options, ...pages, pictures, assets: boardAssets }))
  application.use(embedRoutes({ ...options, ...pages }))
  application.use(pageRoutes({ ...options, ...pages, itemPictures }))
  application.use(notFound)
  application.use(errorHandler(log, rejections))
  return application
}

function createPages(options: ApplicationOptions, { pathOf }: Assets) {
  const { site } = options
  const qrCodes = createQrCodes()
  return {
    qrCodes,
    render: createRenderPage({ site, asset: pathOf, basePath: basePathOf(site) }),
    subscribePage: createSubscribePage({ ...options, qrCodes }),
  }
}

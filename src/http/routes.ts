import compression from 'compression'
import express, { type Express, type Request, type Response } from 'express'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import type { Catalog } from '../feeds/catalog.ts'
import type { Site } from '../feeds/site.ts'
import type { LinkRegistry } from '../links/link-registry.ts'
import type { LinkService } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import type { FeedOverviews } from '../representations/feed-overviews.ts'
import type { ItemPages } from '../representations/item-pages.ts'
import type { OccasionMemory } from '../feeds/shared-occasions.ts'
import type { Representations } from '../representations/representations.ts'
import type { TopicRepresentations } from '../representations/topic-representations.ts'
import { adminRoutes, type AdminActions } from './admin/admin-routes.ts'
import { createAdminPages } from './admin/admin-pages.ts'
import { createLinkPages } from './admin/link-pages.ts'
import { createAdminAccess } from './admin/admin-access.ts'
import { basePathOf } from './server/urls.ts'
import { createBoardAssets } from './board/board-assets.ts'
import type { EmergencyTexts } from './board/emergency-text.ts'
import { composerRoutes } from './board/composer-routes.ts'
import { createBoardPictures, type FetchPicture } from './board/board-pictures.ts'
import { boardHeaders, boardRoutes } from './board/board-routes.ts'
import { createAssets } from './pages/assets.ts'
import { embedRoutes } from './pages/embed-routes.ts'
import { errorHandler, notFound } from './error-handler.ts'
import { feedRoutes, openPaths } from './feeds/feed-routes.ts'
import {
  healthRoutes,
  metricsRoutes,
  probeRoutes,
  statusRoutes,
  type HealthOptions,
  type ServiceStatus,
} from './monitoring/monitoring-routes.ts'
import type { PagePublishing } from './front/page-publishing.ts'
import type { SiteCache } from './front/site-cache.ts'
import { browsingRoutes } from './pages/browsing-routes.ts'
import { createGonePage } from './pages/gone-page.ts'
import { createItemPictures } from './pages/item-pictures.ts'
import { linkGate, linkHeaders } from './feeds/link-gate.ts'
import { allowSafeMethods } from './server/allow-safe-methods.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { createLinkChoices, isLinkPage } from './pages/choice-routes.ts'
import { createPageHandler } from './pages/page-handler.ts'
import { createPageWords } from './pages/page-words.ts'
import { memberRoutes } from './pages/member-routes.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { createHomePage } from './pages/home-page.ts'
import { homeRoutes } from './pages/home-routes.ts'
import { posterRoutes } from './pages/poster-routes.ts'
import { createQrCodes } from './pages/qr-code.ts'
import type { Rejections } from './server/rejections.ts'
import type { RequestLog } from './monitoring/request-log.ts'
import { securityHeaders } from './server/security-headers.ts'
import { createFeedsPage } from './pages/feeds-page.ts'
import { createSiteImages } from './pages/site-images.ts'
import { createSubscriptionDoctor, type SubscriptionDoctor } from './pages/subscription-doctor.ts'
import { createRenderPage, type RenderPage } from './templates.ts'

export type ApplicationOptions = HealthOptions & {
  readonly site: Site
  readonly catalog: Catalog
  readonly collections: Collections
  readonly representations: Representations
  readonly topics: TopicRepresentations
  readonly overviews: FeedOverviews
  readonly itemPages: ItemPages
  readonly occasionMemory: OccasionMemory
  readonly links: Pick<LinkRegistry, 'find' | 'isLoaded' | 'pull'> & Pick<LinkService, 'edit'>
  readonly status: () => Promise<ServiceStatus>
  /** The public part of the status. */
  readonly publicStatus: () => Promise<ServiceStatus>
  readonly emergency: EmergencyTexts
  readonly fetchPicture: FetchPicture
  /** Files from earlier exports; undefined in the service. */
  readonly exportedFiles?: (() => readonly string[]) | undefined
  /** Undefined if there is no admin page. */
  readonly admin: AdminActions | undefined
  /** Returns true for the key of a running `check` command. */
  readonly isProbe: (key: string) => Promise<boolean>
  /** Number of trusted proxies in front of the service. */
  readonly proxies: number
  readonly clock: Clock
  readonly log: Logger
}

/** Creates the Express application, which handles every request that the front cannot. */
export function createApplication(
  options: ApplicationOptions & {
    readonly pagePublishing: PagePublishing
    readonly siteCache: SiteCache
    readonly requestLog: Pick<RequestLog, 'handler'>
    readonly metrics: Metrics
    readonly rejections: Pick<Rejections, 'report'>
  },
): Express {
  const { site, catalog, publicFeeds, collections, representations } = options
  const { feeds, allCalendars, myFeeds, combinedFeeds, feedsOf } = catalog
  const { overviews, itemPages, occasionMemory } = options
  const { status, publicStatus, fetchPicture, exportedFiles, clock, log } = options
  const { siteCache, pagePublishing, requestLog, metrics, rejections } = options
  const basePath = basePathOf(site)
  const assets = createAssets(basePath, site.identity)
  const application = express()
  application.disable('x-powered-by')
  // ETags are weak, because a strong ETag would have to differ for each content coding.
  application.set('etag', 'weak')
  application.set('query parser', false)
  application.set('trust proxy', options.proxies)
  application.use(requestLog.handler)
  application.use(securityHeaders())
  const boardAssets = createBoardAssets(basePath, site.identity)
  application.use(linkHeaders, boardHeaders(boardAssets, clock))
  const siteImages = createSiteImages({ site, fetchPicture, clock, log })
  const asset = (name: string) => siteImages.pathOf(name) ?? assets.pathOf(name)
  const words = createPageWords(site, clock)
  const render = createRenderPage({ site, asset, basePath, words })
  application.locals['render'] = render
  const qrCodes = createQrCodes()
  const doctor = createSubscriptionDoctor({
    site,
    clock,
    isOffered: ({ resource }) => !collections.isSwitchedOff(resource),
  })
  const admin = options.admin && createAdmin(options, options.admin, { doctor, render })
  if (admin) application.use(admin.router)
  const combinedForEveryone = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
  const openFeeds = [...publicFeeds, ...combinedForEveryone]
  application.use(allowSafeMethods(openPaths(openFeeds), isLinkPage))
  application.use(healthRoutes(options))
  application.use(statusRoutes({ status, publicStatus, isAdmin: admin?.isSignedIn }))
  application.use(probeRoutes(options.isProbe))
  application.use(metricsRoutes(metrics))
  application.use('/assets', compression())
  application.use(assets.router, siteImages.router)
  application.use(linkGate({ site, publicFeeds, feedsOf, links: options.links, clock }))
  application.use(
    feedRoutes({
      site,
      feeds,
      combinedFeeds,
      representations,
      topics: options.topics,
      siteCache,
      clock,
    }),
  )
  application.use(compression({ filter: isUnprepared }))
  const itemPictures = createItemPictures({ site, feeds, itemPages, fetchPicture, exportedFiles })
  application.use(itemPictures.router)
  const pictures = createBoardPictures({ fetchPicture, site, feeds, collections })
  application.use(
    boardRoutes({
      site,
      feeds,
      collections,
      overviews,
      occasionMemory,
      pictures,
      assets: boardAssets,
      render,
      pagePublishing,
      qrCodes,
      emergency: options.emergency,
      clock,
    }),
  )
  const pageParts = { site, feeds, collections, itemPages, render, pagePublishing, clock }
  const pageHandler = createPageHandler(pageParts)
  application.use(composerRoutes({ ...pageParts, overviews, qrCodes }))
  application.use(embedRoutes({ ...pageParts, overviews, pictures, pageHandler }))
  const gonePage = createGonePage({ ...pageParts, overviews })
  application.use(browsingRoutes({ ...pageParts, overviews, pictures, pageHandler, gonePage }))
  const homePage = createHomePage({
    site,
    combined: { all: allCalendars, my: myFeeds },
    collections,
    overviews,
    pictures,
    qrCodes,
    clock,
  })
  const linkChoices = createLinkChoices({
    site,
    feed: myFeeds,
    collections,
    overviews,
    homePage,
    editLink: options.links.edit,
    clock,
  })
  const feedsPage = createFeedsPage({ site, combinedFeeds, collections, overviews, qrCodes })
  application.use(
    homeRoutes({ ...pageParts, asset, combinedFeeds, homePage, feedsPage, doctor, linkChoices }),
  )
  application.use(pageRoutes({ ...pageParts, combinedFeeds, itemPictures, gonePage }))
  application.use(memberRoutes(pageParts))
  application.use(posterRoutes({ ...pageParts, qrCodes }))
  application.use(notFound)
  application.use(errorHandler(log, rejections))
  return application
}

/** Returns false for responses with a strong ETag, which are sent in the encoding that it stands for. */
function isUnprepared(request: Request, response: Response): boolean {
  const isPrepared = String(response.getHeader('ETag')).startsWith('"')
  return !isPrepared && compression.filter(request, response)
}

/** Creates the admin router, and a function that checks for a signed-in admin. */
function createAdmin(
  options: ApplicationOptions,
  actions: AdminActions,
  {
    doctor,
    render,
  }: {
    readonly doctor: SubscriptionDoctor
    readonly render: RenderPage
  },
) {
  const { site, catalog, publicFeeds, status, overviews, clock, log } = options
  const { feeds } = catalog
  const { documents, password, listLinks } = actions
  const access = createAdminAccess({ site, documents, password, clock })
  const { knownMembers, memberFault } = actions
  const members = { knownMembers, memberFault }
  const linkPages = createLinkPages({ site, catalog, ...members, doctor, render, clock })
  const pages = createAdminPages({
    site,
    feeds,
    publicFeeds,
    status,
    listLinks,
    overviews,
    linkPages,
    doctor,
    render,
  })
  const router = adminRoutes({ site, catalog, actions, pages, linkPages, access, clock, log })
  return { router, isSignedIn: access.isSignedIn }
}

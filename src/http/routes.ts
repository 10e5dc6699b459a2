import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import compression from 'compression'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import { createAdminAccess } from './admin/sessions.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import { boardHeaders, boardRoutes } from './board/board-routes.ts'
import { composerRoutes } from './board/board-composer.ts'
import { contextIn, createContext, type ServedSite, type SiteContext } from './context.ts'
import { accountRoutes } from './dav/account-routes.ts'
import { davRoutes } from './dav/dav-routes.ts'
import { errorHandler, notFound } from './error-handler.ts'
import { deviceRoutes } from './follow/device-routes.ts'
import { followRoutes } from './follow/follow-routes.ts'
import { bypassesCache } from './front/bypasses-cache.ts'
import type { SitePurges } from './front/protocol.ts'
import { createMetrics, type MetricSources } from './monitoring/metrics.ts'
import { createRequestLog, createTraffic } from './monitoring/request-log.ts'
import { createSendPage } from './responses/send-page.ts'
import { createSiteCache } from './responses/site-cache.ts'
import { feedRoutes, feedsByPath, openPaths } from './feeds/feed-routes.ts'
import { linkGate, linkHeaders } from './feeds/link-gate.ts'
import { monitoringRoutes } from './monitoring/monitoring-routes.ts'
import { browsingRoutes } from './pages/browsing-routes.ts'
import { embedRoutes } from './pages/embed-routes.ts'
import { homeRoutes } from './pages/home-routes.ts'
import { contactRoutes } from './pages/contact-routes.ts'
import { messageRenderFor } from './pages/page-handler.ts'
import { allowSafeMethods } from './responses/allow-safe-methods.ts'
import { pastedAddresses } from './responses/pasted-address.ts'
import { securityHeaders } from './responses/security-headers.ts'
import { sharedRouter, type Route } from './server/shared-router.ts'

type SiteListenerOptions = ServedSite &
  Omit<MetricSources, 'traffic'> & {
    /** Distinguishes sites that share a front. */
    readonly name: string
    readonly front: SitePurges
    /** Version of the settings and the code that affect how feeds look. */
    readonly presentationChangedAt: number
  }

/** Serves one site's requests that the front cannot answer from its cache. */
export function createSiteListener(options: SiteListenerOptions) {
  const { name, collections, links, emergency, clock, log } = options
  const traffic = createTraffic()
  const requestLog = createRequestLog(traffic, clock, log)
  const metrics = createMetrics({ ...options, traffic })
  const siteCache = createSiteCache({
    ...options,
    site: name,
    version: versionOf(options),
    onChange(listener) {
      collections.onChange(listener)
      links.onChange(listener)
      emergency.onChange(listener)
    },
    requestLog,
  })
  const sendPage = createSendPage(siteCache, clock)
  const sending = { siteCache, sendPage, requestLog, metrics }
  const create = () => createApplication(createContext({ ...options, ...sending }))
  const { used, resume } = siteCache
  return {
    metrics: { figures: metrics.figures },
    used,
    resume,
    listener: options.isAlone ? create() : createdOnRequest(create),
  }
}

/** Returns a hash of the settings that feeds and pages show. The logo may contain a picture. */
function versionOf({ site, presentationChangedAt }: SiteListenerOptions): string {
  const shown = JSON.stringify([presentationChangedAt, site.identity])
  return createHash('sha256').update(shown).digest('base64url')
}

/**
 * Creates the listener, which takes up 0.15 MiB, on the first request that the front does not
 * answer.
 */
function createdOnRequest(create: () => RequestListener): RequestListener {
  let listener: RequestListener | undefined
  return (request, response) => {
    listener ??= create()
    listener(request, response)
  }
}

/** Creates the Express application of a site. Its handlers run in this order. */
function createApplication(context: SiteContext): Express {
  const { admin, assets, siteImages, requestLog, rejections, log } = context
  const application = express()
  application.disable('x-powered-by')
  // ETags are weak, because a strong ETag would have to differ for each content coding.
  application.set('etag', 'weak')
  application.set('query parser', false)
  application.set('trust proxy', context.proxies)
  application.locals['renderFor'] = (url: string) => messageRenderFor(context, url)
  application.use(requestLog.handler, securityHeaders(), linkHeaders, boardHeaders(context))
  const access = admin && createAdminAccess({ ...context, ...admin })
  const inEnglish = contextIn(context, 'en')
  if (access) application.use(adminRoutes({ ...inEnglish, access, actions: admin }))
  if (context.syncLogs) application.use(davRoutes(context, context.syncLogs))
  const pages = [
    boardRoutes,
    composerRoutes,
    embedRoutes,
    browsingRoutes,
    homeRoutes,
    contactRoutes,
    followRoutes,
    deviceRoutes,
    ...(context.syncLogs ? [accountRoutes] : []),
  ].flatMap((routesFor) => routesFor(context))
  application.use(allowSafeMethods(openPaths(context), pages))
  const pasted = pastedAddresses(context, pathsIn(context, pages))
  application.use(pasted.unescapeQuery)
  application.use(monitoringRoutes(context, access?.isSignedIn))
  application.use(limitBypasses(context))
  application.use('/assets', compression())
  application.use(sharedRouter([...assets.routes, ...siteImages.routes]))
  application.use(linkGate(context), feedRoutes(context))
  application.use(compression({ filter: isUnprepared }))
  application.use(sharedRouter(pages))
  application.use(pasted.correctPath, notFound)
  application.use(pasted.correctQuery, errorHandler(log, rejections.report))
  return application
}

/** Limits requests that the front would otherwise answer from its cache. */
function limitBypasses({ pageLimit }: SiteContext): RequestHandler {
  return (request, _response, next) => {
    if (bypassesCache(request)) pageLimit(request.ip ?? '')
    next()
  }
}

/** Returns a function that returns true for the path of a feed or page, also below feed links. */
function pathsIn({ catalog }: SiteContext, pages: readonly Route[]) {
  const feeds = feedsByPath(catalog)
  const patterns = pages
    .filter(({ method }) => method === 'get')
    .map(({ path }) => path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+'))
  // Created once, because anyone can request any number of missing pages.
  const page = new RegExp(`^(?:${patterns.join('|')})$`)
  return (path: string) => feeds.has(path.replace(/^\/l\/[^/]+(?=\/)/, '')) || page.test(path)
}

/** Creates an application with pages that don't belong to a site. */
export function applicationOf(handlers: readonly RequestHandler[]): Express {
  const application = express()
  application.disable('x-powered-by')
  return application.use(...handlers, notFound)
}

/** Returns false for responses with a strong ETag, which are sent in the ETag's encoding. */
function isUnprepared(request: Request, response: Response): boolean {
  const isPrepared = String(response.getHeader('ETag')).startsWith('"')
  return !isPrepared && compression.filter(request, response)
}

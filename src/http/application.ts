import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import express, {
  Router,
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
} from 'express'
import {
  contextIn,
  createContext,
  siteOf,
  type ServedSite,
  type SiteContext,
} from '../web/context.ts'
import { errorHandler, notFound } from '../web/error-handler.ts'
import { bypassesCache } from '../front/bypasses-cache.ts'
import type { SitePurges } from '../front/protocol.ts'
import { findFeed, isOpenPath, sendFeed } from '../features/feeds/feed-routes.ts'
import { linkGate, linkHeaders } from '../web/link-gate.ts'
import { createMetrics, type Metrics, type MetricSources } from '../features/monitoring/metrics.ts'
import { createRequestLog, createTraffic } from '../web/request-log.ts'
import { languageForMessages } from '../web/translation.ts'
import { trustProxies } from '../web/trust-proxies.ts'
import { allowSafeMethods } from '../web/allow-safe-methods.ts'
import { pastedAddresses } from '../web/pasted-address.ts'
import { securityHeaders } from '../web/security-headers.ts'
import { createSendPage } from '../web/send-page.ts'
import { createSiteCache, type SiteCache } from '../web/site-cache.ts'
import { inTurn } from '../web/turns.ts'

/** The application of all sites of a process. */
export type Application = {
  readonly listenerOf: (site: () => SiteContext) => RequestListener
  /** Loads everything but feeds, unless a request has already done so. */
  readonly loadPages: () => Promise<unknown>
}

type SiteListenerOptions = ServedSite &
  Omit<MetricSources, 'traffic'> & {
    readonly application: Application
    /** Distinguishes sites that share a front. */
    readonly name: string
    readonly front: SitePurges
    /** Version of the settings and the code that affect how feeds look. */
    readonly presentationChangedAt: number
  }

/** Serves one site's requests that the front cannot answer from its cache. */
export type SiteListener = {
  readonly listener: RequestListener
  readonly metrics: { readonly figures: Metrics['figures'] }
  readonly used: SiteCache['used']
  readonly resume: SiteCache['resume']
}

export function createSiteListener(options: SiteListenerOptions): SiteListener {
  const { application, name, catalog, collections, links, clock, log } = options
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
    },
    requestLog,
  })
  const sendPage = createSendPage(siteCache, clock)
  const isRestart = catalog.feeds.some(({ resource }) => collections.copyOf(resource))
  const restartedAt = isRestart ? clock.now() : -Infinity
  const sending = { restartedAt, siteCache, sendPage, requestLog, metrics }
  const { used, resume } = siteCache
  // Created for the first request that the front does not answer.
  let context: SiteContext | undefined
  const site = () => (context ??= createContext({ ...options, ...sending }))
  return {
    metrics: { figures: metrics.figures },
    used,
    resume,
    listener: application.listenerOf(site),
  }
}

/** Returns a hash of the settings that feeds and pages show. The logo may contain a picture. */
function versionOf({ site, presentationChangedAt }: SiteListenerOptions): string {
  const shown = JSON.stringify([presentationChangedAt, site.identity])
  return createHash('sha256').update(shown).digest('base64url')
}

const isOpen = (response: Response, path: string) => isOpenPath(siteOf(response), path)

/** Creates the application of all sites of a process. Its handlers run in this order. */
export function createApplication(proxies: number): Application {
  const application = express()
  application.disable('x-powered-by')
  // ETags are weak, because a strong ETag would have to differ for each content coding.
  application.set('etag', 'weak')
  application.set('query parser', false)
  trustProxies(application, proxies)
  const { unescapeQuery, correctPath, correctQuery } = pastedAddresses(siteOf)
  let pages: Promise<Router> | undefined
  // Feeds do not wait for these modules, which take a long time to load.
  const loadPages = () =>
    (pages ??= import('./page-router.ts').then(({ createPageRouter }) =>
      createPageRouter({ isOpen, limitBypasses, unescapeQuery, correctPath }),
    ))
  const safe = [allowSafeMethods({ isOpen }), unescapeQuery]
  application.use(logRequest, inTurn, securityHeaders(), linkHeaders)
  application.use(findFeed(Router().use(...safe, limitBypasses, linkGate, sendFeed)))
  application.use(async (request, response, next) => (await loadPages())(request, response, next))
  application.use(notFound, correctQuery, reportError)
  return {
    loadPages,
    listenerOf: (site) => (request, response) => {
      Object.assign(response, { locals: { site: site() } })
      application(request, response)
    },
  }
}

const logRequest: RequestHandler = (request, response, next) => {
  const site = siteOf(response)
  response.locals['renderFor'] = (url: string) =>
    contextIn(site, languageForMessages(url, site.site)).render
  site.requestLog.handler(request, response, next)
}

const reportError: ErrorRequestHandler = (error, request, response, next) => {
  const { log, rejections } = siteOf(response)
  errorHandler(log, rejections.report)(error, request, response, next)
}

/** Limits requests that the front would otherwise answer from its cache. */
const limitBypasses: RequestHandler = (request, response, next) => {
  if (bypassesCache(request)) siteOf(response).pageLimit(request.ip ?? '')
  next()
}

/** Creates an application with pages that don't belong to a site. */
export function applicationOf(handlers: readonly RequestHandler[]): Express {
  const application = express()
  application.disable('x-powered-by')
  return application.use(...handlers, notFound)
}

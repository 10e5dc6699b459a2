import compression from 'compression'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { adminRouter } from '../features/admin/admin-routes.ts'
import { boardHeaders } from '../features/board/board-routes.ts'
import { davRouter } from '../features/dav/dav-routes.ts'
import { feedAt } from '../features/feeds/feed-routes.ts'
import { allowSafeMethods } from '../web/allow-safe-methods.ts'
import type { SiteContext } from '../web/context.ts'
import { linkGate } from '../web/link-gate.ts'
import { pathMatcher, routerFor } from '../web/route.ts'
import { files, monitoringRoutes, pages } from './routes.ts'

type PageRouterOptions = {
  readonly isOpen: (response: Response, path: string) => boolean
  readonly limitBypasses: RequestHandler
  readonly unescapeQuery: RequestHandler
  readonly correctPath: (isKnown: (site: SiteContext, path: string) => boolean) => RequestHandler
}

/** Creates the router for everything but feeds. Its handlers run in this order. */
export function createPageRouter(options: PageRouterOptions): Router {
  const { isOpen, limitBypasses, unescapeQuery, correctPath } = options
  const isPage = pathMatcher(pages.filter(({ method }) => method === 'get'))
  const isKnown = (site: SiteContext, path: string) =>
    feedAt(site.catalog, path) !== undefined || isPage(site, path)
  const changing = pages.filter(({ method }) => method !== 'get')
  const router = Router()
  router.use(boardHeaders, adminRouter(), davRouter())
  router.use(allowSafeMethods({ isOpen, changing }), unescapeQuery)
  router.use(routerFor(monitoringRoutes), limitBypasses)
  router.use('/assets', compression())
  router.use(routerFor(files), linkGate)
  router.use(compression({ filter: isUnprepared }), routerFor(pages))
  return router.use(correctPath(isKnown))
}

/** Returns false for responses with a strong ETag, which are sent in the ETag's encoding. */
function isUnprepared(request: Request, response: Response): boolean {
  const isPrepared = String(response.getHeader('ETag')).startsWith('"')
  return !isPrepared && compression.filter(request, response)
}

import { Router, type RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'

export type Route = {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly handlers: readonly RequestHandler[]
}

/** The paths have no wildcards, so each parameter is a string. */
type RouteHandler = RequestHandler<Readonly<Record<string, string>>>

const routeWith =
  (method: Route['method']) =>
  (path: string, ...handlers: readonly RouteHandler[]): Route => ({
    method,
    path,
    handlers: handlers as readonly RequestHandler[],
  })

export const getRoute = routeWith('get')
export const postRoute = routeWith('post')
export const deleteRoute = routeWith('delete')

/**
 * Sites with the same routes share routers, because the layers of all routes take up a quarter of a
 * megabyte.
 */
const routers = new LRUCache<string, Router, readonly Route[]>({
  max: 100,
  memoMethod: (_key, _stale, { context }) => routerFor(context),
})

/** Returns handlers that serve a site's routes, in this order. */
export function sharedRouter(routes: readonly Route[]): RequestHandler[] {
  const setRoutes: RequestHandler = (_request, response, next) => {
    response.locals['routes'] = routes
    next()
  }
  const shapes = routes.map(({ method, path, handlers }) => `${method} ${path} ${handlers.length}`)
  return [setRoutes, routers.memo(shapes.join('\n'), { context: routes })]
}

/** Creates a router that calls the handlers in `response.locals`. */
function routerFor(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [index, { method, path, handlers }] of routes.entries()) {
    const shared = handlers.map((_own, position): RequestHandler => {
      return (request, response, next) => {
        const { [index]: route } = response.locals['routes'] as readonly Route[]
        return route?.handlers[position]?.(request, response, next)
      }
    })
    router[method](path, ...shared)
  }
  return router
}

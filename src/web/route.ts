import { Router, type RequestHandler, type Response } from 'express'
import { siteOf, type SiteContext } from './context.ts'

/** A URL of each site. Parameters are strings, because the path has no wildcards. */
export type Route = {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  /** The values of the parameter `name` for which a site has the URL. */
  readonly names?: ((site: SiteContext) => readonly string[]) | undefined
  readonly handlers: readonly RequestHandler[]
}

const routeWith =
  (method: Route['method']) =>
  (prefixes: readonly string[], path: string, ...handlers: readonly RequestHandler[]) =>
    prefixes.map((prefix): Route => ({ method, path: `${prefix}${path}`, handlers }))

export const get = routeWith('get')
export const post = routeWith('post')
export const remove = routeWith('delete')

/** Limits routes to the names that a site has. */
export function named(
  names: (site: SiteContext) => readonly string[],
  routes: readonly Route[],
): readonly Route[] {
  return routes.map((route) => ({ ...route, names }))
}

/** Returns the route of a request, as logs and metrics list it. Never contains a secret. */
export const routeOf = ({ locals }: Response): string => locals['route'] as string

export function routerFor(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { method, path, names, handlers } of routes) {
    const enter: RequestHandler = ({ params }, response, next) => {
      const name = String(params['name'])
      if (names && !names(siteOf(response)).includes(name)) return next('route')
      response.locals['route'] = names ? path.replace(':name', name) : path
      next()
    }
    router[method](path, enter, ...handlers)
  }
  return router
}

/** Returns a function that returns true for the paths of these routes on a site. */
export function pathMatcher(routes: readonly Route[]) {
  const patterns = routes.map(({ path, names }) => {
    const pattern = path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
    return { pattern: new RegExp(`^${pattern}$`), names }
  })
  return (site: SiteContext, path: string): boolean =>
    patterns.some(({ pattern, names }) => {
      const found = pattern.exec(path)
      return found !== null && (!names || names(site).includes(found.groups?.['name'] ?? ''))
    })
}

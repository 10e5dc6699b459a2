import { Router, type RequestHandler, type Response } from 'express'
import { unknownParametersField } from '../front/cache-fields.ts'
import { siteOf, type SiteContext } from './context.ts'
import type { Fields } from './send-encoded.ts'
import { linkPrefix } from './viewer.ts'

/**
 * Ways in which successful responses are cached, with the `Cache-Control` field of public ones (RFC
 * 9111 5.2). If a name starts with `front`, the front keeps the responses until they change.
 */
export const cachings = {
  front: 'no-cache',
  'front, 1 minute': 'public, max-age=60',
  'front, 5 minutes': 'public, max-age=300',
  revalidated: 'no-cache',
  '1 hour': 'public, max-age=3600',
  '1 day': 'public, max-age=86400',
  '1 year': 'public, max-age=31536000, immutable',
  never: 'no-store',
} as const

export type Caching = keyof typeof cachings

/** Shared caches revalidate feeds every five minutes in the background (RFC 5861). */
const freshSeconds = 300
const staleIfErrorSeconds = 86_400
const freshness = `max-age=${freshSeconds}, stale-while-revalidate=${freshSeconds}, stale-if-error=${staleIfErrorSeconds}`

/** Lets scripts from any origin read public feeds. */
export const publicFeedFields: Fields = [
  ['Cache-Control', `public, ${freshness}`],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', `ETag, ${unknownParametersField}`],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
]

/** Keep private feeds out of shared caches and search engines, and their URLs out of `Referer`. */
export const privateFeedFields: Fields = [
  ['Cache-Control', `private, ${freshness}`],
  ['X-Robots-Tag', 'noindex'],
  ['Referrer-Policy', 'no-referrer'],
]

/** A URL of each site. Parameters are strings, because the path has no wildcards. */
export type Route = {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly cached: Caching
  /** The values of the parameter `name` for which a site has the URL. */
  readonly names?: ((site: SiteContext) => readonly string[]) | undefined
  readonly handlers: readonly RequestHandler[]
}

const routeWith =
  (method: Route['method']) =>
  (prefixes: readonly string[], path: string, cached: Caching, ...handlers: Route['handlers']) =>
    prefixes.map((prefix): Route => ({ method, path: `${prefix}${path}`, cached, handlers }))

const changing =
  (method: 'post' | 'delete') =>
  (prefixes: readonly string[], path: string, ...handlers: Route['handlers']) =>
    routeWith(method)(prefixes, path, 'never', ...handlers)

export const get = routeWith('get')
export const post = changing('post')
export const remove = changing('delete')

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
  for (const { method, path, cached, names, handlers } of routes) {
    const cacheControl = cacheControlFor(path, cached)
    const enter: RequestHandler = ({ params }, response, next) => {
      const name = String(params['name'])
      if (names && !names(siteOf(response)).includes(name)) return next('route')
      response.locals['route'] = names ? path.replace(':name', name) : path
      response.set('Cache-Control', cacheControl)
      next()
    }
    router[method](path, enter, ...handlers)
  }
  return router
}

/** Below a link, only browsers may keep responses, because the URL contains the link's key. */
function cacheControlFor(path: string, cached: Caching): string {
  if (!path.startsWith(linkPrefix)) return cachings[cached]
  return cached === 'never' ? 'private, no-store' : 'private, no-cache'
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

import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { hostOf, mountPointFrom } from '../config/mount-point.ts'
import { sendText } from '../front/starting.ts'

export type MountedSite = {
  readonly publicUrl: string | undefined
  readonly listener: RequestListener
}

/** Returns the value for a request, and the request's host, URL and path prefix (`name`). */
export type PlaceLookup<T> = (request: IncomingMessage) => {
  readonly host: string
  readonly url: string
  readonly name: string
  readonly value: T | undefined
}

/** Returns a function that finds the value for a request by public URL. */
export function createPlaceLookup<T>(
  values: readonly { readonly publicUrl: string | undefined; readonly value: T }[],
): PlaceLookup<T> {
  const places = new Map<string, T>()
  for (const { publicUrl, value } of values) {
    if (publicUrl === undefined) continue
    const { host, name } = mountPointFrom(publicUrl)
    places.set(`${host}${name}`, value)
  }
  return (request) => {
    const { host, url } = targetOf(request)
    const [name = ''] = /^\/[^/?#]+/.exec(url) ?? []
    const below = name === '' ? undefined : places.get(`${host}${name}`)
    return below === undefined
      ? { host, url, name: '', value: places.get(host) }
      : { host, url, name, value: below }
  }
}

/**
 * Routes each request to its site, with the path relative to the site's URL. Requests for an IP
 * address or a local host name go to `ofProcess`, and requests for other paths on the sites' hosts
 * go to `ofHosts`.
 */
export function createSiteSwitch(
  sites: readonly MountedSite[],
  ofProcess: RequestListener,
  ofHosts: RequestListener = serveNothing,
): RequestListener {
  const hosts = new Set(
    sites.flatMap(({ publicUrl }) => (publicUrl ? mountPointFrom(publicUrl).host : [])),
  )
  const placeOf = createPlaceLookup(
    sites.map(({ publicUrl, listener }) => ({ publicUrl, value: listener })),
  )
  return (request, response) => {
    const { host, url, name, value } = placeOf(request)
    request.url = url
    if (value && name !== '') return stripBasePath(name, value)(request, response)
    const isDirect = request.headers['x-forwarded-for'] === undefined && isWithinNetwork(host)
    const listener = value ?? (isDirect ? ofProcess : hosts.has(host) ? ofHosts : serveNothing)
    listener(request, response)
  }
}

/** Mounts a single site on every host. It works whether or not a proxy strips the site's path prefix. */
export function mountAt({
  publicUrl,
  listener,
}: MountedSite & { readonly publicUrl: string }): RequestListener {
  const { name } = mountPointFrom(publicUrl)
  const below = stripBasePath(name, listener)
  return (request, response) => {
    const { url } = targetOf(request)
    request.url = url
    const isBelow =
      name !== '' && url.startsWith(name) && /^(?:$|[/?])/.test(url.slice(name.length))
    const target = isBelow ? below : listener
    target(request, response)
  }
}

/** Strips a path prefix. Redirects the bare prefix to add a trailing slash, because links are relative. */
function stripBasePath(name: string, listener: RequestListener): RequestListener {
  return (request, response) => {
    const rest = request.url?.slice(name.length) ?? ''
    request.url = rest
    if (rest.startsWith('/')) return listener(request, response)
    response.writeHead(308, { Location: `${name}/${rest}`, 'Content-Length': 0 }).end()
  }
}

/** Normalizes the host. An absolute target overrides `Host` (RFC 9112 3.2.2). */
export function targetOf({ url = '/', headers }: IncomingMessage) {
  if (url.startsWith('/')) return { host: hostOf(headers.host ?? ''), url }
  const [absolute, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (absolute === undefined) return { host: hostOf(headers.host ?? ''), url }
  const rest = url.slice(absolute.length)
  return { host: hostOf(host), url: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Returns true for IP addresses and for single-label host names, as used in container networks. */
function isWithinNetwork(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return !name.includes('.') || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * Mounts a redirect to the only account server on each host, for clients that look for one at the
 * host's root (RFC 6764 5). A site without a path has its own.
 */
export function wellKnownSites(publicUrls: readonly string[]): readonly MountedSite[] {
  const byHost = Map.groupBy(publicUrls, (url) => mountPointFrom(url).host)
  return [...byHost.values()].flatMap((urls) => {
    const names = urls.map((url) => mountPointFrom(url).name)
    if (names.includes('')) return []
    const serve = names.length > 1 ? serveDavAdvice : redirectTo(307, `${names[0]}/dav/`)
    const listener: RequestListener = (request, response) => {
      const isDav = /^\/(?:cal|card)dav(?:\?|$)/.test(request.url ?? '')
      return isDav ? serve(request, response) : serveNothing(request, response)
    }
    return urls
      .slice(0, 1)
      .map((url) => ({ publicUrl: new URL('/.well-known', url).href, listener }))
  })
}

export const serveNothing = respondNotFound('No site at this address.')

const serveAdvice = respondNotFound(
  'Each organization has its own page below this address. Use the full address that you were given, or the link on your organization’s website.',
)

const serveDavAdvice = respondNotFound(
  'Several organizations share this address. Use the server address on the account page of your feed link.',
)

/** Redirects requests for the root to the start page, or explains that there is none. */
export function withStartPage(
  listener: RequestListener,
  startPage: string | undefined,
): RequestListener {
  return (request, response) => {
    if (!/^\/(?:\?|$)/.test(request.url ?? '')) return listener(request, response)
    const serve = startPage === undefined ? serveAdvice : redirectTo(302, startPage)
    return serve(request, response)
  }
}

function redirectTo(status: number, location: string): RequestListener {
  const head = { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }
  return (_request, response) => void response.writeHead(status, head).end()
}

function respondNotFound(text: string): RequestListener {
  return (_request, response) => sendText(response, 404, text)
}

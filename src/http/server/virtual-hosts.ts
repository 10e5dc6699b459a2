import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { hostOf, mountPointFrom } from '../../config/mount-point.ts'
import { sendText } from './starting.ts'

export type MountedSite = {
  readonly publicUrl: string | undefined
  readonly listener: RequestListener
}

/** Returns a function that finds the value for a request by public URL. `name` is the URL's path prefix. */
export function createPlaceLookup<T>(
  values: readonly { readonly publicUrl: string | undefined; readonly value: T }[],
) {
  const places = new Map<string, T>()
  for (const { publicUrl, value } of values) {
    if (publicUrl === undefined) continue
    const { host, name } = mountPointFrom(publicUrl)
    places.set(`${host}${name}`, value)
  }
  return (request: IncomingMessage) => {
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
  if (name === '') return listener
  const below = stripBasePath(name, listener)
  return (request, response) => {
    const { url } = targetOf(request)
    request.url = url
    const isBelow = url.startsWith(name) && /^(?:$|[/?])/.test(url.slice(name.length))
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

/** Returns the host and path of a request. An absolute target overrides `Host` (RFC 9112 3.2.2). */
function targetOf({ url = '/', headers }: IncomingMessage) {
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

export const serveNothing = respondNotFound('No site at this address.')

const serveAdvice = respondNotFound(
  'Each organization has its own page below this address. Use the full address that you were given, or the link on your organization’s website.',
)

/** Redirects requests for the root to the start page, or explains that there is none. */
export function withStartPage(
  listener: RequestListener,
  startPage: string | undefined,
): RequestListener {
  return (request, response) => {
    if (!/^\/(?:\?|$)/.test(request.url ?? '')) return listener(request, response)
    if (startPage === undefined) return serveAdvice(request, response)
    const head = { Location: startPage, 'Cache-Control': 'no-store', 'Content-Length': 0 }
    response.writeHead(302, head).end()
  }
}

function respondNotFound(text: string): RequestListener {
  return (_request, response) => sendText(response, 404, text)
}

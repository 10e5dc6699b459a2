import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { hostOf, mountPointFrom } from '../../config/mount-point.ts'

/** What answers for a site, at its public address: a host, and maybe a name below it. */
export type MountedSite = {
  /** Undefined where it is not known: nobody can ask for it then. */
  readonly publicUrl: string | undefined
  readonly listener: RequestListener
}

/**
 * Answers each request by the site it is for. Sites see paths below their own address. What is asked
 * of the process itself, by its IP address or a name within its network and not through a proxy, is the other listener's.
 */
export function createSiteSwitch(
  sites: readonly MountedSite[],
  ofProcess: RequestListener,
): RequestListener {
  const places = new Map<string, RequestListener>()
  for (const { publicUrl, listener } of sites) {
    if (publicUrl === undefined) continue
    const { host, name } = mountPointFrom(publicUrl)
    places.set(`${host}${name}`, listener)
  }
  return (request, response) => {
    const { host, url } = targetOf(request)
    const [name = ''] = /^\/[^/?#]+/.exec(url) ?? []
    const below = name === '' ? undefined : places.get(`${host}${name}`)
    request.url = url
    if (below) return stripBasePath(name, below)(request, response)
    const isDirect = request.headers['x-forwarded-for'] === undefined && isWithinNetwork(host)
    const listener = places.get(host) ?? (isDirect ? ofProcess : serveNothing)
    listener(request, response)
  }
}

/** Of the only site: whatever host it is reached by, and also where a proxy takes the name away. */
export function mountAt({
  publicUrl,
  listener,
}: {
  readonly publicUrl: string
  readonly listener: RequestListener
}): RequestListener {
  const { name } = mountPointFrom(publicUrl)
  if (name === '') return listener
  const below = stripBasePath(name, listener)
  return (request, response) => {
    const { url } = targetOf(request)
    request.url = url
    const isBelow = url.startsWith(name) && /^(?:$|[/?])/.test(url.slice(name.length))
    const answer = isBelow ? below : listener
    answer(request, response)
  }
}

/** The site's own page has a slash at the end: what it names is beside it. */
function stripBasePath(name: string, listener: RequestListener): RequestListener {
  return (request, response) => {
    const rest = request.url?.slice(name.length) ?? ''
    request.url = rest
    if (rest.startsWith('/')) return listener(request, response)
    response.writeHead(308, { Location: `${name}/${rest}`, 'Content-Length': 0 }).end()
  }
}

/** What a request is for: the host of an absolute target counts before `Host` (RFC 9112 3.2.2). */
function targetOf({ url = '/', headers }: IncomingMessage): {
  readonly host: string
  readonly url: string
} {
  const [absolute, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (absolute === undefined) return { host: hostOf(headers.host ?? ''), url }
  const rest = url.slice(absolute.length)
  return { host: hostOf(host), url: rest.startsWith('/') ? rest : `/${rest}` }
}

/** No name that the world knows: an IP address, or one word as containers have them. */
function isWithinNetwork(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return !name.includes('.') || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

const serveNothing: RequestListener = (_request, response) => {
  const text = 'There is no site at this address.\n'
  const head = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  response.writeHead(404, head).end(text)
}

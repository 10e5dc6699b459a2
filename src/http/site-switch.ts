import type { RequestListener } from 'node:http'

/** What answers for a site, at its public address: a host, and maybe a name below it. */
export type PlacedSite = { readonly publicUrl: string; readonly listener: RequestListener }

/**
 * Answers each request by the site it is for. Sites see paths below their own address; what is for
 * none of them is the other listener's. Only the `Host` of a request says which host is meant.
 */
export function createSiteSwitch(
  sites: readonly PlacedSite[],
  other: RequestListener,
): RequestListener {
  const places = new Map(sites.map((site) => [placeOf(new URL(site.publicUrl)), site.listener]))
  return (request, response) => {
    const { url = '/' } = request
    const host = hostOf(request.headers.host)
    const [name = ''] = /^\/[^/?#]*/.exec(url) ?? []
    const below = places.get(`${host}${name}`)
    if (!below || name === '/') return (places.get(host) ?? other)(request, response)
    request.url = url.slice(name.length)
    if (request.url.startsWith('/')) return below(request, response)
    response.writeHead(308, { Location: `${name}/${request.url}`, 'Content-Length': 0 }).end()
  }
}

/** Of the only site: whatever host it is reached by, and also where a proxy takes the name away. */
export function belowItsName({ publicUrl, listener }: PlacedSite): RequestListener {
  const name = new URL(publicUrl).pathname.replace(/\/$/, '')
  if (name === '') return listener
  return (request, response) => {
    const { url = '/' } = request
    if (url === name || url.startsWith(`${name}?`)) {
      const location = `${name}/${url.slice(name.length)}`
      return void response.writeHead(308, { Location: location, 'Content-Length': 0 }).end()
    }
    if (url.startsWith(`${name}/`)) request.url = url.slice(name.length)
    listener(request, response)
  }
}

function placeOf({ host, pathname }: URL): string {
  return `${host}${pathname.replace(/\/$/, '')}`
}

/** Without the port that goes without saying: it is a proxy's matter which scheme is spoken. */
function hostOf(header = ''): string {
  return header.toLowerCase().replace(/:(?:80|443)$/, '')
}

import type { Address } from './protocol.ts'

/** Clients append tracking parameters, so the number of URLs is unlimited. */
const maxUrls = 60_000
const maxUrlLength = 500

/** What URLs stand for, as learned from the responses to them. */
export type RememberedUrls = {
  readonly remember: (url: string, address: Address) => void
  readonly find: (url: string) => Address | undefined
  readonly forget: (url: string) => void
  readonly forgetSite: (site: string) => void
  /** Returns the keys of all responses that a URL stands for. */
  readonly keys: () => ReadonlySet<string>
}

/**
 * Creates an empty table. When it is full, the site with the most URLs forgets the one that was used the
 * longest time ago, so that many URLs of one site do not displace those of others.
 */
export function createRememberedUrls(limit = maxUrls): RememberedUrls {
  const addresses = new Map<string, Address>()
  /** URLs by site, the most recently used last. */
  const urlsOf = new Map<string, Set<string>>()

  function forget(url: string): void {
    const site = addresses.get(url)?.site
    if (site === undefined) return
    addresses.delete(url)
    urlsOf.get(site)?.delete(url)
  }

  function forgetOne(): void {
    let most: ReadonlySet<string> = new Set()
    for (const urls of urlsOf.values()) if (urls.size > most.size) most = urls
    const [oldest] = most
    if (oldest !== undefined) forget(oldest)
  }

  return {
    remember(url, address) {
      if (url.length > maxUrlLength) return
      forget(url)
      if (addresses.size >= limit) forgetOne()
      addresses.set(url, address)
      const urls = urlsOf.get(address.site) ?? new Set()
      urlsOf.set(address.site, urls.add(url))
    },
    find(url) {
      const address = addresses.get(url)
      const urls = address && urlsOf.get(address.site)
      if (urls?.delete(url)) urls.add(url)
      return address
    },
    forget,
    forgetSite(site) {
      for (const url of urlsOf.get(site) ?? []) addresses.delete(url)
      urlsOf.delete(site)
    },
    keys: () => new Set([...addresses.values()].map(({ key }) => key)),
  }
}

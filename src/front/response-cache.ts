import { systemClock } from '../clock.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import type { CacheFields } from './cache-fields.ts'
import {
  createCachedUrls,
  sizeLimits,
  touch,
  type AskedUrl,
  type CachedOrigin,
  type CachedRepresentation,
  type CachedSite,
  type CachedUrl,
  type CachedUrls,
} from './cached-urls.ts'
import {
  deadlineAfter,
  timeUntil,
  type CachedResponse,
  type Deadline,
  type Times,
} from './cached-response.ts'
import { createRecentPurges, type Fetch, type RecentPurges } from './recent-purges.ts'

export const cacheLimits = {
  ...sizeLimits,
  maxUrlLength: 500,
  /** Uses of a URL within this time after another are not recorded. */
  touchMs: 1_000,
  /** Representations used within this time are fetched again when they change. */
  inUseMs: 60 * 60_000,
  /** Maximum number of recent purges, which also apply to responses that are still being fetched. */
  maxPurges: 20_000,
}

/** Returns the current time by the system's clock and by one that never jumps. */
export const systemTimes: Times = () => ({ at: systemClock.now(), elapsed: performance.now() })

type Purges = {
  /** Removes all URLs of a site, or those with one of the tags. They are never sent again. */
  readonly remove: (name: string, tags?: readonly string[]) => void
  readonly removeUrl: (key: string) => void
  /**
   * Marks the representations with these names or tags as outdated. They may still be sent for
   * `staleMs` while the worker is slow. Returns the ones that are in use.
   */
  readonly expire: (
    name: string,
    names: readonly string[],
    staleMs: number,
  ) => readonly CachedRepresentation[]
  /** Marks all of a server's responses as outdated, because it has exited. */
  readonly expireOrigin: (origin: CachedOrigin) => void
  /** Outdated responses may still be sent for `staleMs` while the site's server is slow. */
  readonly expireSite: (name: string, staleMs?: number) => void
  /** Like `expireSite`, but the site's responses must not be kept when it starts again. */
  readonly distrustSite: (name: string) => void
  readonly restart: (name: string, version: string, tags: readonly string[]) => void
}

/** A cached response to a request. */
export type Kept = {
  readonly kind: 'cached'
  readonly url: CachedUrl
  readonly response: CachedResponse
}

type Asked = { readonly asked: { readonly key: string }; readonly accept: AcceptEncoding }

type KeptResponses = {
  /** Returns the response for these encodings, which may be too old to be sent. */
  readonly kept: (asked: Asked) => Kept | undefined
  /** Returns a response that may be sent now. If `isSlow`, it may be stale. */
  readonly current: (asked: Asked, isSlow: boolean) => Kept | undefined
  /** Returns a response that may be sent without the worker, even if it was fetched for other encodings. */
  readonly ifError: (asked: Asked) => Kept | undefined
}

export type ResponseCache = Purges &
  KeptResponses & {
    /** Returns a URL that is still allowed. Unlike `find`, does not mark it as used. */
    readonly peek: (key: string) => CachedUrl | undefined
    /** Returns a URL that is still allowed at this time, and marks it as used. */
    readonly find: (key: string, now: Deadline) => CachedUrl | undefined
    readonly beginFetch: () => Fetch
    /**
     * Keeps a response, unless it has been removed since its fetch began. In that case, returns
     * undefined. A response that is too large is returned without being cached.
     */
    readonly store: (
      asked: AskedUrl,
      accept: AcceptEncoding,
      fetched: { readonly fields: CacheFields; readonly response: CachedResponse },
      fetch: Fetch,
    ) => CachedUrl | undefined
    readonly bytes: () => number
  }

/** Caches workers' responses by URL. Never contains removed responses. */
export function createResponseCache(times: Times, limits = cacheLimits): ResponseCache {
  const urls = createCachedUrls(times, limits)
  const { drop } = urls
  const purges = createRecentPurges(limits.maxPurges)

  function peek(key: string, now?: Deadline): CachedUrl | undefined {
    const url = urls.all.get(key)
    if (!url?.until || timeUntil(url.until, now ?? times()) > 0) return url
    drop(url)
    return undefined
  }

  const store: ResponseCache['store'] = (asked, accept, { fields, response }, fetch) => {
    const { site, tags, representation: name } = fields
    const names = [asked.key, ...['', name, ...tags].map((each) => purgeKey(site, each))]
    if (purges.isPurged('remove', names, fetch)) return undefined
    const now = times()
    if (purges.isPurged('expire', names, fetch) || !asked.origin.isFollowed()) {
      // The content may have changed, or may change unnoticed.
      response.freshUntil = now
      response.staleWhileRevalidateMs = 0
    }
    const remainingMs = (fields.until ?? Infinity) - now.at
    if (remainingMs <= 0) return undefined
    const until = Number.isFinite(remainingMs) ? deadlineAfter(now, remainingMs) : undefined
    const url = { ...asked, fields, until }
    const isKept =
      asked.key.length <= limits.maxUrlLength && response.body.length <= limits.maxBytes
    if (isKept) return urls.put(url, accept, response)
    const before = urls.all.get(asked.key)
    if (before) drop(before)
    return urls.unkept(url)
  }

  return {
    peek: (key) => peek(key),
    find(key, now) {
      const url = peek(key, now)
      if (!url) return undefined
      const { at } = now
      if (Math.abs(at - url.usedAt) >= limits.touchMs) touch(url, at)
      return url
    },
    ...keptResponses(peek, times),
    beginFetch: purges.beginFetch,
    store,
    ...purgesOf(urls, purges, { times, inUseMs: limits.inUseMs }),
    bytes: urls.bytes,
  }
}

/** Finds cached responses that may be sent. */
function keptResponses(peek: ResponseCache['peek'], times: Times): KeptResponses {
  function kept({ asked: { key }, accept }: Asked): Kept | undefined {
    const url = peek(key)
    const response = url?.representation.responses.get(accept)
    return url && response && { kind: 'cached', url, response }
  }

  /** Returns true if a response is outdated by at most `staleMs`. */
  const isWithin = ({ freshUntil }: CachedResponse, staleMs: number) =>
    timeUntil(freshUntil, times()) > -staleMs

  function current(asked: Asked, isSlow: boolean): Kept | undefined {
    const found = kept(asked)
    const staleMs = isSlow ? (found?.response.staleWhileRevalidateMs ?? 0) : 0
    return found && isWithin(found.response, staleMs) ? found : undefined
  }

  function ifError({ asked: { key }, accept }: Asked): Kept | undefined {
    const url = peek(key)
    if (!url) return undefined
    const { responses } = url.representation
    const codings = [...accept.split(', '), 'identity']
    const response = [responses.get(accept), ...responses.values()].find(
      (each) => each && codings.includes(each.coding) && isWithin(each, each.staleIfErrorMs),
    )
    return response && { kind: 'cached', url, response }
  }

  return { kept, current, ifError }
}

function purgesOf(
  urls: CachedUrls,
  purges: RecentPurges,
  { times, inUseMs }: { readonly times: Times; readonly inUseMs: number },
): Purges {
  const { sites, drop } = urls
  /** Version of the settings of each site that has started. */
  const versions = new Map<string, string>()

  function removeUrl(key: string): void {
    purges.note('remove', key)
    const url = urls.all.get(key)
    if (url) drop(url)
  }

  function remove(name: string, tags?: readonly string[]): void {
    for (const tag of tags ?? ['']) purges.note('remove', purgeKey(name, tag))
    if (!tags) versions.delete(name)
    const site = sites.get(name)
    if (!site) return
    const removed = tags ? tags.flatMap((tag) => taggedIn(site, tag)) : [...site.urls.values()]
    for (const url of removed) drop(url)
  }

  const expire: Purges['expire'] = (name, names, staleMs) => {
    for (const each of names) purges.note('expire', purgeKey(name, each))
    const site = sites.get(name)
    if (!site) return []
    const now = times()
    const expired = new Set(
      names.flatMap((each) => taggedIn(site, each).map((url) => url.representation)),
    )
    for (const representation of expired) expireAll(representation, now, staleMs)
    return [...expired].filter(({ usedAt }) => usedAt > now.at - inUseMs)
  }

  function expireOrigin(origin: CachedOrigin): void {
    const now = times()
    for (const { representation, origin: sender } of urls.all.values()) {
      if (sender === origin) expireAll(representation, now)
    }
  }

  function expireSite(name: string, staleMs?: number): void {
    purges.note('expire', purgeKey(name, ''))
    for (const representation of sites.get(name)?.representations.values() ?? []) {
      expireAll(representation, times(), staleMs)
    }
  }

  function distrustSite(name: string): void {
    expireSite(name, 0)
    versions.delete(name)
  }

  function restart(name: string, version: string, tags: readonly string[]): void {
    if (versions.get(name) === version) {
      expireSite(name)
      const known = sites.get(name)?.urlsByTag.keys() ?? []
      const others = [...known].filter((tag) => !tags.includes(tag))
      // Responses that are still being fetched may be from the site's previous process.
      purges.note('remove', purgeKey(name, ''))
      remove(name, others)
    } else remove(name)
    versions.set(name, version)
  }

  return { remove, removeUrl, expire, expireOrigin, expireSite, distrustSite, restart }
}

function expireAll({ responses }: CachedRepresentation, now: Deadline, staleMs = Infinity): void {
  for (const response of responses.values()) {
    response.staleWhileRevalidateMs = Math.min(response.staleWhileRevalidateMs, staleMs)
    if (timeUntil(response.freshUntil, now) > 0) response.freshUntil = now
  }
}

function taggedIn(site: CachedSite, name: string): readonly CachedUrl[] {
  const representation = site.representations.get(name)
  return [...(site.urlsByTag.get(name) ?? []), ...(representation?.urls ?? [])]
}

function purgeKey(site: string, name: string): string {
  return `${site}\n${name}`
}

import { systemClock } from '../../clock.ts'
import { contentCodings } from '../../representations/encodings.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import type { CacheFields } from './cache-fields.ts'
import type { Use } from './protocol.ts'
import {
  deadlineAfter,
  timeUntil,
  type CachedResponse,
  type Deadline,
  type Times,
} from './cached-response.ts'

export const cacheLimits = {
  /** Total of bodies, headers and URLs. */
  maxBytes: 256 * 1024 * 1024,
  /** Clients append tracking parameters, so the number of URLs is unlimited. */
  maxUrls: 60_000,
  maxUrlLength: 500,
  /** Memory for a URL in addition to its length, measured on the heap. */
  urlBytes: 1_200,
  responseBytes: 3_000,
  /** Uses of a URL within this time after another are not recorded. */
  touchMs: 1_000,
  /** Representations used within this time are fetched again when they change. */
  inUseMs: 60 * 60_000,
  /** Maximum number of recent purges, which also apply to responses that are still being fetched. */
  maxPurges: 20_000,
}

export type CachedOrigin = {
  readonly used: (use: Use) => void
  /** Returns false while purges of this server's responses may be lost. */
  readonly isFollowed: () => boolean
}

/** A request, without the client's conditions. */
export type AskedUrl = {
  readonly key: string
  readonly host: string
  readonly path: string
  readonly origin: CachedOrigin
}

export type CachedUrl = AskedUrl & {
  readonly fields: CacheFields
  readonly until: Deadline | undefined
  readonly representation: CachedRepresentation
  usedAt: number
}

export type CachedRepresentation = {
  readonly name: string
  readonly site: CachedSite
  readonly responses: Map<AcceptEncoding, CachedResponse>
  readonly urls: Set<CachedUrl>
  /** Latest time at which one of the URLs got other content, or 0. */
  changedAt: number
  usedAt: number
}

type CachedSite = {
  readonly name: string
  /** URLs, with the least recently used one first. */
  readonly urls: Map<string, CachedUrl>
  readonly representations: Map<string, CachedRepresentation>
  readonly urlsByTag: Map<string, Set<CachedUrl>>
  bytes: number
}

/** A fetch in progress. Its sequence number shows which purges came later. */
export type Fetch = Disposable & { readonly sequence: number }

export type ResponseCache = {
  /** Returns a URL that is still allowed. Unlike `find`, does not mark it as used. */
  readonly peek: (key: string) => CachedUrl | undefined
  /** Returns a URL that is still allowed, and marks it as used. */
  readonly find: (key: string) => CachedUrl | undefined
  readonly beginFetch: () => Fetch
  /**
   * Keeps a response, unless it has been removed since its fetch began. Returns undefined then. A
   * response that is too large is returned without being cached.
   */
  readonly store: (
    asked: AskedUrl,
    accept: AcceptEncoding,
    fetched: { readonly fields: CacheFields; readonly response: CachedResponse },
    fetch: Fetch,
  ) => CachedUrl | undefined
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
  readonly bytes: () => number
}

/** Returns the current time by the system's clock and by one that never jumps. */
export const systemTimes: Times = () => ({ at: systemClock.now(), elapsed: performance.now() })

/** Caches workers' responses by URL. Never contains removed responses. */
export function createResponseCache(times: Times, limits = cacheLimits): ResponseCache {
  const urls = new Map<string, CachedUrl>()
  const sites = new Map<string, CachedSite>()
  /** Version of the settings of each site that has started. */
  const versions = new Map<string, string>()
  /** Sequence of the latest purge of each kind and name, while responses are being fetched. */
  const purgedAt = new Map<string, number>()
  let sequence = 0
  let forgottenAt = 0
  let fetches = 0
  let bytes = 0

  function siteOf(name: string): CachedSite {
    const empty = { urls: new Map(), representations: new Map(), urlsByTag: new Map() }
    return sites.get(name) ?? { name, ...empty, bytes: 0 }
  }

  function charge(site: CachedSite, change: number): void {
    site.bytes += change
    bytes += change
  }

  const costOf = ({ key, fields }: CachedUrl) =>
    key.length + (fields.unknownParameters?.length ?? 0) + limits.urlBytes

  /** Counts a body that several responses share once. */
  function bytesOf({ responses }: CachedRepresentation): number {
    const bodies = new Set(responses.values().map(({ body }) => body))
    const bodyBytes = bodies.values().reduce((sum, { length }) => sum + length, 0)
    return bodyBytes + responses.size * limits.responseBytes
  }

  function drop(url: CachedUrl): void {
    const { representation } = url
    const { site } = representation
    if (urls.get(url.key) !== url) return
    urls.delete(url.key)
    site.urls.delete(url.key)
    charge(site, -costOf(url))
    for (const tag of url.fields.tags) {
      const tagged = site.urlsByTag.get(tag)
      tagged?.delete(url)
      if (tagged?.size === 0) site.urlsByTag.delete(tag)
    }
    representation.urls.delete(url)
    if (representation.urls.size === 0) {
      charge(site, -bytesOf(representation))
      site.representations.delete(representation.name)
    }
    if (site.urls.size + site.representations.size === 0) sites.delete(site.name)
  }

  /** Drops the least recently used URLs of the largest site until everything fits. */
  function makeRoom(): void {
    while (bytes > limits.maxBytes || urls.size > limits.maxUrls) {
      const sizeOf = (site: CachedSite) => (bytes > limits.maxBytes ? site.bytes : site.urls.size)
      const [first, ...others] = sites.values()
      if (!first) return
      const largest = others.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a), first)
      const [oldest] = largest.urls.values()
      if (!oldest) return
      drop(oldest)
    }
  }

  function notePurge(kind: 'expire' | 'remove', name: string): void {
    sequence += 1
    if (fetches === 0) return
    if (purgedAt.size >= limits.maxPurges) {
      purgedAt.clear()
      forgottenAt = sequence
    }
    purgedAt.set(`${kind} ${name}`, sequence)
  }

  function newRepresentation({ site, representation: name }: CacheFields): CachedRepresentation {
    const [responses, urls, usedAt] = [new Map(), new Set<CachedUrl>(), times().at]
    return { name, site: siteOf(site), responses, urls, changedAt: 0, usedAt }
  }

  function representationFor(fields: CacheFields): CachedRepresentation {
    const known = sites.get(fields.site)?.representations.get(fields.representation)
    if (known) return known
    const representation = newRepresentation(fields)
    sites.set(fields.site, representation.site)
    representation.site.representations.set(representation.name, representation)
    return representation
  }

  function add(url: CachedUrl): void {
    const { site } = url.representation
    urls.set(url.key, url)
    site.urls.set(url.key, url)
    charge(site, costOf(url))
    for (const tag of url.fields.tags) {
      site.urlsByTag.set(tag, (site.urlsByTag.get(tag) ?? new Set()).add(url))
    }
  }

  /** Adds a response. Responses with the same ETag share one body. */
  function put(
    representation: CachedRepresentation,
    accept: AcceptEncoding,
    response: CachedResponse,
  ): void {
    const { responses, site } = representation
    const before = bytesOf(representation)
    const [previous] = responses.values()
    const isNew = previous && !response.etagsFor(contentCodings).includes(previous.etag)
    // The previous bytes may have been sent as modified then, or when a URL changed.
    const sentAt = Math.max(Date.parse(previous?.lastModified ?? ''), representation.changedAt)
    if (isNew && Date.parse(response.lastModified) <= sentAt) {
      response.lastModified = new Date(times().at).toUTCString()
    }
    responses.delete(accept)
    const same = responses.values().find(({ etag }) => etag === response.etag)
    responses.set(accept, same ? { ...response, body: same.body } : response)
    charge(site, bytesOf(representation) - before)
  }

  function peek(key: string): CachedUrl | undefined {
    const url = urls.get(key)
    if (!url?.until || timeUntil(url.until, times()) > 0) return url
    drop(url)
    return undefined
  }

  function find(key: string): CachedUrl | undefined {
    const url = peek(key)
    if (!url) return undefined
    const { at } = times()
    if (Math.abs(at - url.usedAt) < limits.touchMs) return url
    const { representation } = url
    const { urls: order } = representation.site
    order.delete(key)
    order.set(key, url)
    url.usedAt = at
    representation.usedAt = at
    return url
  }

  function beginFetch(): Fetch {
    fetches += 1
    return {
      sequence,
      [Symbol.dispose]() {
        fetches -= 1
        if (fetches === 0) purgedAt.clear()
      },
    }
  }

  const store: ResponseCache['store'] = (asked, accept, { fields, response }, fetch) => {
    const { site, tags, representation: name } = fields
    const names = [asked.key, ...['', name, ...tags].map((each) => purgeKey(site, each))]
    const isPurged = (kind: 'expire' | 'remove') =>
      fetch.sequence < forgottenAt ||
      names.some((each) => fetch.sequence < (purgedAt.get(`${kind} ${each}`) ?? 0))
    if (isPurged('remove')) return undefined
    const now = times()
    if (isPurged('expire') || !asked.origin.isFollowed()) {
      // The content may have changed, or may change unnoticed.
      response.freshUntil = now
      response.staleWhileRevalidateMs = 0
    }
    const remainingMs = (fields.until ?? Infinity) - now.at
    if (remainingMs <= 0) return undefined
    const before = urls.get(asked.key)
    const until = Number.isFinite(remainingMs) ? deadlineAfter(now, remainingMs) : undefined
    if (asked.key.length > limits.maxUrlLength || response.body.length > limits.maxBytes) {
      if (before) drop(before)
      return { ...asked, fields, until, representation: newRepresentation(fields), usedAt: now.at }
    }
    const representation = representationFor(fields)
    const url: CachedUrl = { ...asked, fields, until, representation, usedAt: -Infinity }
    // Do this before the previous URL is dropped, so that the representation is not dropped with it.
    representation.urls.add(url)
    representation.changedAt = Math.max(representation.changedAt, fields.changedAt ?? 0)
    if (before) drop(before)
    add(url)
    put(representation, accept, response)
    makeRoom()
    return url
  }

  function removeUrl(key: string): void {
    notePurge('remove', key)
    const url = urls.get(key)
    if (url) drop(url)
  }

  function remove(name: string, tags?: readonly string[]): void {
    for (const tag of tags ?? ['']) notePurge('remove', purgeKey(name, tag))
    if (!tags) versions.delete(name)
    const site = sites.get(name)
    if (!site) return
    const removed = tags ? tags.flatMap((tag) => taggedIn(site, tag)) : [...site.urls.values()]
    for (const url of removed) drop(url)
  }

  const expire: ResponseCache['expire'] = (name, names, staleMs) => {
    for (const each of names) notePurge('expire', purgeKey(name, each))
    const site = sites.get(name)
    if (!site) return []
    const now = times()
    const expired = new Set(
      names.flatMap((each) => taggedIn(site, each).map((url) => url.representation)),
    )
    for (const representation of expired) expireAll(representation, now, staleMs)
    return [...expired].filter(({ usedAt }) => usedAt > now.at - limits.inUseMs)
  }

  function expireOrigin(origin: CachedOrigin): void {
    const now = times()
    for (const { representation, origin: sender } of urls.values()) {
      if (sender === origin) expireAll(representation, now)
    }
  }

  function expireSite(name: string, staleMs?: number): void {
    notePurge('expire', purgeKey(name, ''))
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
      notePurge('remove', purgeKey(name, ''))
      remove(name, others)
    } else remove(name)
    versions.set(name, version)
  }

  const purges = { remove, removeUrl, expire, expireOrigin, expireSite, distrustSite, restart }
  return { peek, find, beginFetch, store, ...purges, bytes: () => bytes }
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

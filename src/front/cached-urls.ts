import { contentCodings } from '../representations/encodings.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import type { CacheFields } from './cache-fields.ts'
import type { CachedResponse, Deadline, Times } from './cached-response.ts'
import type { Use } from './protocol.ts'

export type CachedOrigin = {
  readonly used: (use: Use, address: string) => void
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
  /** Total size of the responses. */
  bytes: number
}

export type CachedSite = {
  readonly name: string
  /** URLs, with the least recently used one first. */
  readonly urls: Map<string, CachedUrl>
  readonly representations: Map<string, CachedRepresentation>
  readonly urlsByTag: Map<string, Set<CachedUrl>>
  bytes: number
}

/** A URL before it gets a representation. */
type NewUrl = Omit<CachedUrl, 'representation' | 'usedAt'>

export type CachedUrls = {
  readonly all: ReadonlyMap<string, CachedUrl>
  readonly sites: ReadonlyMap<string, CachedSite>
  /** Total of bodies, headers and URLs. */
  readonly bytes: () => number
  readonly drop: (url: CachedUrl) => void
  /** Adds a response, in place of the URL's previous one. Drops others to make room. */
  readonly put: (url: NewUrl, accept: AcceptEncoding, response: CachedResponse) => CachedUrl
  /** Returns the URL for one response, without keeping it. */
  readonly unkept: (url: NewUrl) => CachedUrl
}

export const sizeLimits = {
  /** Total of bodies, headers and URLs. */
  maxBytes: 256 * 1024 * 1024,
  /** Clients append tracking parameters, so the number of URLs is unlimited. */
  maxUrls: 60_000,
  /** Memory for a URL in addition to its length, measured on the heap. */
  urlBytes: 1_200,
  responseBytes: 3_000,
}

/** Holds responses by URL, and finds URLs by site, representation and tag. */
export function createCachedUrls(times: Times, limits: typeof sizeLimits): CachedUrls {
  const all = new Map<string, CachedUrl>()
  const sites = new Map<string, CachedSite>()
  let bytes = 0

  function charge(site: CachedSite, change: number): void {
    site.bytes += change
    bytes += change
  }

  function drop(url: CachedUrl): void {
    const { representation } = url
    const { site } = representation
    if (all.get(url.key) !== url) return
    all.delete(url.key)
    site.urls.delete(url.key)
    charge(site, -costOf(url, limits))
    for (const tag of url.fields.tags) {
      const tagged = site.urlsByTag.get(tag)
      tagged?.delete(url)
      if (tagged?.size === 0) site.urlsByTag.delete(tag)
    }
    representation.urls.delete(url)
    if (representation.urls.size === 0) {
      charge(site, -representation.bytes)
      site.representations.delete(representation.name)
    }
    if (site.urls.size + site.representations.size === 0) sites.delete(site.name)
  }

  /** Drops the least recently used URLs of the largest site until everything fits. */
  function makeRoom(): void {
    while (bytes > limits.maxBytes || all.size > limits.maxUrls) {
      const sizeOf = (site: CachedSite) => (bytes > limits.maxBytes ? site.bytes : site.urls.size)
      const [first, ...others] = sites.values()
      if (!first) return
      const largest = others.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a), first)
      const [oldest] = largest.urls.values()
      if (!oldest) return
      drop(oldest)
    }
  }

  function newRepresentation({ site, representation: name }: CacheFields): CachedRepresentation {
    const empty = { urls: new Map(), representations: new Map(), urlsByTag: new Map(), bytes: 0 }
    const ofSite = sites.get(site) ?? { name: site, ...empty }
    const [responses, urls, usedAt] = [new Map(), new Set<CachedUrl>(), times().at]
    return { name, site: ofSite, responses, urls, changedAt: 0, usedAt, bytes: 0 }
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
    all.set(url.key, url)
    site.urls.set(url.key, url)
    charge(site, costOf(url, limits))
    for (const tag of url.fields.tags) {
      site.urlsByTag.set(tag, (site.urlsByTag.get(tag) ?? new Set()).add(url))
    }
  }

  return {
    all,
    sites,
    bytes: () => bytes,
    drop,
    put(added, accept, response) {
      const before = all.get(added.key)
      const representation = representationFor(added.fields)
      const url = { ...added, representation, usedAt: -Infinity }
      // Do this before the previous URL is dropped, so that the representation is not dropped with it.
      representation.urls.add(url)
      representation.changedAt = Math.max(representation.changedAt, added.fields.changedAt ?? 0)
      if (before) drop(before)
      add(url)
      addResponse(representation, accept, { response, now: times().at })
      const bytesBefore = representation.bytes
      representation.bytes = bytesOf(representation, limits)
      charge(representation.site, representation.bytes - bytesBefore)
      makeRoom()
      return url
    },
    unkept: (url) => ({
      ...url,
      representation: newRepresentation(url.fields),
      usedAt: times().at,
    }),
  }
}

/** Marks a URL as the most recently used one of its site. */
export function touch(url: CachedUrl, at: number): void {
  const { representation } = url
  const { urls: order } = representation.site
  order.delete(url.key)
  order.set(url.key, url)
  url.usedAt = at
  representation.usedAt = at
}

/** Adds a response to a representation. Responses with the same ETag share one body. */
function addResponse(
  { responses, changedAt }: CachedRepresentation,
  accept: AcceptEncoding,
  { response, now }: { readonly response: CachedResponse; readonly now: number },
): void {
  const [previous] = responses.values()
  const isNew =
    previous &&
    previous.etag !== response.etag &&
    !response.etagsFor(contentCodings).includes(previous.etag)
  // The previous bytes may have been sent as modified then, or when a URL changed.
  const sentAt = Math.max(Date.parse(previous?.lastModified ?? ''), changedAt)
  if (isNew && Date.parse(response.lastModified) <= sentAt) {
    response.lastModified = new Date(now).toUTCString()
  }
  responses.delete(accept)
  const same = responses.values().find(({ etag }) => etag === response.etag)
  responses.set(accept, same ? { ...response, body: same.body } : response)
}

function costOf({ key, fields }: CachedUrl, { urlBytes }: typeof sizeLimits): number {
  return key.length + (fields.unknownParameters?.length ?? 0) + urlBytes
}

/** Counts a body that several responses share once. */
function bytesOf(
  { responses }: CachedRepresentation,
  { responseBytes }: typeof sizeLimits,
): number {
  const bodies = new Set<Buffer>()
  let bytes = responses.size * responseBytes
  for (const { body } of responses.values()) {
    if (!bodies.has(body)) bytes += body.length
    bodies.add(body)
  }
  return bytes
}

import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Dispatcher } from 'undici'
import { exchange } from '../outgoing/exchange.ts'
import { Agent, limitedConnector } from '../outgoing/limited-connector.ts'
import { readPictureHeader } from './picture-header.ts'
import { isPublicAddress, publicLookup } from './public-ip.ts'

const limits = {
  timeoutMs: 15_000,
  maxBytes: 8 * 1024 * 1024,
  /** Maximum size of a response on the wire, including headers, chunk sizes and extensions. */
  maxResponseBytes: 16 * 1024 * 1024,
  maxRedirects: 3,
  freshMs: 60 * 60 * 1000,
  failedMs: 5 * 60 * 1000,
  maxCached: 1_000,
  maxConcurrent: 6,
  /** Maximum per host, so that a slow host does not block the others. Most pictures are on the website. */
  maxConcurrentOfHost: 2,
  maxConcurrentOfSite: 4,
  maxPending: 56,
  maxPendingOfHost: 40,
}

export type Picture = { readonly type: string; readonly bytes: Buffer }

export class PicturesBusy extends Error {
  override readonly name = 'PicturesBusy'
}

type HostQueue = { readonly limited: LimitFunction; pending: number }

type CacheEntry = { readonly at: number; readonly picture: Picture | undefined }

export type PictureSource = AsyncDisposable & {
  /** Resolves to undefined if there is no usable picture. Rejects only with `PicturesBusy`. */
  readonly fetch: (url: string) => Promise<Picture | undefined>
  /** Returns the type of a picture that has been fetched recently. */
  readonly typeOf: (url: string) => string | undefined
}

/**
 * Creates a source that fetches and caches pictures in records. It fetches only from the website, or over
 * https from public IP addresses. This also applies to redirects, because records may contain any URL.
 */
export function createPictureSource(options: {
  readonly siteUrl: string
  readonly caPem: string | undefined
  readonly now: () => number
  readonly maxKeptBytes: number
  /**
   * Looks up other hosts that may be trusted. By default, these are hosts with public IP addresses.
   */
  readonly elsewhere?: { readonly lookup: LookupFunction; readonly ca?: string }
}): PictureSource {
  const { siteUrl, caPem, now, maxKeptBytes } = options
  const common = {
    connections: limits.maxConcurrent,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
  }
  const connect = (more: Parameters<typeof limitedConnector>[0]) =>
    limitedConnector({ timeout: limits.timeoutMs, ...more }, limits.maxResponseBytes)
  const site = new Agent({ ...common, connect: connect({ caPem }) })
  const elsewhere = new Agent({
    ...common,
    connect: connect({ lookup: publicLookup, ...options.elsewhere }),
  })
  const minSize = Math.ceil(maxKeptBytes / limits.maxCached)
  const cache = new LRUCache<string, CacheEntry>({
    maxSize: maxKeptBytes,
    // Failures are cached too. Unlike `max`, a minimum size does not preallocate memory.
    sizeCalculation: ({ picture }) => Math.max(picture?.bytes.length ?? 0, minSize),
  })
  const inProgress = new Map<string, Promise<Picture | undefined>>()

  const limited = pLimit(limits.maxConcurrent)
  const hostQueues = new Map<string, HostQueue>()

  /** Queues a fetch. Returns undefined if too many requests are waiting. */
  function enqueue(url: string): Promise<Picture | undefined> | undefined {
    const origin = URL.parse(url)?.origin ?? ''
    const isSite = origin === siteUrl
    const maxOfHost = isSite ? limits.maxConcurrentOfSite : limits.maxConcurrentOfHost
    const queue = hostQueues.get(origin) ?? { limited: pLimit(maxOfHost), pending: 0 }
    if (inProgress.size >= limits.maxPending || queue.pending >= limits.maxPendingOfHost) {
      return undefined
    }
    hostQueues.set(origin, queue)
    queue.pending += 1
    return queue
      .limited(() => limited(() => loadAndCache(url)))
      .finally(() => {
        inProgress.delete(url)
        queue.pending -= 1
        if (queue.pending === 0) hostQueues.delete(origin)
      })
  }

  function dispatcherFor(url: URL): Dispatcher | undefined {
    if (url.origin === siteUrl) return site
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(host) !== 0 && !isPublicAddress(host) ? undefined : elsewhere
  }

  async function load(
    address: string,
    signal: AbortSignal,
    from?: URL,
    redirects = 0,
  ): Promise<Picture | undefined> {
    const url = new URL(address)
    const dispatcher = dispatcherFor(url)
    // Other hosts must not redirect to the website, which may be on a private network.
    const isForeignRedirect = dispatcher === site && from !== undefined && from.origin !== siteUrl
    if (!dispatcher || isForeignRedirect || redirects > limits.maxRedirects) return undefined
    const { received, abort } = exchange(
      dispatcher,
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { accept: 'image/webp,image/png,image/jpeg,image/gif' },
      },
      { maxBodyBytes: limits.maxBytes },
    )
    signal.addEventListener('abort', () => abort(new Error('aborted')), { once: true })
    const { status, headers, bytes } = await received
    const { location } = headers
    if (status >= 300 && status < 400 && typeof location === 'string') {
      return load(new URL(location, url).href, signal, url, redirects + 1)
    }
    const type = status === 200 ? readPictureHeader(bytes)?.type : undefined
    return type === undefined ? undefined : { type, bytes }
  }

  async function loadAndCache(url: string): Promise<Picture | undefined> {
    const picture = await load(url, AbortSignal.timeout(limits.timeoutMs)).catch(() => undefined)
    // An outdated picture is better than none.
    const shown = picture ?? cache.get(url)?.picture
    cache.set(url, { at: now(), picture: shown })
    return shown
  }

  return {
    fetch: async (url) => {
      const cached = cache.get(url)
      const freshMs = cached?.picture ? limits.freshMs : limits.failedMs
      if (cached && now() < cached.at + freshMs) return cached.picture
      const loading = inProgress.get(url)
      if (loading) return loading
      const started = enqueue(url)
      if (!started && cached?.picture) return cached.picture
      if (!started) throw new PicturesBusy(`too many pictures are waiting to fetch ${url}`)
      inProgress.set(url, started)
      return started
    },
    typeOf: (url) => cache.peek(url)?.picture?.type,
    async [Symbol.asyncDispose]() {
      await Promise.all([site.destroy(), elsewhere.destroy()])
    },
  }
}

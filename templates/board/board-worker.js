/*
 * Stores the board's page, scripts and pictures, so that a screen shows the board even if it starts
 * offline or while a proxy responds with errors.
 */

import './board-fallbacks.js'

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
const { scope } = worker.registration
const boards = `board ${scope}`
const pictures = `board pictures ${scope}`
const maxParts = 60
const maxPictures = 100
const answerWithinMs = 8_000

/** HTTP statuses that Feedhouse returns for unavailable boards. */
const over = [403, 404, 410]

/** @typedef {(work: Promise<unknown>) => void} WaitUntil Keeps the worker alive until the work is done. */
/** @typedef {ReadonlyMap<string, Response>} Parts By path. */

worker.addEventListener('install', () => void worker.skipWaiting())

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

/**
 * Returns a page's styles and scripts. Rejects if one is missing, because the page would not run.
 * @type {(cache: Cache, text: string) => Promise<Parts>}
 */
async function partsOf(cache, text) {
  const paths = Array.from(text.matchAll(/(?:href|src)="([^"]*)"/g), ([, path = '']) => path)
  const assets = paths.filter((path) => path.includes('/assets/'))
  const parts = await Promise.all(
    assets.map(async (path) => {
      const part = (await cache.match(path)) ?? (await fetch(path))
      // A replica with another version sends its own file, which must not be cached under this
      // path.
      const isCurrent = part.headers.get('Cache-Control') !== 'no-store'
      if (!part.ok || !isCurrent) throw new Error(`${path} is missing`)
      return /** @type {const} */ ([path, part])
    }),
  )
  return new Map(parts)
}

/**
 * Returns true for Feedhouse's page on a static host, which sends no identifying headers.
 * @type {(text: string) => boolean}
 */
function isStatic(text) {
  return text.includes('"source":"board/screen.json"')
}

/**
 * Stores a page with its parts, and removes parts of older pages.
 * @type {(cache: Cache, url: string, page: Response, parts: Parts) => Promise<void>}
 */
async function keep(cache, url, page, parts) {
  for (const [path, part] of parts) await cache.put(path, part)
  await cache.put(url, page)
  const keys = await cache.keys()
  if (keys.length <= maxParts) return
  for (const key of keys) {
    const { pathname } = new URL(key.url)
    if (pathname.includes('/assets/') && !parts.has(pathname)) await cache.delete(key)
  }
}

/**
 * Fetches the latest page, or returns the stored one if no complete page arrives in time.
 * @type {(url: string, waitUntil: WaitUntil) => Promise<Response>}
 */
async function page(url, waitUntil) {
  const cache = await caches.open(boards)
  const stored = await cache.match(url)
  try {
    const response = await fetch(url, {
      cache: 'no-cache',
      headers: { Accept: 'text/html' },
      signal: stored ? AbortSignal.timeout(answerWithinMs) : null,
    })
    const { status, headers } = response
    if (over.includes(status) && headers.has('Board-Time')) {
      await forget()
      // Once a feed link has ended, its boards never come back.
      if (status !== 403 && new URL(scope).pathname.includes('/l/')) {
        await worker.registration.unregister()
      }
      return response
    }
    // A proxy or a login page may respond in place of Feedhouse, even with status 200.
    if (!response.ok) return stored ?? response
    const text = await response.clone().text()
    if (!headers.has('Board-Version') && !isStatic(text)) return stored ?? response
    const parts = await partsOf(cache, text).catch(() => undefined)
    if (!parts) return stored ?? response
    const copy = response.clone()
    isForgotten = false
    waitUntil(keep(cache, url, copy, parts).catch(() => undefined))
    return response
  } catch {
    return stored ?? Response.error()
  }
}

/**
 * Returns an asset or picture, preferably from the cache, because its URL changes with its content.
 * @type {(request: Request, waitUntil: WaitUntil) => Promise<Response>}
 */
async function part(request, waitUntil) {
  const stored = await caches.match(request)
  if (stored) return stored
  const response = await fetch(request)
  if (response.ok && new URL(request.url).pathname.includes('/board/images/')) {
    waitUntil(keepPicture(request, response.clone()).catch(() => undefined))
  }
  return response
}

/** @type {(request: Request, picture: Response) => Promise<void>} */
async function keepPicture(request, picture) {
  const cache = await caches.open(pictures)
  await cache.put(request, picture)
  const keys = await cache.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - maxPictures))) await cache.delete(key)
  if (isForgotten) await forget()
}

/** True since a board's link ended. A picture that arrives later must not be stored again. */
let isForgotten = false

async function forget() {
  isForgotten = true
  await Promise.all([caches.delete(boards), caches.delete(pictures)])
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  /** @type {WaitUntil} */
  const waitUntil = (work) => event.waitUntil(work)
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && /\/board(?:\.html)?$/.test(pathname)) {
    event.respondWith(page(request.url, waitUntil))
  } else if (pathname.includes('/assets/') || pathname.includes('/board/images/')) {
    event.respondWith(part(request, waitUntil))
  }
})

/** Stores the page on request, because its first load happened before this worker was active. */
worker.addEventListener('message', (event) => {
  /** @type {WaitUntil} */
  const waitUntil = (work) => event.waitUntil(work)
  if (event.data?.keep) waitUntil(page(event.data.keep, waitUntil))
})

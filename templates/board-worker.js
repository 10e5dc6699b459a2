/*
 * Keeps the board, what it is made of and its pictures, so that a screen that starts without network,
 * or while something in between answers with an error, shows the board all the same.
 */

const { scope } = self.registration
const boards = `board ${scope}`
const pictures = `board pictures ${scope}`
const maxParts = 60
const maxPictures = 100
const answerWithinMs = 8_000

/** Answers that say, when they are Feedhouse's own, that there is nothing to be shown any more. */
const over = [403, 404, 410]

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** What a page names; without one of these it would stand still for ever. */
async function partsOf(cache, text) {
  const paths = [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+)"/g)].map(([, path]) => path)
  const parts = await Promise.all(
    paths.map(async (path) => {
      const part = (await cache.match(path)) ?? (await fetch(path))
      if (!part.ok) throw new Error(`no ${path}`)
      return [path, part]
    }),
  )
  return new Map(parts)
}

/** A static host adds no headers, so its page says by what it holds whose it is. */
function isStatic(text) {
  return text.includes('"source":"board/screen.json"')
}

async function keep(cache, request, page, parts) {
  for (const [path, part] of parts) await cache.put(path, part)
  await cache.put(request, page)
  const keys = await cache.keys()
  if (keys.length <= maxParts) return
  for (const key of keys) {
    const { pathname } = new URL(key.url)
    if (pathname.includes('/assets/') && !parts.has(pathname)) await cache.delete(key)
  }
}

/** The newest page there is; the kept one when no good one comes in time, or not whole. */
async function page(url, waitUntil) {
  const cache = await caches.open(boards)
  const kept = await cache.match(url)
  try {
    const signal = kept ? AbortSignal.timeout(answerWithinMs) : undefined
    const response = await fetch(url, {
      cache: 'no-cache',
      headers: { Accept: 'text/html' },
      signal,
    })
    const { status, headers } = response
    if (over.includes(status) && headers.has('Board-Time')) {
      await forget()
      // Below a feed link that has ended there is nothing left to do.
      if (status !== 403 && new URL(scope).pathname.includes('/l/')) {
        await self.registration.unregister()
      }
      return response
    }
    // Others may answer too, also that all is well.
    if (!response.ok) return kept ?? response
    const text = await response.clone().text()
    if (!headers.has('Board-Version') && !isStatic(text)) return kept ?? response
    const parts = await partsOf(cache, text).catch(() => undefined)
    if (!parts) return kept ?? response
    const copy = response.clone()
    waitUntil(keep(cache, url, copy, parts).catch(() => undefined))
    return response
  } catch {
    return kept ?? Response.error()
  }
}

/** What never changes at its address. */
async function part(request, waitUntil) {
  const kept = await caches.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok && new URL(request.url).pathname.includes('/board/images/')) {
    waitUntil(keepPicture(request, response.clone()).catch(() => undefined))
  }
  return response
}

async function keepPicture(request, picture) {
  const cache = await caches.open(pictures)
  await cache.put(request, picture)
  const keys = await cache.keys()
  for (const key of keys.slice(0, Math.max(0, keys.length - maxPictures))) await cache.delete(key)
}

async function forget() {
  await Promise.all([caches.delete(boards), caches.delete(pictures)])
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  const waitUntil = (work) => event.waitUntil(work)
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && /\/board(?:\.html)?$/.test(pathname)) {
    event.respondWith(page(request.url, waitUntil))
  } else if (pathname.includes('/assets/') || pathname.includes('/board/images/')) {
    event.respondWith(part(request, waitUntil))
  }
})

/** The page says when it is to be kept as it is now: at the first visit it came without this. */
self.addEventListener('message', (event) => {
  const waitUntil = (work) => event.waitUntil(work)
  if (event.data?.keep) event.waitUntil(page(event.data.keep, waitUntil))
})

/*
 * Manages what a browser stores for boards in Cache Storage, localStorage and service workers. When a
 * feed link ends, everything stored for it is removed.
 */

/** True in the form for new boards, whose previews don't store anything in the browser. */
export const isPreview = new URLSearchParams(location.search).has('preview')

/**
 * Returns null if nothing is stored.
 * @type {(storage: 'localStorage' | 'sessionStorage', key: string) => any}
 */
export function read(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key) ?? 'null')
  } catch {
    // Framed pages may not have access to storage.
    return null
  }
}

/**
 * Does nothing if the storage is full or unavailable.
 * @type {(storage: 'localStorage' | 'sessionStorage', key: string, value: unknown) => void}
 */
export function write(storage, key, value) {
  if (isPreview) return
  try {
    window[storage].setItem(key, JSON.stringify(value))
  } catch {
    // Stored data is optional.
  }
}

/**
 * Returns the feed link that a path starts with, if any. All names stored for the link contain it.
 * @type {(path: string) => string | undefined}
 */
export function linkPathIn(path) {
  return /^(?:\/[^/]+)?\/l\/[^/]+\//.exec(path)?.[0].toLowerCase()
}

/**
 * Removes everything stored for a feed link, except service workers.
 * @type {(link: string) => Promise<void>}
 */
export function removeCopies(link) {
  return removeNamed((name) => name.toLowerCase().includes(link))
}

/**
 * Removes everything stored for one board.
 * @param {string} name Its key in localStorage.
 */
export function removeBoard(name) {
  const scope = new URL('board', location.href).href
  return removeNamed((key) => key === name || key === `${name} at` || key.endsWith(` ${scope}`))
}

/** @type {(matches: (name: string) => boolean) => Promise<void>} */
async function removeNamed(matches) {
  try {
    for (const key of Object.keys(localStorage)) if (matches(key)) localStorage.removeItem(key)
  } catch {
    // Treat unavailable storage as empty.
  }
  // Cache Storage requires https.
  const names = (await window.caches?.keys()) ?? []
  await Promise.all(names.filter(matches).map((name) => caches.delete(name)))
}

/** @type {(link: string) => Promise<void>} */
export async function unregisterWorkers(link) {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(
    registrations
      .filter(({ scope }) => new URL(scope).pathname.toLowerCase().startsWith(link))
      .map((registration) => registration.unregister()),
  )
}

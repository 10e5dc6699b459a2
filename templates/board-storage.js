/*
 * Everything a browser stores of boards, in Cache Storage and localStorage, and their service workers.
 * When a feed link ends, everything below it is removed.
 */

/**
 * @param {'localStorage' | 'sessionStorage'} storage
 * @param {string} key
 * @returns {any} Null if nothing is stored.
 */
export function read(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key) ?? 'null')
  } catch {
    // Pages in frames may have no access to storage.
    return null
  }
}

/**
 * Does nothing if the storage is full or closed to pages in frames.
 * @param {'localStorage' | 'sessionStorage'} storage
 * @param {string} key
 * @param {unknown} value
 */
export function write(storage, key, value) {
  try {
    window[storage].setItem(key, JSON.stringify(value))
  } catch {
    // As above.
  }
}

/**
 * Returns the prefix of a path that is a feed link; the names of everything stored below it contain it.
 * @param {string} path
 */
export function linkPathIn(path) {
  return /^(?:\/[^/]+)?\/l\/[^/]+\//.exec(path)?.[0].toLowerCase()
}

/**
 * Removes everything stored below a feed link, except service workers.
 * @param {string} link
 */
export function removeCopies(link) {
  return removeNamed((name) => name.toLowerCase().includes(link))
}

/**
 * Removes everything stored for one board.
 * @param {string} name The name it is stored under in localStorage.
 */
export function removeBoard(name) {
  const scope = new URL('board', location.href).href
  return removeNamed((key) => key === name || key === `${name} at` || key.endsWith(` ${scope}`))
}

/** @param {(name: string) => boolean} isMeant */
async function removeNamed(isMeant) {
  try {
    for (const key of Object.keys(localStorage)) if (isMeant(key)) localStorage.removeItem(key)
  } catch {
    // Storage that is closed to pages in frames is empty.
  }
  // Without https there is no Cache Storage.
  const names = (await window.caches?.keys()) ?? []
  await Promise.all(names.filter(isMeant).map((name) => caches.delete(name)))
}

/** @param {string} link */
export async function unregisterWorkers(link) {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(
    registrations
      .filter(({ scope }) => new URL(scope).pathname.toLowerCase().startsWith(link))
      .map((registration) => registration.unregister()),
  )
}

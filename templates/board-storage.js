/*
 * What a browser keeps of boards below a feed link, in Cache Storage and localStorage, and their service
 * workers: all of it goes when the link ends.
 */

/** The part of a path that a feed link is, by which everything kept below it is named; or undefined. */
export function linkPathIn(path) {
  return /^(?:\/[^/]+)?\/l\/[^/]+\//.exec(path)?.[0].toLowerCase()
}

/** Removes everything that is kept below a feed link, but no service worker. */
export async function removeCopies(link) {
  const isBelow = (name) => name.toLowerCase().includes(link)
  try {
    for (const key of Object.keys(localStorage)) if (isBelow(key)) localStorage.removeItem(key)
  } catch {
    // Storage may be closed to pages in frames; then nothing is there.
  }
  const names = (await self.caches?.keys()) ?? []
  await Promise.all(names.filter(isBelow).map((name) => caches.delete(name)))
}

export async function unregisterWorkers(link) {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(
    registrations
      .filter(({ scope }) => new URL(scope).pathname.toLowerCase().startsWith(link))
      .map((registration) => registration.unregister()),
  )
}

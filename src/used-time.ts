import { LRUCache } from 'lru-cache'

/** Maximum number of networks and providers whose used time is remembered. */
const maxRemembered = 20_000

/**
 * Fraction of the time used by all of a provider's networks that counts for each of them. Otherwise,
 * a client with thousands of networks could always use one that has used no time.
 */
const providerPart = 1 / 8

/** How much of a shared thread's time each network has used recently, in milliseconds. */
export type UsedTime = {
  readonly of: (network: string, now: number) => number
  readonly add: (network: string, ms: number, now: number) => void
}

/** Used time decays by half in each half-life. Times are in milliseconds. */
export function createUsedTime(halfLifeMs: number): UsedTime {
  const used = new LRUCache<string, { readonly ms: number; readonly at: number }>({
    max: maxRemembered,
  })

  function usedBy(owner: string, now: number): number {
    const { ms, at } = used.get(owner) ?? { ms: 0, at: now }
    return ms * 0.5 ** ((now - at) / halfLifeMs)
  }

  return {
    of: (network, now) => usedBy(network, now) + providerPart * usedBy(providerOf(network), now),
    add(network, ms, now) {
      // An unknown network is its own provider.
      for (const owner of new Set([network, providerOf(network)])) {
        used.set(owner, { ms: usedBy(owner, now) + ms, at: now })
      }
    },
  }
}

/** Returns the key for a network's IPv4 /16 or IPv6 /32, which usually belongs to one provider. */
export const providerOf = (network: string) => network.replace(/[.:][^.:]*$/, '')

/** Removes and returns the entry with the lowest score, or the first of several. */
export function takeLowest<T>(entries: T[], scoreOf: (entry: T) => number): T | undefined {
  const scores = entries.map(scoreOf)
  return entries.splice(scores.indexOf(Math.min(...scores)), 1)[0]
}

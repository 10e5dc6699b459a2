import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import { TooManyRequests } from './errors.ts'
import { clientOf, networkOf } from '../front/client-address.ts'
import type { Excess } from '../front/rejections.ts'

/** Limits the entries of an LRU cache. Unlike `max`, does not preallocate memory for them. */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })

export const rememberedClients = upTo(10_000)

/** A client may send `burst` requests at once, and one more every `oneMoreMs`. */
type RateLimit = { readonly burst: number; readonly oneMoreMs: number }

/** A network, which one person can own, may send as many requests as this many clients. */
export const clientsPerNetwork = 10

/** Throws `TooManyRequests` if the client at an address, or its network, has exceeded its limit. */
export type ClientLimit = (address: string) => void

export function createClientLimit(
  ...options: Parameters<typeof createClientAllowance>
): ClientLimit {
  const allowed = createClientAllowance(...options)
  return (address) => allowed(address)()
}

/** The same, but a request only counts when the returned function is called. */
export function createClientAllowance(
  clock: TimeSource,
  { burst, oneMoreMs }: RateLimit,
  excess: Excess = 'too many variants',
): (address: string) => () => void {
  const ofClients = createAllowances(clock, { burst, oneMoreMs })
  const ofNetworks = createAllowances(clock, {
    burst: burst * clientsPerNetwork,
    oneMoreMs: oneMoreMs / clientsPerNetwork,
  })
  return (address) => {
    const allowances = [ofClients(clientOf(address)), ofNetworks(networkOf(address))]
    const waitMs = Math.max(...allowances.map((each) => each.waitMs))
    if (waitMs > 0) throw new TooManyRequests(excess, waitMs)
    return () => {
      for (const { take } of allowances) take()
    }
  }
}

/** Returns a function that returns how long the owner of a key must wait before taking one more. */
function createAllowances({ now }: TimeSource, { burst, oneMoreMs }: RateLimit) {
  /** Time at which each may again take a full burst. */
  const fullAt = new LRUCache<string, number>(rememberedClients)
  return (key: string) => {
    const at = now()
    const next = Math.max(at, fullAt.get(key) ?? at) + oneMoreMs
    return { waitMs: next - at - burst * oneMoreMs, take: () => void fullAt.set(key, next) }
  }
}

/**
 * Limits how many new variants, such as feeds with options, each client can request. Variants that
 * any client has requested recently are not new.
 */
export function createVariantLimit(
  clock: TimeSource,
  { maxRecent, ...limits }: RateLimit & { readonly maxRecent: number },
): (variant: string, address: string) => void {
  const recent = new LRUCache<string, true>(upTo(maxRecent))
  const limit = createClientLimit(clock, limits)
  return (variant, address) => {
    if (recent.get(variant)) return
    limit(address)
    recent.set(variant, true)
  }
}

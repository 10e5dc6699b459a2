import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../../clock.ts'
import { TooManyRequests } from '../responses/errors.ts'
import type { Excess } from './rejections.ts'

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
  clock: TimeSource,
  { burst, oneMoreMs }: RateLimit,
  excess: Excess = 'too many variants',
): ClientLimit {
  const ofClients = createAllowances(clock, { burst, oneMoreMs })
  const ofNetworks = createAllowances(clock, {
    burst: burst * clientsPerNetwork,
    oneMoreMs: oneMoreMs / clientsPerNetwork,
  })
  return (address) => {
    const allowances = [ofClients(clientOf(address)), ofNetworks(networkOf(address))]
    const waitMs = Math.max(...allowances.map((each) => each.waitMs))
    if (waitMs > 0) throw new TooManyRequests(excess, waitMs)
    for (const { take } of allowances) take()
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

/** Returns the key for a client: its IPv4 address, or its IPv6 /64, which belongs to a single client. */
export function clientOf(address: string): string {
  const { ipv4, ipv6 } = partsOf(address)
  return ipv6 ? ipv6.slice(0, 4).join(':') : ipv4
}

/** Returns the key for a client's network: its IPv4 /24 or IPv6 /48, which one person can own. */
export function networkOf(address: string): string {
  const { ipv4, ipv6 } = partsOf(address)
  return ipv6 ? ipv6.slice(0, 3).join(':') : ipv4.split('.').slice(0, 3).join('.')
}

/** Splits an IPv6 address into its groups, unless it stands for an IPv4 address. */
function partsOf(address: string): { readonly ipv4: string; readonly ipv6?: readonly string[] } {
  if (!isIPv6(address)) return { ipv4: address }
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (ipv4 !== undefined) return { ipv4 }
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0')
  return { ipv4: '', ipv6: [...groups, ...zeros, ...tailGroups] }
}

/** Headers of a request, and where it came from. */
type Received = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Returns the address of the client behind this many proxies, like Express's `trust proxy`. */
export function clientAddress({ headers, socket }: Received, proxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',')
  const addresses = forwarded.map((text) => text.trim()).filter((text) => text !== '')
  const all = [...addresses, socket.remoteAddress ?? '']
  return all.at(-1 - Math.min(proxies, addresses.length)) ?? ''
}

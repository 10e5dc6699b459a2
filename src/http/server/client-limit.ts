import { isIPv6 } from 'node:net'
import type { Clock } from '../../clock.ts'

const maxClients = 10_000

/** Rate limit per client. */
export type ClientLimit = {
  /** Returns undefined if allowed, else the wait in milliseconds. */
  readonly take: (address: string) => number | undefined
}

export function createClientLimit(
  clock: Pick<Clock, 'now'>,
  { maxConcurrent, oneMoreMs }: { readonly maxConcurrent: number; readonly oneMoreMs: number },
): ClientLimit {
  /** Time at which each client has its full burst again, in order of last use. */
  const fullAt = new Map<string, number>()
  return {
    take(address) {
      const client = clientOf(address)
      const now = clock.now()
      const next = Math.max(now, fullAt.get(client) ?? now) + oneMoreMs
      const waitMs = next - now - maxConcurrent * oneMoreMs
      if (waitMs > 0) return waitMs
      fullAt.delete(client)
      fullAt.set(client, next)
      const [oldest] = fullAt.size > maxClients ? fullAt.keys() : []
      if (oldest !== undefined) fullAt.delete(oldest)
      return undefined
    },
  }
}

/** Returns the /64 of an IPv6 address, which one client owns as a whole. */
export function clientOf(address: string): string {
  if (!isIPv6(address)) return address
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (ipv4 !== undefined) return ipv4
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0')
  return [...groups, ...zeros, ...tailGroups].slice(0, 4).join(':')
}

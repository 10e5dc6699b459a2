import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

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
  // Checking for a colon is faster than `isIPv6`.
  if (!address.includes(':') || !isIPv6(address)) return { ipv4: address }
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

/**
 * Returns the address of the client behind this many proxies, like Express's `trust proxy`. If the
 * header contains something else in its place, returns the address of the connection, because such text
 * must not become a key or count as another client.
 */
export function clientAddress({ headers, socket }: Received, proxies: number): string {
  const connected = socket.remoteAddress ?? ''
  if (proxies === 0) return connected
  // Runs for every request, so it creates no lists.
  let entry: string | undefined
  let rest = String(headers['x-forwarded-for'] ?? '')
  for (let left = proxies; left > 0 && rest !== '';) {
    const comma = rest.lastIndexOf(',')
    const last = rest.slice(comma + 1).trim()
    rest = rest.slice(0, Math.max(0, comma))
    if (last === '') continue
    entry = last
    left -= 1
  }
  return (entry === undefined ? undefined : addressIn(entry)) ?? connected
}

/** Returns the IP address in an entry of `X-Forwarded-For`. Some proxies add a port to it. */
function addressIn(entry: string): string | undefined {
  const address =
    isIP(entry) === 0 ? entry.replace(/\]?:\d{1,5}$|\]$/, '').replace(/^\[/, '') : entry
  if (isIP(address) === 0) return undefined
  // A zone of any length may follow an IPv6 address.
  return address.split('%', 1)[0]
}

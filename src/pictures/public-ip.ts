import { lookup } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'

/** Special-purpose addresses from IANA's registries. */
const specialIpv4 = blockListOf(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/3`,
)

/** Everything outside IPv6 global unicast, and the special-purpose ranges within it. */
const specialIpv6 = blockListOf(
  'ipv6',
  '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
)

function blockListOf(type: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList()
  for (const each of networks.split(/\s+/)) {
    const [network = '', prefix] = each.split('/')
    list.addSubnet(network, Number(prefix), type)
  }
  return list
}

export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return isPublicAddress(mapped)
  if (isIPv6(address)) return !specialIpv6.check(address, 'ipv6')
  return !specialIpv4.check(address, 'ipv4')
}

/** Looks up a host, returning only public addresses, so that connections use a verified address. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '')
    const usable = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = usable
    if (!first) return done(new Error(`${host} has no public address`), '')
    if (options.all) return done(null, usable)
    return done(null, first.address, first.family)
  })
}

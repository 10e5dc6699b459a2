import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from '../../src/front/client-address.ts'

test.for([
  [0, '192.0.2.9'],
  [1, '192.0.2.2'],
  [2, '192.0.2.1'],
  [3, '192.0.2.1'],
] as const)(
  'finds the client behind %s proxies, or the first known address',
  ([proxies, client]) => {
    const request = {
      headers: { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' },
      socket: { remoteAddress: '192.0.2.9' },
    } as unknown as IncomingMessage
    expect(clientAddress(request, proxies)).toBe(client)
  },
)

test.for([
  ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
  ['a port', '192.0.2.1:50211', '192.0.2.1'],
  ['brackets', '[2001:db8::1]', '2001:db8::1'],
  ['brackets and a port', '[2001:db8::1]:50211', '2001:db8::1'],
  ['a zone', `fe80::1%${'a'.repeat(1_000)}`, 'fe80::1'],
  ['a zone in brackets', '[fe80::1%eth0]:50211', 'fe80::1'],
  ['a name', 'unknown', '192.0.2.9'],
  ['a long text', 'a'.repeat(15_500), '192.0.2.9'],
  ['many dots', '.'.repeat(15_500), '192.0.2.9'],
  ['many colons', ':'.repeat(15_500), '192.0.2.9'],
] as const)('reads an entry with %s', ([, entry, client]) => {
  const request = {
    headers: { 'x-forwarded-for': `198.51.100.1, ${entry}` },
    socket: { remoteAddress: '192.0.2.9' },
  } as unknown as IncomingMessage
  expect(clientAddress(request, 1)).toBe(client)
})

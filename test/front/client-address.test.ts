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

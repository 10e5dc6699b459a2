import { expect, test } from 'vitest'
import { acceptedEncoding } from '../../src/http/accept-encoding.ts'
import { representationOf } from '../../src/representations/representation.ts'

const representation = representationOf(Buffer.from('a'.repeat(1000)), 'rss', 0)

test.for([
  { header: undefined, coding: 'identity' },
  { header: '', coding: 'identity' },
  { header: 'gzip', coding: 'gzip' },
  { header: 'x-gzip', coding: 'gzip' },
  { header: 'GZip', coding: 'gzip' },
  { header: 'gzip, deflate, br, zstd', coding: 'gzip' },
  { header: 'deflate', coding: 'identity' },
  { header: '*', coding: 'gzip' },
  { header: '*;q=0', coding: 'identity' },
  { header: 'gzip;q=0', coding: 'identity' },
  { header: 'gzip; q=0.000, *', coding: 'identity' },
  { header: 'gzip;q=0.001', coding: 'gzip' },
  { header: 'identity', coding: 'identity' },
  { header: 'identity;q=0', coding: 'identity' },
  { header: 'identity;q=0, gzip;q=0.1', coding: 'gzip' },
  { header: 'identity;q=0, *', coding: 'gzip' },
  { header: 'gzip;q=0.5, identity;q=0.8', coding: 'identity' },
  { header: 'gzip;q=0.5 , identity;q=0.5', coding: 'gzip' },
  { header: ',, gzip ; Q=1.0 ,', coding: 'gzip' },
  { header: 'gzip;q=2', coding: 'identity' },
  { header: 'gzip;q=often', coding: 'identity' },
  { header: 'gzipped', coding: 'identity' },
])('Accept-Encoding "$header" is answered with $coding', ({ header, coding }) => {
  expect(acceptedEncoding(header, representation).coding).toBe(coding)
})

test('what is not smaller compressed is sent as it is', () => {
  const small = representationOf(Buffer.from('a'), 'rss', 0)
  expect(acceptedEncoding('gzip, identity;q=0', small).coding).toBe('identity')
})

import { expect, test } from 'vitest'
import { acceptedCodings } from '../../src/front/accept-encoding.ts'

test.for([
  { header: undefined, codings: ['identity'] },
  { header: '', codings: ['identity'] },
  { header: 'gzip', codings: ['gzip', 'identity'] },
  { header: 'x-gzip', codings: ['gzip', 'identity'] },
  { header: 'GZip', codings: ['gzip', 'identity'] },
  { header: 'gzip, deflate, br, zstd', codings: ['br', 'gzip', 'identity'] },
  { header: 'deflate', codings: ['identity'] },
  { header: '*', codings: ['br', 'gzip', 'identity'] },
  { header: '*;q=0', codings: ['identity'] },
  { header: 'gzip;q=0', codings: ['identity'] },
  { header: 'gzip; q=0.000, *', codings: ['br', 'identity'] },
  { header: 'gzip;q=0.001', codings: ['gzip', 'identity'] },
  { header: 'br;q=0.2, gzip;q=0.9', codings: ['gzip', 'br', 'identity'] },
  { header: 'identity', codings: ['identity'] },
  { header: 'identity;q=0', codings: ['identity'] },
  { header: 'identity;q=0, gzip;q=0.1', codings: ['gzip'] },
  { header: 'identity;q=0, *', codings: ['br', 'gzip'] },
  { header: 'gzip, *;q=0', codings: ['gzip'] },
  { header: 'gzip;q=0.5, identity;q=0.8', codings: ['identity', 'gzip'] },
  { header: 'gzip;q=0.5 , identity;q=0.5', codings: ['gzip', 'identity'] },
  { header: ',, gzip ; Q=1.0 ,', codings: ['gzip', 'identity'] },
  { header: 'gzip;q=2', codings: ['identity'] },
  { header: 'gzip;q=often', codings: ['identity'] },
  { header: 'gzipped', codings: ['identity'] },
])('Accept-Encoding "$header" accepts $codings', ({ header, codings }) => {
  expect(acceptedCodings(header)).toEqual(codings)
  // The second call reads the cache.
  expect(acceptedCodings(header)).toEqual(codings)
})

test('parses any number of different Accept-Encoding headers', () => {
  for (let index = 0; index < 500; index += 1) {
    expect(acceptedCodings(`gzip;q=0.5, x${index}`)).toEqual(['gzip', 'identity'])
  }
})

test('parses only the start of a long Accept-Encoding header', () => {
  expect(acceptedCodings(`gzip${','.repeat(20_000)}br`)).toEqual(['gzip', 'identity'])
})

import { expect, test } from 'vitest'
import type { TooManyRequests } from '../../../src/http/responses/errors.ts'
import { createClientLimit } from '../../../src/http/server/client-limit.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function limitOf() {
  const clock = createFakeClock()
  const limit = createClientLimit(clock, { burst: 30, oneMoreMs: 2000 })
  /** Returns the wait in milliseconds, or undefined if the request is allowed. */
  const take = (address: string) => {
    try {
      limit(address)
      return undefined
    } catch (error) {
      return (error as TooManyRequests).retryAfterMs
    }
  }
  /** Returns how many requests are allowed immediately, up to a hundred. */
  const manyFor = (address: string) =>
    Array.from({ length: 100 }, () => take(address)).filter((waitMs) => waitMs === undefined).length
  return { clock, take, manyFor }
}

test('allows a burst of thirty requests, and then one request every two seconds', async () => {
  const { clock, take, manyFor } = limitOf()
  expect([manyFor('192.0.2.1'), take('192.0.2.1')]).toEqual([30, 2000])
  await clock.advance(1500)
  expect(take('192.0.2.1')).toBe(500)
  await clock.advance(500)
  expect(take('192.0.2.1')).toBeUndefined()
  expect(take('192.0.2.1')).toBe(2000)
  await clock.advance(60_000)
  expect(manyFor('192.0.2.1')).toBe(30)
})

test('limits each client separately', () => {
  const { manyFor } = limitOf()
  expect([manyFor('192.0.2.1'), manyFor('192.0.2.2')]).toEqual([30, 30])
})

test.for([
  { name: 'an IPv6 /64', addresses: ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'] },
  { name: 'the IPv6 loopback network', addresses: ['::1', '::2'] },
  { name: 'an IPv4 address mapped to IPv6', addresses: ['::ffff:192.0.2.1', '192.0.2.1'] },
])('counts $name as one client', ({ addresses }) => {
  const { manyFor } = limitOf()
  expect(addresses.map(manyFor)).toEqual([30, 0])
})

test.for([
  { name: 'different IPv6 networks', addresses: ['2001:db8:1:2::1', '2001:db8:1:3::1'] },
  { name: 'different abbreviated IPv6 networks', addresses: ['2001:db8::1', '2001:db9::1'] },
  {
    name: 'different IPv4 addresses mapped to IPv6',
    addresses: ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  },
])('counts $name as two clients', ({ addresses }) => {
  const { manyFor } = limitOf()
  expect(addresses.map(manyFor)).toEqual([30, 30])
})

test('remembers only the most recent clients', () => {
  const { take, manyFor } = limitOf()
  expect([manyFor('192.0.2.1'), manyFor('192.0.2.2')]).toEqual([30, 30])
  for (let index = 0; index < 9_999; index += 1) take(`198.51.${index >> 8}.${index & 255}`)
  expect([manyFor('192.0.2.2'), manyFor('192.0.2.1')]).toEqual([0, 30])
})

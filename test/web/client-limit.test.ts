import { expect, test } from 'vitest'
import type { TooManyRequests } from '../../src/web/errors.ts'
import { createClientLimit } from '../../src/web/client-limit.ts'
import { createFakeClock } from '../support/fake-clock.ts'

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

test.for([
  ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', 'one client', 0],
  ['::1', '::2', 'one client', 0],
  ['::ffff:192.0.2.1', '192.0.2.1', 'one client', 0],
  ['192.0.2.1', '192.0.2.2', 'two clients', 30],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 'two clients', 30],
  ['2001:db8::1', '2001:db9::1', 'two clients', 30],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', 'two clients', 30],
] as const)('counts %s and %s as %s', ([first, second, , allowed]) => {
  const { manyFor } = limitOf()
  expect([manyFor(first), manyFor(second)]).toEqual([30, allowed])
})

test.for([
  ['192.0.2', (client: number) => `192.0.2.${client}`, '198.51.100.1'],
  ['2001:db8:1', (client: number) => `2001:db8:1:${client}::1`, '2001:db8:2::1'],
] as const)('allows the network %s as much as ten clients', async ([, addressOf, other]) => {
  const { clock, take, manyFor } = limitOf()
  const clients = Array.from({ length: 20 }, (_, index) => manyFor(addressOf(index)))
  expect(clients).toEqual([...Array<number>(10).fill(30), ...Array<number>(10).fill(0)])
  expect(manyFor(other)).toBe(30)
  expect(take(addressOf(99))).toBe(200)
  await clock.advance(200)
  expect([take(addressOf(99)), take(addressOf(98))]).toEqual([undefined, 200])
})

test('remembers only the most recent clients', () => {
  const { take, manyFor } = limitOf()
  expect([manyFor('192.0.2.1'), manyFor('192.0.2.2')]).toEqual([30, 30])
  for (let index = 0; index < 9_999; index += 1) take(`198.51.${index >> 8}.${index & 255}`)
  expect([manyFor('192.0.2.2'), manyFor('192.0.2.1')]).toEqual([0, 30])
})

import { expect, test } from 'vitest'
import { createTryLimit } from '../../../src/http/admin/try-limit.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function limitOf() {
  const clock = createFakeClock()
  const limit = createTryLimit(clock, { ofClient: 5, ofAll: 60 })
  /** How many of so many tries may be made, each from an address of its own. */
  const manyFrom = (addresses: readonly string[]) =>
    addresses.filter((address) => limit.take(address) === undefined).length
  return { clock, ...limit, manyFrom }
}

const many = Array.from({ length: 100 }, (_, number) => number)

test('counts a /64 of IPv6 as one client', () => {
  const { manyFrom } = limitOf()
  expect(manyFrom(many.map((number) => `2001:db8:1:2::${number.toString(16)}`))).toBe(5)
})

test('allows the networks of a /48 sixty failures a minute in total', async () => {
  const { clock, manyFrom, take } = limitOf()
  const addresses = many.map((number) => `2001:db8:1:${number.toString(16)}::1`)
  expect(manyFrom(addresses)).toBe(60)
  expect(take('192.0.2.1')).toBe(60_000)
  await clock.advance(60_000)
  expect(take('192.0.2.1')).toBeUndefined()
})

test('successes do not count', () => {
  const { take, noteSuccess } = limitOf()
  for (const _ of many) {
    expect(take('192.0.2.1')).toBeUndefined()
    noteSuccess('192.0.2.1')
  }
})

test('strangers cannot lock out a client that succeeded before', () => {
  const { take, noteSuccess, manyFrom } = limitOf()
  take('192.0.2.1')
  noteSuccess('192.0.2.1')
  expect(manyFrom(many.map((number) => `198.51.100.${number}`))).toBe(60)
  expect(take('192.0.2.1')).toBeUndefined()
})

test('limits a known browser like a client, however many addresses it uses', () => {
  const { take } = limitOf()
  const tries = many.filter((number) => take(`198.51.100.${number}`, 'b') === undefined)
  expect(tries).toHaveLength(5)
})

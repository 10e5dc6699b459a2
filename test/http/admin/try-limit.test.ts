import { expect, test } from 'vitest'
import { createTryLimit } from '../../../src/http/admin/try-limit.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function limitOf() {
  const clock = createFakeClock()
  const limit = createTryLimit(clock, { ofClient: 5, ofAll: 60 })
  /** Makes one attempt from each address, and returns how many are allowed. */
  const manyFrom = (addresses: readonly string[]) =>
    addresses.filter((address) => limit.take(address) === undefined).length
  return { clock, ...limit, manyFrom }
}

const many = Array.from({ length: 100 }, (_, number) => number)

test('counts all addresses in an IPv6 /64 network as one client', () => {
  const { manyFrom } = limitOf()
  expect(manyFrom(many.map((number) => `2001:db8:1:2::${number.toString(16)}`))).toBe(5)
})

test('allows sixty failed attempts per minute across an IPv6 /48 network', async () => {
  const { clock, manyFrom, take } = limitOf()
  const addresses = many.map((number) => `2001:db8:1:${number.toString(16)}::1`)
  expect(manyFrom(addresses)).toBe(60)
  expect(take('192.0.2.1')).toBe(60_000)
  await clock.advance(60_000)
  expect(take('192.0.2.1')).toBeUndefined()
})

test('does not count successful attempts', () => {
  const { take, noteSuccess } = limitOf()
  for (const _ of many) {
    expect(take('192.0.2.1')).toBeUndefined()
    noteSuccess('192.0.2.1')
  }
})

test('does not let other clients lock out a client that has succeeded before', () => {
  const { take, noteSuccess, manyFrom } = limitOf()
  take('192.0.2.1')
  noteSuccess('192.0.2.1')
  expect(manyFrom(many.map((number) => `198.51.100.${number}`))).toBe(60)
  expect(take('192.0.2.1')).toBeUndefined()
})

test('limits a known browser as one client, regardless of its addresses', () => {
  const { take } = limitOf()
  const tries = many.filter((number) => take(`198.51.100.${number}`, 'b') === undefined)
  expect(tries).toHaveLength(5)
})

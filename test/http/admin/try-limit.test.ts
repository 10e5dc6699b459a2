import { expect, test } from 'vitest'
import { createTryLimit } from '../../../src/http/admin/try-limit.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function limitOf() {
  const clock = createFakeClock()
  const limit = createTryLimit(clock, { ofClient: 5, ofAll: 60 })
  /** Fails once from each address, if that is allowed. Returns how many attempts are allowed. */
  const failFrom = (addresses: readonly string[], browserId?: string) =>
    addresses.filter((address) => {
      const isAllowed = limit.waitMs(address, browserId) === 0
      if (isAllowed) limit.noteFailure(address, browserId)
      return isAllowed
    }).length
  return { clock, ...limit, failFrom }
}

const many = Array.from({ length: 100 }, (_, number) => number)

test('counts all addresses in an IPv6 /64 network as one client', () => {
  const { failFrom } = limitOf()
  expect(failFrom(many.map((number) => `2001:db8:1:2::${number.toString(16)}`))).toBe(5)
})

test('allows sixty failed attempts per minute across an IPv6 /48 network', async () => {
  const { clock, failFrom, waitMs } = limitOf()
  const addresses = many.map((number) => `2001:db8:1:${number.toString(16)}::1`)
  expect([failFrom(addresses), waitMs('192.0.2.1')]).toEqual([60, 60_000])
  await clock.advance(60_000)
  expect(waitMs('192.0.2.1')).toBe(0)
})

test('does not let other clients lock out a client that has succeeded before', () => {
  const { waitMs, noteSuccess, failFrom } = limitOf()
  noteSuccess('192.0.2.1')
  expect(failFrom(many.map((number) => `198.51.100.${number}`))).toBe(60)
  expect(waitMs('192.0.2.1')).toBe(0)
})

test('limits a known browser as one client, regardless of its addresses', () => {
  const addresses = many.map((number) => `198.51.100.${number}`)
  expect(limitOf().failFrom(addresses, 'b')).toBe(5)
})

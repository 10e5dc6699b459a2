import { expect, test } from 'vitest'
import { afterBounce, manyRefused, mostRefused } from '../../src/followers/refusal.ts'
import type { Follower } from '../../src/followers/follower.ts'
import { sampleFollower } from './follower.ts'

const dayMs = 24 * 60 * 60_000
const now = Date.parse('2026-03-09T12:00:00Z')

test.for(['5.1.1', '5.1.10', '5.2.1', '5.4.1'])(
  'rejects an address that does not exist after one bounce: %s',
  (status) => {
    const after = afterBounce(sampleFollower(), status, { now, mayReject: false })
    expect(after).toMatchObject({ id: 'a', rejectedAt: now })
    expect(after.address).toBeUndefined()
  },
)

/** Returns the number of days after which a follower is rejected, with a bounce every few hours. */
function daysOfBounces(hours: number, mayReject: boolean): number | undefined {
  let follower: Follower = sampleFollower()
  for (let passed = 0; passed < 90 * 24; passed += hours) {
    const options = { now: now + passed * 60 * 60_000, mayReject }
    follower = afterBounce(follower, '5.7.1', options)
    if (follower.rejectedAt !== undefined) return passed / 24
  }
  return undefined
}

test('rejects an address after bounces for other reasons on four days', () => {
  expect([1, 24, 7 * 24].map((hours) => daysOfBounces(hours, true))).toEqual([3, 3, 21])
  expect(daysOfBounces(31 * 24, true)).toBeUndefined()
  expect(daysOfBounces(24, false)).toBeUndefined()
})

const list = (count: number, refused: number, changed: Partial<Follower>) =>
  Array.from({ length: count }, (_, index) => sampleFollower(index < refused ? changed : {}))

test('counts refused followers only if there are many', () => {
  const failing = { failures: 9 }
  expect(manyRefused(list(20, 2, failing), now)).toBeUndefined()
  expect(manyRefused(list(20, 3, failing), now)).toBe(3)
  expect(manyRefused(list(31, 3, failing), now)).toBeUndefined()
  expect(manyRefused(list(20, 20, { failures: 8 }), now)).toBeUndefined()
  expect(manyRefused(list(20, 20, { ...failing, means: 'push' }), now)).toBeUndefined()
  expect(manyRefused(list(20, 20, { ...failing, rejectedAt: now }), now)).toBeUndefined()
  const bounced = (at: number) => list(20, 5, { bounced: { days: 1, at, status: '5.7.1' } })
  expect(manyRefused(bounced(now - 7 * dayMs), now)).toBe(5)
  expect(manyRefused(bounced(now - 8 * dayMs), now)).toBeUndefined()
})

test.for([
  ['5.0.0', undefined],
  ['5.1.1', undefined],
  ['5.1.8', 9],
  ['5.2.2', undefined],
  ['4.4.7', undefined],
  ['5.3.4', 9],
  ['5.7.26', 9],
] as const)('suspects the sender only if the reason may be the sender: %s', ([status, many]) => {
  const bounced = { bounced: { days: 1, at: now, status } }
  expect(manyRefused(list(20, 9, bounced), now)).toBe(many)
  // If half of all emails bounce, it is the sender after all.
  expect(manyRefused(list(20, 10, bounced), now)).toBe(10)
})

const devices = (count: number, refused: number, lastSentAt = 1) =>
  Array.from({ length: count }, (_, index) =>
    sampleFollower({ means: 'push', lastSentAt, failures: index < refused ? 2 : 1 }),
  )

test('finds that a push service refuses most devices', () => {
  expect(mostRefused([])).toBeUndefined()
  expect(mostRefused(devices(4, 2))).toBeUndefined()
  expect(mostRefused(devices(4, 3))).toEqual({ refused: 3, devices: 4 })
  expect(mostRefused(devices(1, 1))).toEqual({ refused: 1, devices: 1 })
})

test('ignores devices without a message if others have got one, and a single one otherwise', () => {
  expect(mostRefused([...devices(3, 0), ...devices(50, 50, 0)])).toBeUndefined()
  expect(mostRefused([...devices(3, 2), ...devices(50, 0, 0)])).toEqual({ refused: 2, devices: 3 })
  expect(mostRefused(devices(1, 1, 0))).toBeUndefined()
  expect(mostRefused(devices(2, 2, 0))).toEqual({ refused: 2, devices: 2 })
})

import { expect, test } from 'vitest'
import { onEveryStore, onSeveralRedisServers, storesAt, type Place } from '../support/stores.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Tests leases on every kind of store. */
function leasesSuite(placeOf: () => Place): void {
  const storesOf = (count: number) => storesAt(placeOf(), count)

  test('has one holder at a time until it is released', async () => {
    const { store, other } = await storesOf(2)
    expect(await store.leases.take('reading', 'a', minuteMs)).toBe(true)
    expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
    expect(await other.leases.take('something else', 'b', minuteMs)).toBe(true)
    await other.leases.release('reading', 'b')
    expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
    await store.leases.release('reading', 'a')
    expect(await other.leases.take('reading', 'b', minuteMs)).toBe(true)
  })

  test('expires after its time to live', async () => {
    const { store, other, clock } = await storesOf(2)
    await store.leases.take('reading', 'a', minuteMs)
    await clock.advance(minuteMs - 1)
    expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
    await clock.advance(1)
    expect(await other.leases.take('reading', 'b', minuteMs)).toBe(true)
  })

  test('is renewed when its holder acquires it again', async () => {
    const { store, other, clock } = await storesOf(2)
    await store.leases.take('reading', 'a', minuteMs)
    await clock.advance(50_000)
    expect(await store.leases.take('reading', 'a', minuteMs)).toBe(true)
    await clock.advance(50_000)
    expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
  })

  test('is acquired by only one of many concurrent callers', async () => {
    const { stores } = await storesOf(3)
    const outcomes = await Promise.all(
      stores.map((store, index) => store.leases.take('reading', `holder ${index}`, minuteMs)),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })

  test('is ignored if it was acquired while the clock was ahead', async () => {
    const { store, clock, open } = await storesOf(1)
    const ahead = await open(() => clock.now() + 365 * dayMs)
    await ahead.leases.take('reading', 'a', minuteMs)
    expect(await store.leases.take('reading', 'b', minuteMs)).toBe(true)
  })
}

onEveryStore(leasesSuite)
onSeveralRedisServers(leasesSuite)

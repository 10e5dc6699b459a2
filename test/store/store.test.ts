import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '../../src/clock.ts'
import { loadChanges } from '../../src/store/store.ts'
import { anyCharacter } from '../support/hostile-text.ts'
import { onEveryStore, onSeveralRedisServers, storesAt, type Place } from '../support/stores.ts'

const at = (...instants: readonly number[]) =>
  new Map(instants.map((instant) => [randomUUID(), instant]))

/** Tests every kind of store. `placeOf` returns an empty location for a store. */
function storeSuite(placeOf: () => Place): void {
  const storesOf = (count: number) => storesAt(placeOf(), count)

  describe('the document store', () => {
    const note = { bucket: 'notes', id: 'a', value: 'first' }

    test('makes writes visible to other replicas and after the store is reopened', async () => {
      const { store, other, open } = await storesOf(2)
      expect(await store.documents.get('notes', 'a')).toBeUndefined()
      expect(await store.documents.write([note])).toBe(true)
      const found = { value: 'first', revision: 1 }
      expect(await other.documents.get('notes', 'a')).toEqual(found)
      expect(await (await open()).documents.get('notes', 'a')).toEqual(found)
    })

    test('increments the revision with each write', async () => {
      const { store } = await storesOf(1)
      for (const value of ['x', 'x', 'y']) await store.documents.write([{ ...note, value }])
      expect(await store.documents.get('notes', 'a')).toEqual({ value: 'y', revision: 3 })
    })

    test('returns any string unchanged', async () => {
      const { store } = await storesOf(1)
      const texts = fc.string({ unit: anyCharacter, maxLength: 200 })
      await fc.assert(
        fc.asyncProperty(texts, texts, async (id, value) => {
          await store.documents.write([{ bucket: 'any', id: `id${id}`, value }])
          expect((await store.documents.get('any', `id${id}`))?.value).toBe(value)
        }),
        { numRuns: 100 },
      )
    })

    test('returns a string of five million characters unchanged', async () => {
      const { store, other } = await storesOf(2)
      const value = 'Übung 7 — '.repeat(500_000)
      await store.documents.write([{ ...note, value }])
      expect((await other.documents.get('notes', 'a'))?.value === value).toBe(true)
    })

    test('separates buckets', async () => {
      const { store } = await storesOf(1)
      await store.documents.write([
        note,
        { bucket: 'notes', id: 'b', value: '2' },
        { bucket: 'notes2', id: 'c', value: '3' },
      ])
      const all = await store.documents.all('notes')
      expect(Object.fromEntries(all)).toEqual({
        a: { value: 'first', revision: 1 },
        b: { value: '2', revision: 1 },
      })
      expect((await store.documents.all('nothing')).size).toBe(0)
    })

    test('deletes documents and restarts their revisions', async () => {
      const { store } = await storesOf(1)
      await store.documents.write([note])
      await store.documents.write([{ ...note, value: undefined }])
      expect(await store.documents.get('notes', 'a')).toBeUndefined()
      await store.documents.write([note])
      expect(await store.documents.get('notes', 'a')).toMatchObject({ revision: 1 })
    })

    test('writes several documents atomically', async () => {
      const { store } = await storesOf(1)
      await store.documents.write([note])
      const others = [
        { bucket: 'notes', id: 'b', value: 'b' },
        { bucket: 'more', id: 'c', value: 'c' },
        { bucket: 'notes', id: 'a', value: undefined },
      ]
      const expected = { bucket: 'notes', id: 'a' }
      expect(await store.documents.write(others, { ...expected, revision: 7 })).toBe(false)
      expect((await store.documents.all('more')).size).toBe(0)
      expect((await store.documents.all('notes')).size).toBe(1)
      expect(await store.documents.write(others, { ...expected, revision: 1 })).toBe(true)
      expect([...(await store.documents.all('notes')).keys()]).toEqual(['b'])
      expect([...(await store.documents.all('more')).keys()]).toEqual(['c'])
    })

    test('lets only one writer succeed if several writers expect the same revision', async () => {
      const { stores } = await storesOf(3)
      const expected = { bucket: 'notes', id: 'a', revision: 0 }
      const outcomes = await Promise.all(
        stores.map((store, index) =>
          store.documents.write([{ ...note, value: `by ${index}` }], expected),
        ),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
    })

    test('treats expired documents as missing, even in write conditions, and restarts their revisions', async () => {
      const { store, clock } = await storesOf(1)
      const expiresAt = clock.now() + minuteMs
      await store.documents.write([
        { ...note, expiresAt },
        { ...note, id: 'stays' },
      ])
      await clock.advance(minuteMs - 1)
      expect(await store.documents.get('notes', 'a')).toBeDefined()
      await clock.advance(1)
      expect(await store.documents.get('notes', 'a')).toBeUndefined()
      expect([...(await store.documents.all('notes')).keys()]).toEqual(['stays'])
      const expected = { bucket: 'notes', id: 'a' }
      expect(await store.documents.write([note], { ...expected, revision: 1 })).toBe(false)
      expect(await store.documents.write([note], { ...expected, revision: 0 })).toBe(true)
      expect(await store.documents.get('notes', 'a')).toMatchObject({ revision: 1 })
    })
  })

  describe('windows', () => {
    const perMinute = { windowMs: minuteMs, max: 3 }

    test('allow as many events as the limit across all replicas', async () => {
      const { store, other, clock } = await storesOf(2)
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ ok: true, used: [1] })
      await clock.advance(10_000)
      expect(await other.windows.take('calls', [perMinute])).toMatchObject({ ok: true, used: [2] })
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ ok: true, used: [3] })
      await clock.advance(5_000)
      const refused = { ok: false, retryAfterMs: 45_000 }
      expect(await other.windows.take('calls', [perMinute])).toEqual(refused)
      expect(await store.windows.count('calls', minuteMs)).toBe(3)
    })

    test('slide with time', async () => {
      const { store, clock } = await storesOf(1)
      for (const _ of [1, 2, 3]) {
        await store.windows.take('calls', [perMinute])
        await clock.advance(10_000)
      }
      await clock.advance(minuteMs - 30_000 - 1)
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ retryAfterMs: 1 })
      await clock.advance(1)
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ ok: true })
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ retryAfterMs: 10_000 })
    })

    test('return the longest of the waits that several limits require', async () => {
      const { store, clock } = await storesOf(1)
      const limits = [perMinute, { windowMs: dayMs, max: 4 }]
      for (const _ of [1, 2, 3, 4]) {
        expect(await store.windows.take('calls', limits)).toMatchObject({ ok: true })
        await clock.advance(minuteMs)
      }
      const refused = { ok: false, retryAfterMs: dayMs - 4 * minuteMs }
      expect(await store.windows.take('calls', limits)).toEqual(refused)
    })

    test('do not exceed the limit with concurrent events', async () => {
      const { stores } = await storesOf(3)
      const takes = stores.flatMap((store) =>
        Array.from({ length: 10 }, () => store.windows.take('calls', [perMinute])),
      )
      expect((await Promise.all(takes)).filter(({ ok }) => ok)).toHaveLength(3)
    })

    test('allow no events with a limit of zero', async () => {
      const { store } = await storesOf(1)
      const refused = { ok: false, retryAfterMs: minuteMs }
      const none = { windowMs: minuteMs, max: 0 }
      expect(await store.windows.take('calls', [none])).toEqual(refused)
    })

    test('do not count released events', async () => {
      const { store, other } = await storesOf(2)
      const taken = await store.windows.take('calls', [perMinute])
      await other.windows.release('calls', taken.ok ? taken.id : '')
      expect(await store.windows.count('calls', minuteMs)).toBe(0)
      await other.windows.release('calls', '12345')
    })

    test('count added events at the times when they happened', async () => {
      const { store, clock } = await storesOf(1)
      await store.windows.add('calls', at(clock.now() - 50_000, clock.now() - 40_000, clock.now()))
      await store.windows.add('calls', at())
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ retryAfterMs: 10_000 })
      expect(await store.windows.count('calls', 45_000)).toBe(2)
    })

    test('do not count an event with the same id twice', async () => {
      const { store, clock } = await storesOf(1)
      const taken = await store.windows.take('calls', [perMinute])
      const id = taken.ok ? taken.id : ''
      await clock.advance(10_000)
      await store.windows.add('calls', new Map([[id, clock.now()]]))
      expect(await store.windows.count('calls', minuteMs)).toBe(1)
      expect(await store.windows.count('calls', 5_000)).toBe(0)
    })

    test('are separate if their names differ', async () => {
      const { store, clock } = await storesOf(1)
      await store.windows.add('calls', at(clock.now(), clock.now(), clock.now()))
      expect(await store.windows.take('others', [perMinute])).toMatchObject({ ok: true, used: [1] })
    })

    test('do not block events after a clock that was ahead is corrected', async () => {
      const { store, clock } = await storesOf(1)
      const aYear = clock.now() + 365 * dayMs
      await store.windows.add('calls', at(aYear, aYear + 1, aYear + 2))
      const refused = { ok: false, retryAfterMs: minuteMs }
      expect(await store.windows.take('calls', [perMinute])).toEqual(refused)
      await clock.advance(minuteMs)
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ ok: true })
    })
  })

  describe('a lease', () => {
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
  })
}

onEveryStore(storeSuite)
onSeveralRedisServers(storeSuite)

test.for([
  { name: 'can tell whether it has changed', versions: ['1', '1', '2', '2'], loads: [1, 1, 2, 2] },
  { name: 'cannot tell', versions: [undefined, undefined], loads: [1, 2] },
])('changes are loaded from a store that $name', async ({ versions, loads }) => {
  let [count, version] = [0, '' as string | undefined]
  const load = loadChanges({ version: () => version }, async () => {
    count += 1
    return true
  })
  const counts: number[] = []
  for (version of versions) {
    await load()
    counts.push(count)
  }
  expect(counts).toEqual(loads)
})

test('changes that could not be loaded are loaded at the next attempt', async () => {
  const results = [false, new Error('down'), true]
  const load = loadChanges({ version: () => '1' }, async () => {
    const [result] = results.splice(0, 1)
    if (result instanceof Error) throw result
    return result === true
  })
  await load()
  await expect(load()).rejects.toThrow('down')
  await load()
  expect(results).toEqual([])
  expect(load()).toBeUndefined()
})

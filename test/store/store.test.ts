import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openRedisStore } from '../../src/store/redis-store.ts'
import { openSqliteStore } from '../../src/store/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { redisIsMissing, startRedis, type RedisServer } from '../support/redis.ts'
import { temporaryDirectory } from '../support/service.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type Place = { readonly open: (now: () => number) => Promise<Store> }

/** What every store does, whatever it is made of; `placeOf` names an empty place to keep things. */
function storeSuite(placeOf: () => Place): void {
  /** Stores on one place, as replicas have them, on one clock. */
  async function storesOf(count: number) {
    const clock = createFakeClock()
    const place = placeOf()
    const open = async (now = clock.now) => {
      const store = await place.open(now)
      onTestFinished(() => store[Symbol.asyncDispose]())
      return store
    }
    const store = await open()
    const stores = [store]
    while (stores.length < count) stores.push(await open())
    return { clock, stores, open, store, other: stores.at(-1) ?? store }
  }

  describe('documents', () => {
    const note = { bucket: 'notes', id: 'a', value: 'first' }

    test('what is written is there, for others and for a later opening too', async () => {
      const { store, other, open } = await storesOf(2)
      expect(await store.documents.get('notes', 'a')).toBeUndefined()
      expect(await store.documents.write([note])).toBe(true)
      const found = { value: 'first', revision: 1 }
      expect(await other.documents.get('notes', 'a')).toEqual(found)
      expect(await (await open()).documents.get('notes', 'a')).toEqual(found)
    })

    test('each write is one revision more', async () => {
      const { store } = await storesOf(1)
      for (const value of ['x', 'x', 'y']) await store.documents.write([{ ...note, value }])
      expect(await store.documents.get('notes', 'a')).toEqual({ value: 'y', revision: 3 })
    })

    test('any text comes back as it was', async () => {
      const { store } = await storesOf(1)
      const texts = fc.string({ unit: 'binary', maxLength: 200 })
      await fc.assert(
        fc.asyncProperty(texts, texts, async (id, value) => {
          await store.documents.write([{ bucket: 'any', id: `id${id}`, value }])
          expect((await store.documents.get('any', `id${id}`))?.value).toBe(value)
        }),
        { numRuns: 100 },
      )
    })

    test('five million characters come back as they were', async () => {
      const { store, other } = await storesOf(2)
      const value = 'Übung 7 — '.repeat(500_000)
      await store.documents.write([{ ...note, value }])
      expect((await other.documents.get('notes', 'a'))?.value === value).toBe(true)
    })

    test('a bucket has its own documents and no others', async () => {
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

    test('what is deleted is gone, and begins anew', async () => {
      const { store } = await storesOf(1)
      await store.documents.write([note])
      await store.documents.write([{ ...note, value: undefined }])
      expect(await store.documents.get('notes', 'a')).toBeUndefined()
      await store.documents.write([note])
      expect(await store.documents.get('notes', 'a')).toMatchObject({ revision: 1 })
    })

    test('several documents are written all or not at all', async () => {
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

    test('of those who change the same revision one alone succeeds', async () => {
      const { stores } = await storesOf(3)
      const expected = { bucket: 'notes', id: 'a', revision: 0 }
      const outcomes = await Promise.all(
        stores.map((store, index) =>
          store.documents.write([{ ...note, value: `by ${index}` }], expected),
        ),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
    })

    test('what has expired is gone, also for who expects it, and begins anew', async () => {
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
    const perMinute = { windowMs: minuteMs, most: 3 }

    test('as many happen as the limit allows, counted over all replicas', async () => {
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

    test('the window slides', async () => {
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

    test('the longest wait of several limits counts', async () => {
      const { store, clock } = await storesOf(1)
      const limits = [perMinute, { windowMs: dayMs, most: 4 }]
      for (const _ of [1, 2, 3, 4]) {
        expect(await store.windows.take('calls', limits)).toMatchObject({ ok: true })
        await clock.advance(minuteMs)
      }
      const refused = { ok: false, retryAfterMs: dayMs - 4 * minuteMs }
      expect(await store.windows.take('calls', limits)).toEqual(refused)
    })

    test('of those who come at once as many happen as there is room for', async () => {
      const { stores } = await storesOf(3)
      const takes = stores.flatMap((store) =>
        Array.from({ length: 10 }, () => store.windows.take('calls', [perMinute])),
      )
      expect((await Promise.all(takes)).filter(({ ok }) => ok)).toHaveLength(3)
    })

    test('a limit of none lets nothing happen', async () => {
      const { store } = await storesOf(1)
      const refused = { ok: false, retryAfterMs: minuteMs }
      const none = { windowMs: minuteMs, most: 0 }
      expect(await store.windows.take('calls', [none])).toEqual(refused)
    })

    test('what is given back did not happen', async () => {
      const { store, other } = await storesOf(2)
      const taken = await store.windows.take('calls', [perMinute])
      await other.windows.giveBack('calls', taken.ok ? taken.id : '')
      expect(await store.windows.count('calls', minuteMs)).toBe(0)
      await other.windows.giveBack('calls', '12345')
    })

    test('happenings of other times count at their times', async () => {
      const { store, clock } = await storesOf(1)
      await store.windows.add('calls', [clock.now() - 50_000, clock.now() - 40_000, clock.now()])
      await store.windows.add('calls', [])
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ retryAfterMs: 10_000 })
      expect(await store.windows.count('calls', 45_000)).toBe(2)
    })

    test('each name has its own', async () => {
      const { store, clock } = await storesOf(1)
      await store.windows.add('calls', [clock.now(), clock.now(), clock.now()])
      expect(await store.windows.take('others', [perMinute])).toMatchObject({ ok: true, used: [1] })
    })

    test('a clock that was ahead does not block once it is right', async () => {
      const { store, clock } = await storesOf(1)
      const aYear = clock.now() + 365 * dayMs
      await store.windows.add('calls', [aYear, aYear + 1, aYear + 2])
      const refused = { ok: false, retryAfterMs: minuteMs }
      expect(await store.windows.take('calls', [perMinute])).toEqual(refused)
      await clock.advance(minuteMs)
      expect(await store.windows.take('calls', [perMinute])).toMatchObject({ ok: true })
    })
  })

  describe('leases', () => {
    test('one holder at a time, until it lets go', async () => {
      const { store, other } = await storesOf(2)
      expect(await store.leases.take('reading', 'a', minuteMs)).toBe(true)
      expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
      expect(await other.leases.take('something else', 'b', minuteMs)).toBe(true)
      await other.leases.release('reading', 'b')
      expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
      await store.leases.release('reading', 'a')
      expect(await other.leases.take('reading', 'b', minuteMs)).toBe(true)
    })

    test('a holder that is gone holds it no longer than it said', async () => {
      const { store, other, clock } = await storesOf(2)
      await store.leases.take('reading', 'a', minuteMs)
      await clock.advance(minuteMs - 1)
      expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
      await clock.advance(1)
      expect(await other.leases.take('reading', 'b', minuteMs)).toBe(true)
    })

    test('the holder prolongs it by taking it again', async () => {
      const { store, other, clock } = await storesOf(2)
      await store.leases.take('reading', 'a', minuteMs)
      await clock.advance(50_000)
      expect(await store.leases.take('reading', 'a', minuteMs)).toBe(true)
      await clock.advance(50_000)
      expect(await other.leases.take('reading', 'b', minuteMs)).toBe(false)
    })

    test('of those who come at once one has it', async () => {
      const { stores } = await storesOf(3)
      const outcomes = await Promise.all(
        stores.map((store, index) => store.leases.take('reading', `holder ${index}`, minuteMs)),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
    })

    test('a lease of a clock that was ahead is none', async () => {
      const { store, clock, open } = await storesOf(1)
      const ahead = await open(() => clock.now() + 365 * dayMs)
      await ahead.leases.take('reading', 'a', minuteMs)
      expect(await store.leases.take('reading', 'b', minuteMs)).toBe(true)
    })
  })
}

describe('SQLite', () => {
  storeSuite(() => {
    const directory = temporaryDirectory()
    onTestFinished(() => directory[Symbol.dispose]())
    const file = join(directory.path, 'store.sqlite')
    return { open: async (now) => openSqliteStore(file, now) }
  })
})

describe.skipIf(redisIsMissing)('Redis', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await startRedis()
  })

  afterAll(async () => {
    await redis[Symbol.asyncDispose]()
  })

  storeSuite(() => {
    const name = `${randomUUID()}.example`
    return { open: (now) => openRedisStore({ url: redis.url, name, now }) }
  })
})

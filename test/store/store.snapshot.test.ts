import { describe, expect, test } from 'vitest'
import { maxWindowMs, type StoredItem } from '../../src/store/store.ts'
import { asStream, contentOf } from '../support/stored-items.ts'
import { onEveryStore, onSeveralRedisServers, storesAt, type Place } from '../support/stores.ts'

const minuteMs = 60_000

async function* broken(): AsyncGenerator<StoredItem> {
  yield { bucket: 'notes', id: 'b', value: 'x', revision: 1 }
  yield { window: 'calls', id: 'c', at: 1 }
  throw new TypeError('cut off')
}

const always = { emptyBucket: 'nothing' }

function snapshotSuite(placeOf: () => Place): void {
  const storesOf = (count: number) => storesAt(placeOf(), count)

  describe('a snapshot', () => {
    test('contains every current document and event, but no expired ones', async () => {
      const { store, clock } = await storesOf(1)
      const now = clock.now()
      await store.documents.write([
        { bucket: 'notes', id: 'a', value: 'first' },
        { bucket: 'notes', id: 'over', value: 'x', expiresAt: now + 1 },
        { bucket: 'more: of them', id: 'b:c', value: '', expiresAt: now + minuteMs },
      ])
      await store.documents.write([{ bucket: 'notes', id: 'a', value: 'second' }])
      const events = { now: now - 1, old: now - maxWindowMs }
      await store.windows.add('the calls', new Map(Object.entries(events)))
      await store.leases.take('reading', 'me', minuteMs)
      await clock.advance(1)
      expect(await contentOf(store)).toEqual([
        { bucket: 'more: of them', id: 'b:c', value: '', revision: 1, expiresAt: now + minuteMs },
        { bucket: 'notes', id: 'a', value: 'second', revision: 2 },
        { window: 'the calls', id: 'now', at: now - 1 },
      ])
    })

    test('is empty for an empty store', async () => {
      const { store } = await storesOf(1)
      expect(await contentOf(store)).toEqual([])
    })

    test('is consistent despite concurrent writes', async () => {
      const { store, other } = await storesOf(2)
      const write = (value: string) =>
        other.documents.write(['a', 'b'].map((bucket) => ({ bucket, id: 'x', value })))
      await write('0')
      for (let round = 1; round <= 20; round += 1) {
        const values = new Set<string>()
        let step = 0
        for await (const item of store.snapshot()) {
          if ('value' in item) values.add(item.value)
          step += 1
          await write(`${round}.${step}`)
        }
        expect(values.size).toBe(1)
      }
    })

    test('can be abandoned before the end', async () => {
      const { store } = await storesOf(1)
      await store.documents.write(['a', 'b'].map((id) => ({ bucket: 'notes', id, value: id })))
      for await (const item of store.snapshot()) {
        expect(item).toBeDefined()
        break
      }
      expect(await store.documents.write([{ bucket: 'notes', id: 'c', value: 'c' }])).toBe(true)
      expect(await contentOf(store)).toHaveLength(3)
    })
  })

  describe('replacing the contents', () => {
    test('leaves only the new documents, with their revisions', async () => {
      const { store, other, clock } = await storesOf(2)
      const expiresAt = clock.now() + minuteMs
      await store.documents.write([
        { bucket: 'notes', id: 'a', value: 'before' },
        { bucket: 'gone', id: 'b', value: 'before' },
      ])
      const brought: readonly StoredItem[] = [
        { bucket: 'new', id: 'c', value: ':1:', revision: 1 },
        { bucket: 'notes', id: 'a', value: 'after', revision: 1_000_007, expiresAt },
      ]
      expect(await store.replace(asStream(brought), always)).toBe(true)
      expect(await contentOf(other)).toEqual(brought)
      expect((await other.documents.all('gone')).size).toBe(0)
      const late = { bucket: 'notes', id: 'a', value: 'late' }
      expect(await other.documents.write([late], { ...late, revision: 1 })).toBe(false)
      expect(await other.documents.write([late], { ...late, revision: 1_000_007 })).toBe(true)
      await clock.advance(minuteMs)
      expect(await other.documents.get('new', 'c')).toMatchObject({ revision: 1 })
    })

    test('adds events to the existing ones', async () => {
      const { store, clock } = await storesOf(1)
      const now = clock.now()
      await store.windows.add('calls', new Map([['both', now - 5000]]))
      await store.windows.add('others', new Map([['x', now]]))
      const brought = ['both', 'more'].map((id) => ({ window: 'calls', id, at: now - 1000 }))
      expect(await store.replace(asStream(brought), always)).toBe(true)
      expect(await contentOf(store)).toEqual([
        { window: 'calls', id: 'both', at: now - 5000 },
        { window: 'calls', id: 'more', at: now - 1000 },
        { window: 'others', id: 'x', at: now },
      ])
    })

    test('does not change the store if reading the new items fails', async () => {
      const { store } = await storesOf(1)
      await store.documents.write([{ bucket: 'notes', id: 'a', value: 'before' }])
      const before = await contentOf(store)
      await expect(store.replace(broken(), always)).rejects.toThrow('cut off')
      expect(await contentOf(store)).toEqual(before)
    })

    const note = { bucket: 'notes', id: 'a', value: 'before' }
    test.for([
      { name: 'a bucket that is not empty', condition: { emptyBucket: 'notes' } },
      { name: 'a store that is not empty', condition: { emptyBucket: undefined } },
      {
        name: 'another revision',
        condition: { ...always, expected: { ...note, revision: 2 } },
      },
      {
        name: 'a document that is not expected',
        condition: { ...always, expected: { ...note, revision: 0 } },
      },
    ])('does not change the store if the condition is not met: $name', async ({ condition }) => {
      const { store } = await storesOf(1)
      await store.documents.write([note])
      const before = await contentOf(store)
      const brought = [{ bucket: 'other', id: 'b', value: 'x', revision: 1 }]
      expect(await store.replace(asStream(brought), condition)).toBe(false)
      expect(await contentOf(store)).toEqual(before)
    })

    test('treats expired documents as missing', async () => {
      const { store, clock } = await storesOf(1)
      await store.documents.write([{ ...note, expiresAt: clock.now() + 1 }])
      await clock.advance(1)
      const expected = { ...note, revision: 0 }
      const brought = [{ ...note, value: 'after', revision: 5 }]
      const condition = { emptyBucket: undefined, expected }
      expect(await store.replace(asStream(brought), condition)).toBe(true)
      expect(await contentOf(store)).toEqual(brought)
    })

    test('does not block other users of the store', async () => {
      const { store, other } = await storesOf(2)
      await store.documents.write([note])
      await store.replace(asStream([{ ...note, value: 'after', revision: 5 }]), always)
      expect(await other.documents.write([note], { ...note, revision: 5 })).toBe(true)
      expect(await store.documents.get('notes', 'a')).toEqual({ value: 'before', revision: 6 })
    })
  })
}

onEveryStore(snapshotSuite)
onSeveralRedisServers(snapshotSuite)

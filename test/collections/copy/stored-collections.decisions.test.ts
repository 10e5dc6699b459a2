import { describe, expect, test } from 'vitest'
import { acceptHeld, keepHolding } from '../../../src/collections/copy/stored-collections.ts'
import { collectionsOf, minuteMs, sampleNews } from '../../support/collections.ts'
import { applyReading } from '../../../src/collections/copy/collection-copy.ts'
import {
  collectionBuckets,
  saveKept,
  storedStates,
} from '../../../src/collections/copy/stored-collections.ts'
import { itemsToBackUp, mergeBackup, readCurrentStore } from '../../../src/backup/merge-backup.ts'
import type { Store } from '../../../src/store/store.ts'
import { asStream, collected } from '../../support/stored-items.ts'
import { onEveryStore, storesAt } from '../../support/stores.ts'

const notHeld = { ok: false, reason: 'not held' }

test('rejects the request if no collection is held', async () => {
  const { store, run } = collectionsOf()
  expect(await acceptHeld(store.documents, 'news', { now: 0 })).toEqual(notHeld)
  await run()
  expect(await acceptHeld(store.documents, 'news', { now: 0 })).toEqual(notHeld)
})

test('accepts only the version that was confirmed', async () => {
  const { collections, clock, website, store, run } = collectionsOf()
  await run()
  website.items.news = sampleNews.slice(0, 3)
  await clock.advance(6 * minuteMs)
  const version = collections.states()[0]?.kept?.held?.version ?? ''
  website.items.news = []
  await clock.advance(6 * minuteMs)
  const accept = (confirmed: string) =>
    acceptHeld(store.documents, 'news', { now: clock.now(), version: confirmed })
  expect(await accept(version)).toEqual({ ok: false, reason: 'changed meanwhile' })
  const newer = collections.states()[0]?.kept?.held?.version ?? ''
  expect(await accept(newer)).toEqual({ ok: true, records: 0 })
})

type PlaceOf = Parameters<Parameters<typeof onEveryStore>[0]>[0]

const dayMs = 24 * 60 * 60 * 1000

/** Stores a news collection that is held because most of its stories were lost a minute ago. */
async function storeHeldNews({ documents }: Store, now: number): Promise<void> {
  const reading = { items: async () => sampleNews, calls: 1, days: undefined }
  const { kept: before } = await applyReading('news', undefined, reading, now - 120_000)
  const fewer = { ...reading, items: async () => sampleNews.slice(0, 3) }
  const { kept, heldItems } = await applyReading('news', before, fewer, now - 60_000)
  const saving = { revision: 0, contentId: 'a', isContentNew: true, heldItems }
  expect(await saveKept(documents, 'news', kept, saving)).toBe(true)
}

const heldIn = async (store: Store) => (await storedStates(store.documents)).get('news')?.held

async function backedUp(placeOf: PlaceOf) {
  const { store, clock } = await storesAt(placeOf(), 1)
  await storeHeldNews(store, clock.now())
  const backUp = () => collected(itemsToBackUp(store.snapshot()))
  const restore = async (items: Awaited<ReturnType<typeof backUp>>, takenAt: number) => {
    const before = await readCurrentStore(store.snapshot())
    const restored = mergeBackup(asStream(items), before, {
      takenAt,
      now: clock.now(),
      publicFeeds: [],
      lost: [],
    })
    const condition = { emptyBucket: 'none', expected: before.links }
    expect(await store.replace(restored, condition)).toBe(true)
  }
  return { store, clock, backUp, restore }
}

onEveryStore((placeOf) => {
  test('shares an operator’s request to keep holding a loss through the store', async () => {
    const { store, other, clock } = await storesAt(placeOf(), 2)
    await storeHeldNews(store, clock.now())
    expect(await keepHolding(other.documents, 'news')).toEqual({ ok: true })
    expect(await heldIn(store)).toMatchObject({ isHeldByRequest: true, records: 3 })
    expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toMatchObject({
      records: 3,
    })
    expect(await heldIn(other)).toBeUndefined()
    expect(await keepHolding(other.documents, 'news')).toEqual({ ok: false, reason: 'not held' })
  })

  test('reports contention if other processes keep writing to a collection', async () => {
    const { store, clock } = await storesAt(placeOf(), 1)
    await storeHeldNews(store, clock.now())
    const documents = { ...store.documents, write: () => Promise.resolve(false) }
    const contended = { ok: false, reason: 'contended' }
    expect(await acceptHeld(documents, 'news', { now: clock.now() })).toEqual(contended)
    expect(await keepHolding(documents, 'news')).toEqual(contended)
  })

  describe('a restored backup', () => {
    test('resets how often a held loss has been read', async () => {
      const { store, clock, backUp, restore } = await backedUp(placeOf)
      const [items, takenAt] = [await backUp(), clock.now()]
      await clock.leap(3 * dayMs)
      await restore(items, takenAt)
      expect(await heldIn(store)).toMatchObject({ firstReadAt: clock.now(), readings: 0 })
      expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toMatchObject({
        records: 3,
      })
    })

    test('keeps a request to keep holding a loss, whether it was made before or after the backup', async () => {
      const { store, clock, backUp, restore } = await backedUp(placeOf)
      const [early, takenAt] = [await backUp(), clock.now()]
      await keepHolding(store.documents, 'news')
      const late = await backUp()
      await restore(early, takenAt)
      expect(await heldIn(store)).toMatchObject({ isHeldByRequest: true })
      await acceptHeld(store.documents, 'news', { now: clock.now() })
      await restore(late, takenAt)
      expect(await heldIn(store)).toMatchObject({ isHeldByRequest: true })
    })
  })

  test('keeps holding a loss that an older version of Feedhouse was holding', async () => {
    const { store, clock } = await storesAt(placeOf(), 1)
    await storeHeldNews(store, clock.now())
    const document = await store.documents.get(collectionBuckets.states, 'news')
    const { held, ...state } = JSON.parse(document?.value ?? '')
    const { lostIds: _ids, needsAcceptance: _needs, isHeldByRequest: _is, ...older } = held
    const value = JSON.stringify({ ...state, held: older })
    await store.documents.write([{ bucket: collectionBuckets.states, id: 'news', value }])
    expect(await heldIn(store)).toMatchObject({ records: 3, needsAcceptance: false, lostIds: [] })
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: true })
  })
})

import { expect, test } from 'vitest'
import { acceptHeld } from '../../../src/collections/copy/stored-collections.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import type { Store } from '../../../src/store/store.ts'
import { collectionsOf, minuteMs, sampleNews } from '../../support/collections.ts'
import { applyReading, type CollectionCopy } from '../../../src/collections/copy/collection-copy.ts'
import {
  copyNotSaved,
  copySaved,
  emptySlot,
  storedCopyLoaded,
  storedCopyLost,
  type CopySlot,
} from '../../../src/collections/copy/collection-repository.ts'

function reach<T>(isFailing: boolean, work: () => Promise<T>): Promise<T> {
  return isFailing ? Promise.reject(new StoreError('full', 'no room')) : work()
}

function failingStore(store: Store) {
  const fails = { get: false, all: false, write: false }
  const documents: Store['documents'] = {
    get: (bucket, id) => reach(fails.get, () => store.documents.get(bucket, id)),
    all: (bucket) => reach(fails.all, () => store.documents.all(bucket)),
    write: (writes, expected) => reach(fails.write, () => store.documents.write(writes, expected)),
  }
  return { fails, store: { ...store, documents } }
}

const firstId = Number(sampleNews[0]?.id)
const changed = (headline: string) => [{ ...sampleNews[0], headline }, ...sampleNews.slice(1)]

test('a loss that is accepted during a read stays accepted', async () => {
  const { collections, clock, website, store, run, hang } = collectionsOf()
  await run()
  website.items.news = sampleNews.slice(0, 3)
  await clock.advance(6 * minuteMs)
  const resume = hang()
  await clock.advance(5 * minuteMs)
  expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toMatchObject({
    records: 3,
  })
  const acceptedAt = clock.now()
  resume()
  await clock.advance(10_000)
  expect(collections.copyOf('news')).toMatchObject({ changedAt: acceptedAt })
  expect(collections.copyOf('news')?.records).toHaveLength(3)
  expect(collections.states()[0]?.kept?.held).toBeUndefined()
})

test('does not overwrite a copy that is temporarily unreadable', async () => {
  const first = collectionsOf()
  const { clock, website } = first
  first.collections.start()
  await clock.advance(0)
  website.items.news = changed('once')
  await clock.advance(6 * minuteMs)
  await first.stop()
  const { fails, store } = failingStore(first.store)
  fails.get = true
  const second = await first.startLoaded({ store })
  expect(second.collections.copyOf('news')).toBeUndefined()
  expect(second.collections.storeFailure()?.message).toBe('no room')
  fails.get = false
  await second.collections.load()
  const { ledger } = await second.collections.read('news')
  expect(ledger.get(firstId)?.revision).toBe(1)
})

test('stores a copy again after the store has lost it', async () => {
  const { clock, store, stop, run, startLoaded } = collectionsOf()
  await run()
  const buckets = ['collections', 'items', 'ledgers']
  await store.documents.write(buckets.map((bucket) => ({ bucket, id: 'news', value: undefined })))
  await clock.advance(10_000)
  await stop()
  const later = await startLoaded()
  expect(later.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
})

test('logs once for each purpose that the store has failed, and that it works again', async () => {
  const { clock, start, store: shared, lines, stop, run } = collectionsOf()
  await run()
  await stop()
  const { fails, store } = failingStore(shared)
  const second = start({ store })
  second.collections.start()
  await clock.advance(6 * minuteMs)
  Object.assign(fails, { get: true, all: true, write: true })
  await clock.advance(20 * minuteMs)
  const said = (text: string) =>
    lines
      .map((line) => JSON.parse(line) as { readonly msg: string; readonly what: string })
      .flatMap(({ msg, what }) => (msg === text ? [what] : []))
      .toSorted()
  const purposes = said('the store cannot be used')
  expect(purposes).toContain('loading')
  expect(new Set(purposes).size).toBe(purposes.length)
  Object.assign(fails, { get: false, all: false, write: false })
  await clock.advance(6 * minuteMs)
  expect(said('the store cannot be used')).toEqual(purposes)
  expect(said('the store works again')).toEqual(purposes)
})

test('counts a change and a change back as two revisions, even if neither reached the store', async () => {
  const parts = collectionsOf()
  const { fails, store } = failingStore(parts.store)
  const { collections, stop } = parts.start({ store })
  collections.start()
  await parts.clock.advance(0)
  fails.write = true
  for (const items of [changed('once'), sampleNews]) {
    parts.website.items.news = items
    await parts.clock.advance(6 * minuteMs)
  }
  expect(collections.copyOf('news')?.ledger.get(firstId)?.revision).toBe(2)
  expect(collections.storeFailure()?.message).toBe('no room')
  fails.write = false
  await parts.clock.advance(10_000)
  expect(collections.storeFailure()).toBeUndefined()
  await stop()
  const later = await parts.startLoaded()
  expect(later.collections.copyOf('news')?.ledger.get(firstId)?.revision).toBe(2)
})

/** Starts two replicas with the same copy, the second of which cannot write to the store. */
async function cutOff() {
  const parts = collectionsOf()
  await parts.run()
  const { fails, store } = failingStore(parts.store)
  const second = await parts.startLoaded({ store })
  fails.write = true
  return { parts, second, fails }
}

test('merges the copy from a disconnected replica without losing history', async () => {
  const { parts, second, fails } = await cutOff()
  const { clock, website } = parts
  second.collections.start()
  for (const headline of ['one', 'two', 'three']) {
    website.items.news = changed(headline)
    await clock.advance(6 * minuteMs)
  }
  const before = second.collections.copyOf('news')?.ledger.get(firstId)?.revision ?? 0
  fails.write = false
  await clock.advance(6 * minuteMs)
  for (const { collections } of [parts, second]) {
    expect(collections.copyOf('news')?.ledger.get(firstId)?.revision).toBeGreaterThanOrEqual(before)
  }
  expect(parts.collections.copyOf('news')).toEqual(second.collections.copyOf('news'))
})

test('keeps publishing records that were read only by a disconnected replica', async () => {
  const { parts, second, fails } = await cutOff()
  const { clock, website } = parts
  await parts.stop()
  second.collections.start()
  const story = { ...sampleNews[0], id: 9001 }
  website.items.news = [...sampleNews, story]
  await clock.advance(6 * minuteMs)
  website.items.news = [...sampleNews, { ...story, headline: 'changed' }]
  await clock.advance(6 * minuteMs)
  const third = await parts.startLoaded()
  fails.write = false
  await clock.advance(10_000)
  await third.collections.load()
  for (const { collections } of [second, third]) {
    const copy = collections.copyOf('news')
    expect(copy?.records.at(-1)).toMatchObject({ id: 9001, headline: 'changed' })
    expect(copy?.ledger.get(9001)).toMatchObject({ revision: 1 })
  }
})

test('serves the stored copy on a replica that has not polled the store yet, without reading the website', async () => {
  const { collections, start, readingsOf } = collectionsOf()
  await collections.read('news')
  const second = start()
  expect((await second.collections.read('news')).records).toHaveLength(sampleNews.length)
  expect(readingsOf('news')).toHaveLength(1)
})

test('does not read the website more often if the replicas’ clocks differ by a minute', async () => {
  const { collections, start, clock, readingsOf } = collectionsOf()
  const ahead = start({ clock: { ...clock, now: () => clock.now() + minuteMs } })
  collections.start()
  ahead.collections.start()
  await clock.advance(50 * minuteMs)
  expect(readingsOf('news').length).toBeLessThan(14)
})

test('does not load items that belong to a different stored state', async () => {
  const { store, stop, run, startLoaded } = collectionsOf()
  await run()
  await stop()
  const items = JSON.stringify({ contentId: 'another', items: [] })
  await store.documents.write([{ bucket: 'items', id: 'news', value: items }])
  const second = await startLoaded()
  expect(second.collections.copyOf('news')).toBeUndefined()
  expect((await second.collections.read('news')).records).toHaveLength(sampleNews.length)
})

test('moves the modification time on, even if the clock goes back', async () => {
  const { collections, clock, website, stop, start } = collectionsOf()
  collections.start()
  const before = await collections.read('news')
  await stop()
  const anHourBack = start({ clock: { ...clock, now: () => clock.now() - 60 * minuteMs } })
  await anHourBack.collections.load()
  website.items.news = changed('now')
  anHourBack.collections.start()
  await clock.advance(6 * minuteMs)
  const after = await anHourBack.collections.read('news')
  expect(after.version).not.toBe(before.version)
  expect(after.changedAt).toBe(before.changedAt + 1000)
})

async function readAt(now: number, before?: CollectionCopy<'events'>) {
  const items = [{ id: 1, title: `Drill ${now}`, status: 2, startDate: '2026-03-05', allDay: 1 }]
  const reading = { items: async () => items, calls: 1, days: undefined }
  return (await applyReading('events', before, reading, now)).kept
}
const [older, newer] = [await readAt(1000), await readAt(2000)]
const heldItems = [{ id: 1 }]
const changeTo = (kept: typeof older) => ({ kept, heldItems })
const storedLedger = older.collection.ledger
const first = { revision: 1, contentId: 'a', storedLedger }
const third = { revision: 3, contentId: 'c' }

const saved = copySaved(emptySlot, changeTo(older), 'a')
const unsaved = copyNotSaved(saved, changeTo(newer))
const unsavedOlder = copyNotSaved(saved, changeTo(older))

test.for<{ name: string; slot: CopySlot; expected: object }>([
  {
    name: 'a saved copy has the next revision',
    slot: saved,
    expected: { isUnsaved: false, kept: older, heldItems, ...first },
  },
  {
    name: 'an unsaved copy keeps the state of the stored copy',
    slot: unsaved,
    expected: { isUnsaved: true, kept: newer, heldItems, ...first },
  },
  {
    name: 'a stored copy fills an empty slot',
    slot: storedCopyLoaded(emptySlot, third, older),
    expected: { isUnsaved: false, kept: older, heldItems: undefined, ...third },
  },
  {
    name: 'a stored copy replaces a saved one',
    slot: storedCopyLoaded(saved, third, newer),
    expected: { isUnsaved: false, kept: newer, ...third },
  },
  {
    name: 'a newer unsaved copy stays, merged with the stored one',
    slot: storedCopyLoaded(unsaved, third, older),
    expected: { isUnsaved: true, kept: { readAt: 2000 }, heldItems, ...third, storedLedger },
  },
  {
    name: 'a newer copy stays if the store has lost it',
    slot: storedCopyLoaded({ ...saved, ...third, kept: newer }, first, older),
    expected: { isUnsaved: true, kept: { readAt: 2000 }, ...first },
  },
  {
    name: 'a stored copy that includes all changes replaces an unsaved one',
    slot: storedCopyLoaded(unsavedOlder, third, older),
    expected: { isUnsaved: false, kept: older, heldItems: undefined, ...third },
  },
  {
    name: 'an unreadable stored copy is overwritten',
    slot: storedCopyLoaded(saved, third, undefined),
    expected: { isUnsaved: true, kept: older, ...third, storedLedger: undefined },
  },
  {
    name: 'an unreadable stored copy leaves an empty slot empty',
    slot: storedCopyLoaded(emptySlot, third, undefined),
    expected: { kept: undefined, isUnsaved: false, ...third },
  },
  {
    name: 'a copy that disappeared from the store is saved as new',
    slot: storedCopyLost(saved),
    expected: { isUnsaved: true, kept: older, revision: 0, storedLedger: undefined },
  },
  {
    name: 'an empty slot stays empty if the stored copy disappears',
    slot: storedCopyLost(storedCopyLoaded(emptySlot, third, undefined)),
    expected: { kept: undefined, isUnsaved: false, revision: 0 },
  },
])('$name', ({ slot, expected }) => {
  expect(slot).toMatchObject(expected)
})

test.for<{ name: string; ours: CopySlot; stored: typeof older; changedAt: number }>([
  {
    name: 'later than both copies if they differ',
    ours: copyNotSaved(saved, changeTo({ ...older, readAt: 3000 })),
    stored: newer,
    changedAt: 3000,
  },
  {
    name: 'that of the later copy if it includes the other one',
    ours: unsavedOlder,
    stored: await readAt(5000, older),
    changedAt: 5000,
  },
  { name: 'the same if the copies are the same', ours: unsaved, stored: newer, changedAt: 2000 },
])('the modification time of merged copies is $name', ({ ours, stored, changedAt }) => {
  expect(storedCopyLoaded(ours, third, stored).kept?.collection.changedAt).toBe(changedAt)
})

import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

/** Counts how often the documents are read. */
function counted(store: Store) {
  const reads = { count: 0 }
  const { documents } = store
  const counting: Store = {
    ...store,
    documents: {
      ...documents,
      all: (bucket) => {
        reads.count += 1
        return documents.all(bucket)
      },
    },
  }
  return { reads, store: counting }
}

test('reads nothing from the store while nothing in it changes', async () => {
  const parts = collectionsOf()
  const { reads, store } = counted(parts.store)
  parts.start({ store }).collections.start()
  await parts.clock.advance(minuteMs)
  reads.count = 0
  await parts.clock.advance(2 * minuteMs)
  expect(reads.count).toBe(0)
})

test('loads another replica’s readings while nothing is due', async () => {
  const { clock, store, website, start } = collectionsOf()
  const [first, second] = [start(), start({ store: { ...store } })]
  first.collections.start()
  await clock.advance(minuteMs)
  await second.collections.load()
  second.collections.start(60 * minuteMs)
  website.items.news = []
  await clock.advance(5 * minuteMs)
  const [mine, other] = [first, second].map(({ collections }) => collections.states()[0]?.kept)
  expect(mine?.readAt).toBeGreaterThan(clock.now() - 2 * minuteMs)
  expect(other?.readAt).toBe(mine?.readAt)
})

test('reads an idle collection within seconds once it is used again', async () => {
  const { collections, clock, readingsOf } = collectionsOf()
  collections.start()
  await clock.advance(150 * minuteMs + 10_000)
  const before = readingsOf('news').length
  await clock.advance(7 * minuteMs)
  expect(readingsOf('news')).toHaveLength(before)
  collections.recordRead('news')
  await clock.advance(5_000)
  expect(readingsOf('news')).toHaveLength(before + 1)
})

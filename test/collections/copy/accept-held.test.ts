import { expect, test } from 'vitest'
import { acceptHeld } from '../../../src/collections/copy/accept-held.ts'
import { collectionsOf, minuteMs, sampleNews } from '../../support/collections.ts'

test('what is held is published at once by whoever accepts it, in every replica', async () => {
  const { collections, start, clock, website, store, stop } = collectionsOf()
  const second = start()
  collections.start()
  second.collections.start()
  await clock.advance(0)
  website.items.news = sampleNews.slice(0, 3)
  await clock.advance(6 * minuteMs)
  expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
  expect(await acceptHeld(store.documents, 'news', clock.now())).toEqual({
    isAccepted: true,
    records: 3,
  })
  const acceptedAt = clock.now()
  await clock.advance(5_000)
  for (const replica of [collections, second.collections]) {
    expect(replica.copyOf('news')?.records).toHaveLength(3)
    expect(replica.copyOf('news')?.changedAt).toBe(acceptedAt)
    expect(replica.states()[0]?.kept?.held).toBeUndefined()
  }
  expect(await acceptHeld(store.documents, 'news', clock.now())).toMatchObject({
    isAccepted: false,
  })
  await clock.advance(20 * minuteMs)
  expect(collections.copyOf('news')?.records).toHaveLength(3)
  await Promise.all([stop(), second.stop()])
})

test('where nothing is held there is nothing to accept', async () => {
  const { collections, store, clock, stop } = collectionsOf()
  expect(await acceptHeld(store.documents, 'news', 0)).toEqual({ isAccepted: false, records: 0 })
  collections.start()
  await clock.advance(0)
  expect(await acceptHeld(store.documents, 'news', 0)).toEqual({ isAccepted: false, records: 0 })
  await stop()
})

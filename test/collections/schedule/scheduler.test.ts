import { expect, test, vi } from 'vitest'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

test('reads nothing from the store while nothing in it changes', async () => {
  const { store, clock, run } = collectionsOf()
  const reading = vi.spyOn(store.documents, 'all')
  await run(minuteMs)
  reading.mockClear()
  await clock.advance(2 * minuteMs)
  expect(reading).not.toHaveBeenCalled()
})

test('reads known collections one after the other, and others at the same time', async () => {
  const resources = ['news', 'events', 'announce'] as const
  const { clock, website, run } = collectionsOf({ resources })
  const hanging = Promise.withResolvers<void>()
  website.hangs = hanging.promise
  await run()
  expect(website.readings).toHaveLength(3)
  hanging.resolve()
  const slow = Promise.withResolvers<void>()
  website.hangs = slow.promise
  website.readings.length = 0
  await clock.advance(5 * minuteMs)
  expect(website.readings).toHaveLength(1)
  // A slow response does not delay the others.
  await clock.advance(5_000)
  expect(new Set(website.readings.map(({ endpoint }) => endpoint))).toEqual(new Set(resources))
  expect(website.readings).toHaveLength(3)
  slow.resolve()
  await clock.advance(0)
})

test('reads all collections at the same time if the store is not one file', async () => {
  const resources = ['news', 'events', 'announce'] as const
  const { clock, store, website, start } = collectionsOf({ resources })
  start({ store: { ...store, version: () => undefined } }).collections.start()
  await clock.advance(0)
  const slow = Promise.withResolvers<void>()
  website.hangs = slow.promise
  website.readings.length = 0
  await clock.advance(5 * minuteMs)
  expect(website.readings).toHaveLength(3)
  slow.resolve()
  await clock.advance(0)
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
  const { collections, clock, readingsOf, run } = collectionsOf()
  await run(150 * minuteMs + 10_000)
  const before = readingsOf('news').length
  await clock.advance(7 * minuteMs)
  expect(readingsOf('news')).toHaveLength(before)
  collections.recordRead('news')
  await clock.advance(5_000)
  expect(readingsOf('news')).toHaveLength(before + 1)
})

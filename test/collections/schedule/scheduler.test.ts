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

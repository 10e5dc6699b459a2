import { expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import { createFeedOverviews } from '../../src/representations/feed-content.ts'
import { chosenForList } from '../support/chosen-options.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { oneCollection } from '../support/one-collection.ts'
import { testSite } from '../support/site.ts'

const events = feeds.find(({ id }) => id === 'events')

const event = (id: number, startTime: string) => ({
  id,
  status: 2,
  deployed: 1,
  title: `Event ${id}`,
  startDate: '2026-03-05',
  endDate: '2026-03-05',
  allDay: 0,
  startTime,
  endTime: startTime.replace(':00:', ':30:'),
})

async function overviewsOf(...items: readonly object[]) {
  if (!events) throw new TypeError('no events feed')
  const clock = createFakeClock()
  const collectionWith = async (...all: readonly object[]) =>
    (await collectionAfter('events', [all], clock.now())) as Collection
  const { source, collections } = oneCollection(await collectionWith(...items))
  const made = { count: 0, failure: undefined as Error | undefined }
  const feed: Feed = {
    ...events,
    overview(...args) {
      made.count += 1
      if (made.failure) throw made.failure
      return events.overview(...args)
    },
  }
  const overviews = createFeedOverviews(collections, { site: testSite, clock })
  const titles = async (filters?: string) =>
    overviews.of(feed, 'public', chosenForList(feed, filters))?.entries.map(({ title }) => title)
  return {
    isKnown: (filters: string) => overviews.isKnown(feed, 'public', chosenForList(feed, filters)),
    clock,
    made,
    titles,
    change: async (...all: readonly object[]) => source.change(await collectionWith(...all)),
  }
}

test('caches an overview until the records change', async () => {
  const { made, titles, change } = await overviewsOf(event(1, '12:00:00'))
  expect([await titles(), await titles(), made.count]).toEqual([['Event 1'], ['Event 1'], 1])
  await change(event(1, '12:00:00'), event(2, '11:00:00'))
  expect([await titles(), made.count]).toEqual([['Event 2', 'Event 1'], 2])
})

test('renders an overview again when it expires', async () => {
  const { clock, made, titles } = await overviewsOf(event(1, '11:00:00'), event(2, '12:00:00'))
  expect(await titles()).toEqual(['Event 1', 'Event 2'])
  const endsAt = Date.parse('2026-03-05T16:30:00Z')
  await clock.advance(endsAt - clock.now() - 1)
  expect([await titles(), made.count]).toEqual([['Event 1', 'Event 2'], 1])
  await clock.advance(1)
  expect([await titles(), made.count]).toEqual([['Event 2'], 2])
})

test('retries a failed overview on the next request', async () => {
  const { made, titles } = await overviewsOf(event(1, '12:00:00'))
  made.failure = new Error('no')
  await expect(titles()).rejects.toThrow('no')
  made.failure = undefined
  expect(await titles()).toEqual(['Event 1'])
})

test('caches an overview for each filter, and evicts the least recently used overviews', async () => {
  const { made, titles, isKnown } = await overviewsOf(event(1, '12:00:00'), {
    ...event(2, '12:00:00'),
    startDate: '2026-03-09',
    endDate: '2026-03-09',
  })
  expect([await titles(), await titles('future=1')]).toEqual([['Event 1', 'Event 2'], ['Event 1']])
  expect([await titles('future=1'), made.count]).toEqual([['Event 1'], 2])
  expect([isKnown('future=1'), isKnown('future=2')]).toEqual([true, false])
  for (let days = 10; days < 100; days += 1) {
    await titles(`future=${days}`)
    await titles('future=1')
  }
  expect(made.count).toBe(92)
  expect([isKnown('future=1'), isKnown('future=10'), isKnown('future=99')]).toEqual([
    true,
    false,
    true,
  ])
})

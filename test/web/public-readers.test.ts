import { expect, test } from 'vitest'
import { createPublicReaders } from '../../src/web/public-readers.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const feedly = (count: number) =>
  `Feedly/1.0 (+http://www.feedly.com/fetcher.html; ${count} subscribers; like FeedFetcher-Google)`
const inoreader = 'Inoreader/1.0 (+http://www.inoreader.com/feed-fetcher; 5 subscribers; )'
const feedbin = 'Feedbin feed-id:137 - 1 subscriber'
const iphone = 'iOS/18.1 (22B83) dataaccessd/1.0'

test('counts readers by app, and the latest subscribers of each feed, on all replicas', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const [first, second] = [0, 1].map(() => createPublicReaders(store.documents, clock))
  first?.note('events', iphone, 2)
  first?.note('news', feedly(16), 1)
  first?.note('news', feedly(17), 1)
  first?.note('events', feedly(3).toUpperCase(), 1)
  second?.note('events', iphone, 1)
  second?.note('news', inoreader, 1)
  second?.note('news', feedbin, 1)
  for (const ignored of ['curl/8.5', 'Googlebot/2.1', 'Feedhouse check']) {
    second?.note('news', ignored, 5)
  }
  await first?.days()
  const days = (await second?.days()) ?? []
  expect(days).toHaveLength(30)
  expect(days.at(-1)?.readers).toEqual({
    'Apple Calendar': 3,
    Feedly: 20,
    Inoreader: 5,
    Feedbin: 1,
  })
  await clock.leap(24 * 60 * 60_000)
  first?.note('events', iphone, 1)
  const next = (await first?.days()) ?? []
  expect(next.slice(-2).map(({ readers }) => readers['Apple Calendar'])).toEqual([3, 1])
  expect(JSON.stringify([...(await store.documents.all('public-readers'))])).not.toContain(
    'dataaccessd',
  )
})

test('stores readers every minute, and forgets them after a month', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const readers = createPublicReaders(store.documents, clock)
  const storedDays = async () => (await store.documents.all('public-readers')).size
  readers.note('events', iphone, 1)
  expect(await storedDays()).toBe(0)
  await clock.leap(60_000)
  readers.note('events', iphone, 1)
  await expect.poll(storedDays).toBe(1)
  await clock.leap(31 * 24 * 60 * 60_000)
  expect((await readers.days()).flatMap((day) => Object.keys(day.readers))).toEqual([])
})

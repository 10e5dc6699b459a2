import { expect, test } from 'vitest'
import { createPublicReaders } from '../../src/web/public-readers.ts'
import { StoreError } from '../../src/store/store-error.ts'
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
  expect(days.at(-1)).toMatchObject({
    apps: { 'Apple Calendar': 3 },
    reported: { Feedly: 20, Inoreader: 5, Feedbin: 1 },
  })
  await clock.leap(24 * 60 * 60_000)
  first?.note('events', iphone, 1)
  const next = (await first?.days()) ?? []
  expect(next.slice(-2).map(({ apps }) => apps['Apple Calendar'])).toEqual([3, 1])
  expect(JSON.stringify([...(await store.documents.all('public-readers'))])).not.toContain(
    'dataaccessd',
  )
})

test('keeps counts that could not be stored, and reported numbers in order', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const error = new StoreError('unreachable', 'The store is down.')
  let isDown = true
  const write: typeof documents.write = async (...args) =>
    isDown ? Promise.reject(error) : documents.write(...args)
  const readers = createPublicReaders({ ...documents, write }, clock)
  readers.note('events', iphone, 2)
  readers.note('news', feedly(16), 1)
  await readers.days()
  readers.note('events', iphone, 1)
  readers.note('news', feedly(17), 1)
  isDown = false
  expect((await readers.days()).at(-1)).toMatchObject({
    apps: { 'Apple Calendar': 3 },
    reported: { Feedly: 17 },
  })
})

test.for([
  ['NewsBlur', 'NewsBlur Feed Fetcher - 4 subscribers - https://www.newsblur.com/site/1/x'],
  ['The Old Reader', 'Mozilla/5.0 (compatible; theoldreader.com; 4 subscribers; feed-id=1a)'],
  ['BazQux', 'Mozilla/5.0 (compatible; BazQux/2.4; +https://bazqux.com/fetcher; 4 subscribers)'],
  ['BazQux', 'BazQux/2.4 (+https://bazqux.com/fetcher; 4 subscribers)'],
] as const)('counts the subscribers that %s reports', async ([service, userAgent]) => {
  const clock = createFakeClock()
  const readers = createPublicReaders(openTestStore(clock.now).documents, clock)
  readers.note('news', userAgent, 1)
  expect((await readers.days()).at(-1)).toMatchObject({ apps: {}, reported: { [service]: 4 } })
})

test('ignores absurd numbers of subscribers, and those from unknown services', async () => {
  const clock = createFakeClock()
  const readers = createPublicReaders(openTestStore(clock.now).documents, clock)
  readers.note('news', feedly(9_999_999), 1)
  readers.note('news', 'Acme Feeds/1.0 (9000 subscribers)', 1)
  readers.note('news', `Mozilla/5.0 like ${feedly(900)}`, 1)
  const apps = { 'feed reader': 1, Google: 1 }
  expect((await readers.days()).at(-1)).toMatchObject({ apps, reported: {} })
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
  expect((await readers.days()).flatMap(({ apps }) => Object.keys(apps))).toEqual([])
})

import { expect, test } from 'vitest'
import { feedsPrivateSince } from '../../src/app/private-feeds.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const failing = () => Promise.reject(new StoreError('unreachable', 'x'))

const dayMs = 24 * 60 * 60 * 1000

/** Starts sites with these public feeds one after another, which share a store. */
function siteStarts() {
  const { now, advance } = createFakeClock()
  const { documents } = openTestStore(now)
  const start = (...publicFeeds: readonly string[]) =>
    feedsPrivateSince(documents, publicFeeds, now())
  return { now, advance, start }
}

test('records when a feed stops being public, for two weeks', async () => {
  const { now, advance, start } = siteStarts()
  expect(await start('events', 'news')).toEqual({})
  await advance(1_000)
  const since = now()
  expect(await start('events')).toEqual({ news: since })
  await advance(14 * dayMs - 1)
  expect(await start('events')).toEqual({ news: since })
  await advance(1)
  expect(await start('events')).toEqual({})
})

test('forgets the time once the feed is public again', async () => {
  const { now, advance, start } = siteStarts()
  await start('news')
  await start()
  expect(await start('news')).toEqual({})
  await advance(1_000)
  expect(await start()).toEqual({ news: now() })
})

test('gives replicas that start together the same time', async () => {
  const { start, advance } = siteStarts()
  await start('news')
  await advance(1_000)
  const [first, second] = await Promise.all([start(), start()])
  expect(first).toEqual(second)
  expect(Object.keys(first)).toEqual(['news'])
})

test('knows of no feed without the store', async () => {
  expect(await feedsPrivateSince({ get: failing, all: failing, write: failing }, [], 1)).toEqual({})
})

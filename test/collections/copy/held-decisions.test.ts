import { expect, test } from 'vitest'
import { acceptHeld } from '../../../src/collections/copy/held-decisions.ts'
import { collectionsOf, minuteMs, sampleNews } from '../../support/collections.ts'

const notHeld = { ok: false, reason: 'not held' }

test('publishes a held collection on every replica as soon as it is accepted', async () => {
  const { collections, start, clock, website, store } = collectionsOf()
  const second = start()
  collections.start()
  second.collections.start()
  await clock.advance(0)
  website.items.news = sampleNews.slice(0, 3)
  await clock.advance(6 * minuteMs)
  expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
  expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toEqual({
    ok: true,
    records: 3,
  })
  const acceptedAt = clock.now()
  await clock.advance(5_000)
  for (const replica of [collections, second.collections]) {
    expect(replica.copyOf('news')?.records).toHaveLength(3)
    expect(replica.copyOf('news')?.changedAt).toBe(acceptedAt)
    expect(replica.states()[0]?.kept?.held).toBeUndefined()
  }
  expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toEqual(notHeld)
  await clock.advance(20 * minuteMs)
  expect(collections.copyOf('news')?.records).toHaveLength(3)
})

test('rejects the request if no collection is held', async () => {
  const { collections, store, clock } = collectionsOf()
  expect(await acceptHeld(store.documents, 'news', { now: 0 })).toEqual(notHeld)
  collections.start()
  await clock.advance(0)
  expect(await acceptHeld(store.documents, 'news', { now: 0 })).toEqual(notHeld)
})

test('accepts only the version that was confirmed', async () => {
  const { collections, clock, website, store } = collectionsOf()
  collections.start()
  await clock.advance(0)
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

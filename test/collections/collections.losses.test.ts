import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/clock.ts'
import { acceptHeld, keepHolding } from '../../src/collections/copy/stored-collections.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { collectionsOf, sampleNews } from '../support/collections.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import { allDayRecord } from '../support/all-day-record.ts'

type Items = { readonly [R in FeedResource]?: readonly unknown[] }

async function changing(resources: readonly FeedResource[], items: Items, after: Items) {
  const parts = collectionsOf({ resources })
  const { collections, clock, website } = parts
  website.items = items
  collections.start()
  await clock.advance(0)
  const before = new Map(resources.map((resource) => [resource, collections.copyOf(resource)]))
  Object.assign(website.items, after)
  await clock.advance(6 * minuteMs)
  const heldOf = (resource: FeedResource, from = collections) =>
    from.states().find((state) => state.resource === resource)?.kept?.held
  return { ...parts, before, heldOf }
}

/** Advances the clock, and reads the website at this interval instead of every five minutes. */
async function pass(clock: FakeClock, ms: number, stepMs = 2 * hourMs): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.leap(stepMs - 6_000)
    await clock.advance(6_000)
  }
}

const few = sampleNews.slice(0, 3)
const events = Array.from({ length: 20 }, (_, index) =>
  allDayRecord(index + 1, '2026-03-20', '2026-03-20'),
)

const losing = (left: readonly unknown[]) =>
  changing(['news'], { news: sampleNews }, { news: left })

const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))

describe('a collection that has lost all records', () => {
  test('stays held for months, and is logged only once', async () => {
    const { collections, clock, before, heldOf, lines } = await losing([])
    await pass(clock, 60 * dayMs, dayMs)
    expect(collections.copyOf('news')?.records).toEqual(before.get('news')?.records)
    expect(heldOf('news')).toMatchObject({ records: 0, needsAcceptance: true })
    expect(lines.filter((line) => line.includes('collection held'))).toHaveLength(1)
  })

  test('is published unchanged once its records are back', async () => {
    const { collections, website, clock, before, heldOf } = await losing([])
    website.items.news = sampleNews
    await clock.advance(6 * minuteMs)
    const copy = collections.copyOf('news')
    expect(copy).toMatchObject({ changedAt: before.get('news')?.changedAt })
    expect(copy?.ledger).toEqual(before.get('news')?.ledger)
    expect(heldOf('news')).toBeUndefined()
  })

  test('is held on all replicas and after a restart', async () => {
    const { clock, stop, before, heldOf, startLoaded } = await losing([])
    const second = await startLoaded()
    expect(heldOf('news', second.collections)).toMatchObject({ records: 0 })
    expect(await second.collections.read('news')).toEqual(before.get('news'))
    second.collections.start()
    await stop()
    await pass(clock, 2 * dayMs)
    expect(second.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
  })
})

describe('a loss does not include', () => {
  test('an empty first read', async () => {
    const { collections, heldOf } = await changing(['rental'], { rental: [] }, {})
    expect(collections.copyOf('rental')?.records).toEqual([])
    expect(heldOf('rental')).toBeUndefined()
  })

  test.for<[name: string, resource: FeedResource, items: readonly object[]]>([
    ['a booking that has left the window', 'rental', [allDayRecord(1, '2025-01-28', '2025-01-29')]],
    [
      'past events',
      'events',
      [allDayRecord(1, '2026-03-04', '2026-03-05'), allDayRecord(2, '2026-03-01', '')],
    ],
    [
      'an expired announcement',
      'announce',
      [{ id: 1, headline: 'Drill', status: 2, expires: '2026-03-05 18:00:00' }],
    ],
    ['a past sign-up sheet', 'signup', [{ id: 1, title: 'Crew', status: 2, date: '2026-03-05' }]],
  ])('%s', async ([, resource, items]) => {
    const parts = await changing([resource], { [resource]: items }, {})
    expect(parts.collections.copyOf(resource)?.records).toHaveLength(items.length)
    // Until the announcement expires, its removal is unexpected and counts as a loss.
    await pass(parts.clock, 16 * hourMs)
    parts.website.items[resource] = []
    await pass(parts.clock, hourMs, hourMs)
    expect(parts.collections.copyOf(resource)?.records).toEqual([])
  })
})

test.for<[resource: FeedResource, item: object]>([
  ['events', allDayRecord(1, '2026-03-06', '2026-03-07')],
  ['announce', { id: 1, headline: 'Drill', status: 2, expires: '' }],
  ['signup', { id: 1, title: 'Crew', status: 2, date: '2026-03-06' }],
  ['news', { ...sampleNews[0], date: '2020-01-01 10:00:00' }],
])('the removal of the only %s record counts as a loss', async ([resource, item]) => {
  const parts = await changing([resource], { [resource]: [item] }, { [resource]: [] })
  await pass(parts.clock, 30 * dayMs, dayMs)
  expect(parts.collections.copyOf(resource)?.records).toHaveLength(1)
  expect(parts.heldOf(resource)).toMatchObject({ needsAcceptance: true })
  await parts.stop()
})

describe('a collection that has lost most records', () => {
  test('is published after a day without changes, even if the service restarts in the meantime', async () => {
    const { collections, clock, stop, startLoaded } = await losing(few)
    await pass(clock, 12 * hourMs)
    expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await stop()
    const later = await startLoaded()
    later.collections.start()
    await pass(clock, 12 * hourMs - 10 * minuteMs, 2 * hourMs - 100_000)
    expect(later.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await clock.advance(20 * minuteMs)
    expect(later.collections.copyOf('news')?.records).toHaveLength(few.length)
  })

  test('is published after a day even though the date window moves at midnight', async () => {
    // The oldest remaining record is 400 days old and leaves the window tonight.
    const old = allDayRecord(100, '2025-01-29', '2025-01-29')
    const before = { events: [old, ...events] }
    const after = { events: [old, ...events.slice(0, 4)] }
    const { collections, website, clock } = await changing(['events'], before, after)
    await pass(clock, 16 * hourMs)
    website.items.events = events.slice(0, 4)
    await pass(clock, 7 * hourMs, hourMs)
    expect(collections.copyOf('events')?.records).toHaveLength(21)
    await pass(clock, 2 * hourMs)
    expect(collections.copyOf('events')?.records).toHaveLength(4)
  })

  test('stays held even if another collection loses most of its records only temporarily that day', async () => {
    const both = ['events', 'rental'] as const
    const after = { rental: rental.slice(0, 4) }
    const { collections, website, clock, heldOf } = await changing(both, { events, rental }, after)
    website.items.rental = rental
    await pass(clock, hourMs, hourMs)
    expect(heldOf('rental')).toBeUndefined()
    website.items.events = events.slice(0, 4)
    await pass(clock, 2 * dayMs)
    expect(collections.copyOf('events')?.records).toHaveLength(20)
  })

  test('is held because of an incident that another replica observed', async () => {
    const items = { events, rental: rental.slice(0, 4) }
    const parts = await changing(['events', 'rental'], { events, rental }, items)
    const second = parts.start()
    second.collections.start()
    parts.website.items.events = events.slice(0, 4)
    await parts.stop()
    await pass(parts.clock, 2 * dayMs)
    expect(second.collections.copyOf('events')?.records).toHaveLength(20)
    expect(second.collections.copyOf('rental')?.records).toHaveLength(20)
  })
})

describe('a held collection that an operator asked to keep holding', () => {
  test('is never published automatically by any replica, but can still be accepted', async () => {
    const { collections, start, clock, store, heldOf } = await losing(few)
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: true })
    const second = start()
    second.collections.start()
    await pass(clock, 4 * dayMs)
    for (const replica of [collections, second.collections]) {
      expect(replica.copyOf('news')?.records).toHaveLength(sampleNews.length)
      expect(heldOf('news', replica)).toMatchObject({ isHeldByRequest: true })
    }
    expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toMatchObject({
      records: 3,
    })
    await clock.advance(10_000)
    for (const replica of [collections, second.collections]) {
      expect(replica.copyOf('news')?.records).toHaveLength(3)
    }
  })

  test('stays held if the request arrives during a read', async () => {
    const { clock, store, heldOf, hang } = await losing(few)
    const resume = hang()
    await clock.advance(5 * minuteMs)
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: true })
    resume()
    await clock.advance(10_000)
    expect(heldOf('news')).toMatchObject({ isHeldByRequest: true })
  })

  test('is published when its records return, and can be held again later', async () => {
    const { collections, website, clock, store, heldOf } = await losing(few)
    await keepHolding(store.documents, 'news')
    website.items.news = sampleNews
    await clock.advance(6 * minuteMs)
    expect(heldOf('news')).toBeUndefined()
    expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    website.items.news = few
    await clock.advance(6 * minuteMs)
    expect(heldOf('news')).toMatchObject({ isHeldByRequest: false })
  })
})

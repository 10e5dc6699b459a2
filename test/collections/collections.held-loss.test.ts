import { describe, expect, test } from 'vitest'
import { acceptHeld } from '../../src/collections/copy/accept-held.ts'
import { keepHolding } from '../../src/collections/copy/keep-holding.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { allResources, collectionsOf, minuteMs, sampleNews } from '../support/collections.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import { happening } from '../support/happening.ts'

const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const sample = sampleDatasetOn('2026-03-05')

/** Starts collections that have read everything from a website that then changes. */
async function changing(
  resources: readonly FeedResource[],
  items: { readonly [R in FeedResource]?: readonly unknown[] },
  after: { readonly [R in FeedResource]?: readonly unknown[] },
) {
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

/** Advances the clock, with a read at each given interval instead of every five minutes. */
async function pass(clock: FakeClock, ms: number, stepMs = 2 * hourMs): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.leap(stepMs - 6_000)
    await clock.advance(6_000)
  }
}

const few = sampleNews.slice(0, 3)
const events = Array.from({ length: 20 }, (_, index) =>
  happening(index + 1, '2026-03-20', '2026-03-20'),
)

describe('a collection that has lost all records', () => {
  test('stays held for months, and is logged once', async () => {
    const { collections, clock, before, heldOf, lines, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: [] },
    )
    await pass(clock, 60 * dayMs, dayMs)
    expect(collections.copyOf('news')?.records).toEqual(before.get('news')?.records)
    expect(heldOf('news')).toMatchObject({ records: 0, needsAcceptance: true })
    expect(lines.filter((line) => line.includes('collection held'))).toHaveLength(1)
    await stop()
  })

  test('stays held if all other collections are emptied at the same time', async () => {
    const items = Object.fromEntries(allResources.map((name) => [name, sample[name]]))
    const nothing = Object.fromEntries(allResources.map((name) => [name, []]))
    const { collections, clock, before, stop } = await changing(allResources, items, nothing)
    await pass(clock, 3 * dayMs)
    for (const resource of allResources) {
      const count = before.get(resource)?.records.length
      expect(count).toBeGreaterThan(0)
      expect(collections.copyOf(resource)?.records).toHaveLength(count ?? 0)
    }
    await stop()
  })

  test('is published unchanged once the records are back', async () => {
    const { collections, website, clock, before, heldOf, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: [] },
    )
    website.items.news = sampleNews
    await clock.advance(6 * minuteMs)
    const copy = collections.copyOf('news')
    expect(copy).toMatchObject({ changedAt: before.get('news')?.changedAt })
    expect(copy?.ledger).toEqual(before.get('news')?.ledger)
    expect(heldOf('news')).toBeUndefined()
    await stop()
  })

  test('is held on all replicas and after a restart', async () => {
    const { start, clock, stop, before, heldOf } = await changing(
      ['news'],
      { news: sampleNews },
      { news: [] },
    )
    const second = start()
    await second.collections.load()
    expect(heldOf('news', second.collections)).toMatchObject({ records: 0 })
    expect(await second.collections.read('news')).toEqual(before.get('news'))
    second.collections.start()
    await stop()
    await pass(clock, 2 * dayMs)
    expect(second.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await second.stop()
  })

  test('is held until accepted if all records become unreadable', async () => {
    const unreadable = sampleNews.map((story) => ({ ...story, date: 'yesterday' }))
    const { collections, clock, before, heldOf, store, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: unreadable },
    )
    await pass(clock, 2 * dayMs)
    expect(collections.copyOf('news')).toBe(before.get('news'))
    expect(heldOf('news')).toMatchObject({ isUnreadable: true })
    expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toMatchObject({
      records: 0,
    })
    await stop()
  })
})

describe('a collection that has lost most records', () => {
  test('is published after a day without changes, across a restart', async () => {
    const { collections, start, clock, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    await pass(clock, 12 * hourMs)
    expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await stop()
    const later = start()
    await later.collections.load()
    later.collections.start()
    await pass(clock, 12 * hourMs - 10 * minuteMs, 2 * hourMs - 100_000)
    expect(later.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await clock.advance(20 * minuteMs)
    expect(later.collections.copyOf('news')?.records).toHaveLength(few.length)
    await later.stop()
  })

  test('is published after a day even though the window moves at midnight', async () => {
    // The oldest remaining record is 400 days old and leaves the window tonight.
    const old = happening(100, '2025-01-29', '2025-01-29')
    const { collections, website, clock, stop } = await changing(
      ['events'],
      { events: [old, ...events] },
      { events: [old, ...events.slice(0, 4)] },
    )
    await pass(clock, 16 * hourMs)
    website.items.events = events.slice(0, 4)
    await pass(clock, 7 * hourMs, hourMs)
    expect(collections.copyOf('events')?.records).toHaveLength(21)
    await pass(clock, 2 * hourMs)
    expect(collections.copyOf('events')?.records).toHaveLength(4)
    await stop()
  })

  test('stays held if another collection loses most records within a day', async () => {
    const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))
    const { collections, website, clock, heldOf, stop } = await changing(
      ['events', 'rental'],
      { events, rental },
      { events: events.slice(0, 4) },
    )
    await pass(clock, 20 * hourMs)
    expect(heldOf('events')).toMatchObject({ needsAcceptance: false })
    website.items.rental = rental.slice(0, 4)
    collections.recordRead('rental')
    await clock.advance(6 * minuteMs)
    await pass(clock, 20 * dayMs, dayMs)
    expect(collections.copyOf('events')?.records).toHaveLength(20)
    expect(collections.copyOf('rental')?.records).toHaveLength(20)
    expect(heldOf('events')).toMatchObject({ needsAcceptance: true })
    await stop()
  })

  test('stays held if another collection loses most records temporarily within that day', async () => {
    const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))
    const { collections, website, clock, heldOf, stop } = await changing(
      ['events', 'rental'],
      { events, rental },
      { rental: rental.slice(0, 4) },
    )
    website.items.rental = rental
    await pass(clock, hourMs, hourMs)
    expect(heldOf('rental')).toBeUndefined()
    website.items.events = events.slice(0, 4)
    await pass(clock, 2 * dayMs)
    expect(collections.copyOf('events')?.records).toHaveLength(20)
    await stop()
  })

  test('is held because of an incident observed by another replica', async () => {
    const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))
    const items = { events, rental: rental.slice(0, 4) }
    const parts = await changing(['events', 'rental'], { events, rental }, items)
    const second = parts.start()
    second.collections.start()
    parts.website.items.events = events.slice(0, 4)
    await parts.stop()
    await pass(parts.clock, 2 * dayMs)
    expect(second.collections.copyOf('events')?.records).toHaveLength(20)
    expect(second.collections.copyOf('rental')?.records).toHaveLength(20)
    await second.stop()
  })
})

type Case = {
  readonly name: string
  readonly resource: FeedResource
  readonly items: readonly unknown[]
}

describe('does not count as a loss:', () => {
  test('an empty first read', async () => {
    const { collections, heldOf, stop } = await changing(['rental'], { rental: [] }, {})
    expect(collections.copyOf('rental')?.records).toEqual([])
    expect(heldOf('rental')).toBeUndefined()
    await stop()
  })

  test.for([
    {
      name: 'a booking that has left the window',
      resource: 'rental',
      items: [happening(1, '2025-01-28', '2025-01-29')],
    },
    {
      name: 'two past events',
      resource: 'events',
      items: [happening(1, '2026-03-04', '2026-03-05'), happening(2, '2026-03-01', '')],
    },
    {
      name: 'an expired announcement',
      resource: 'announce',
      items: [{ id: 1, headline: 'Drill', status: 2, expires: '2026-03-05 18:00:00' }],
    },
    {
      name: 'a past sign-up sheet',
      resource: 'signup',
      items: [{ id: 1, title: 'Crew', status: 2, date: '2026-03-05' }],
    },
  ] as readonly Case[])('$name', async ({ resource, items }) => {
    const parts = await changing([resource], { [resource]: items }, {})
    expect(parts.collections.copyOf(resource)?.records).toHaveLength(items.length)
    // Before it expires, its removal is unexpected and therefore a loss.
    await pass(parts.clock, 16 * hourMs)
    parts.website.items[resource] = []
    await pass(parts.clock, hourMs, hourMs)
    expect(parts.collections.copyOf(resource)?.records).toEqual([])
    await parts.stop()
  })

  test.for([
    { resource: 'events', items: [happening(1, '2026-03-06', '2026-03-07')] },
    { resource: 'announce', items: [{ id: 1, headline: 'Drill', status: 2, expires: '' }] },
    { resource: 'signup', items: [{ id: 1, title: 'Crew', status: 2, date: '2026-03-06' }] },
    { resource: 'news', items: [{ ...sampleNews[0], date: '2020-01-01 10:00:00' }] },
  ] as readonly Omit<Case, 'name'>[])(
    'the removal of the only $resource record is a loss',
    async ({ resource, items }) => {
      const parts = await changing([resource], { [resource]: items }, { [resource]: [] })
      await pass(parts.clock, 30 * dayMs, dayMs)
      expect(parts.collections.copyOf(resource)?.records).toHaveLength(1)
      expect(parts.heldOf(resource)).toMatchObject({ needsAcceptance: true })
      await parts.stop()
    },
  )
})

describe('a held collection after a request to keep holding', () => {
  test('is never published automatically on any replica, and can still be accepted', async () => {
    const { collections, start, clock, store, heldOf, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
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
    expect(collections.copyOf('news')?.records).toHaveLength(3)
    await Promise.all([stop(), second.stop()])
  })

  test('stays held during a read', async () => {
    const { website, clock, store, heldOf, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    const hanging = Promise.withResolvers<void>()
    website.hangs = hanging.promise
    await clock.advance(5 * minuteMs)
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: true })
    hanging.resolve()
    await clock.advance(10_000)
    expect(heldOf('news')).toMatchObject({ isHeldByRequest: true })
    await stop()
  })

  test('is published when the records return, and can be held again', async () => {
    const { collections, website, clock, store, heldOf, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    await keepHolding(store.documents, 'news')
    website.items.news = sampleNews
    await clock.advance(6 * minuteMs)
    expect(heldOf('news')).toBeUndefined()
    expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    website.items.news = few
    await clock.advance(6 * minuteMs)
    expect(heldOf('news')).toMatchObject({ isHeldByRequest: false })
    await stop()
  })

  test('is rejected if nothing is held', async () => {
    const { store, stop } = await changing(['news'], { news: sampleNews }, {})
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: false, reason: 'not held' })
    expect(await keepHolding(store.documents, 'events')).toEqual({ ok: false, reason: 'not held' })
    await stop()
  })
})

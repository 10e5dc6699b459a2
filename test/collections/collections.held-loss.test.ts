import { describe, expect, test } from 'vitest'
import { acceptHeld } from '../../src/collections/copy/held-decisions.ts'
import { endpointOf, type FeedResource } from '../../src/records/resources.ts'
import { allResources, minuteMs, sampleNews } from '../support/collections.ts'
import { happening } from '../support/happening.ts'
import { changing, dayMs, hourMs, pass, sample } from '../support/held-collections.ts'

describe('a collection that has lost all records', () => {
  test('stays held for months, and is logged only once', async () => {
    const { collections, clock, before, heldOf, lines } = await changing(
      ['news'],
      { news: sampleNews },
      { news: [] },
    )
    await pass(clock, 60 * dayMs, dayMs)
    expect(collections.copyOf('news')?.records).toEqual(before.get('news')?.records)
    expect(heldOf('news')).toMatchObject({ records: 0, needsAcceptance: true })
    expect(lines.filter((line) => line.includes('collection held'))).toHaveLength(1)
  })

  test('stays held if every other collection is emptied at the same time', async () => {
    const items = Object.fromEntries(allResources.map((name) => [name, sample[endpointOf(name)]]))
    const nothing = Object.fromEntries(allResources.map((name) => [name, []]))
    const { collections, clock, before } = await changing(allResources, items, nothing)
    await pass(clock, 3 * dayMs)
    for (const resource of allResources) {
      const count = before.get(resource)?.records.length
      expect(count).toBeGreaterThan(0)
      expect(collections.copyOf(resource)?.records).toHaveLength(count ?? 0)
    }
  })

  test('is published unchanged once its records are back', async () => {
    const { collections, website, clock, before, heldOf } = await changing(
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
  })

  test('stays held until an operator accepts it if all its records become unreadable', async () => {
    const unreadable = sampleNews.map((story) => ({ ...story, date: 'yesterday' }))
    const { collections, clock, before, heldOf, store } = await changing(
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
  })
})

type Case = {
  readonly name: string
  readonly resource: FeedResource
  readonly items: readonly unknown[]
}

describe('a loss does not include', () => {
  test('an empty first read', async () => {
    const { collections, heldOf } = await changing(['rental'], { rental: [] }, {})
    expect(collections.copyOf('rental')?.records).toEqual([])
    expect(heldOf('rental')).toBeUndefined()
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
    // Until the announcement expires, its removal is unexpected and counts as a loss.
    await pass(parts.clock, 16 * hourMs)
    parts.website.items[resource] = []
    await pass(parts.clock, hourMs, hourMs)
    expect(parts.collections.copyOf(resource)?.records).toEqual([])
  })

  test.for([
    { resource: 'events', items: [happening(1, '2026-03-06', '2026-03-07')] },
    { resource: 'announce', items: [{ id: 1, headline: 'Drill', status: 2, expires: '' }] },
    { resource: 'signup', items: [{ id: 1, title: 'Crew', status: 2, date: '2026-03-06' }] },
    { resource: 'news', items: [{ ...sampleNews[0], date: '2020-01-01 10:00:00' }] },
  ] as readonly Omit<Case, 'name'>[])(
    'the removal of the only $resource record counts as a loss',
    async ({ resource, items }) => {
      const parts = await changing([resource], { [resource]: items }, { [resource]: [] })
      await pass(parts.clock, 30 * dayMs, dayMs)
      expect(parts.collections.copyOf(resource)?.records).toHaveLength(1)
      expect(parts.heldOf(resource)).toMatchObject({ needsAcceptance: true })
      await parts.stop()
    },
  )
})

import { expect, test } from 'vitest'
import {
  findChangeItems,
  newItems,
  nothingSent,
} from '../../../src/delivery/notifications/change-webhooks.ts'
import type { Collection } from '../../../src/collections/collection.ts'
import type { Collections } from '../../../src/collections/collections.ts'
import { feeds } from '../../../src/feeds/catalog.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { collectionAfter } from '../../support/feed-text.ts'
import { testSite } from '../../support/site.ts'

const start = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 3_600_000

const drill = { id: 1, title: 'Drill', status: 2, startDate: '2026-03-20', allDay: 1 }
const parade = { ...drill, id: 2, title: 'Parade' }
const show = { ...drill, id: 4, title: 'Show' }
const meal = { ...drill, id: 5, title: 'Meal' }
const fire = { id: 7, date: '2026-03-01 10:00:00', headline: 'Fire', deployed: 1 }
const later = { ...fire, id: 8, date: '2026-03-09 10:00:00', headline: 'Later' }
const booking = {
  ...drill,
  id: 3,
  typeId: 1,
  type: 'Hall',
  renter: 'zqrenterzq',
  notes: 'zqnotezq',
}

/** Returns the items of the public feeds after several reads of the website, an hour apart. */
async function found(
  readings: Partial<Record<FeedResource, readonly (readonly unknown[])[]>>,
  { publicFeeds = ['events', 'news'], now = start + 10 * hourMs, language = 'en-US' } = {},
) {
  const copies = new Map<FeedResource, Collection>()
  for (const [name, read] of Object.entries(readings)) {
    const resource = name as FeedResource
    copies.set(resource, await collectionAfter(resource, read ?? [], start))
  }
  const collections = {
    copyOf: (resource: FeedResource) => copies.get(resource),
  } as Pick<Collections, 'copyOf'>
  const { feeds: ids, items } = await findChangeItems(
    {
      site: { ...testSite, language },
      publicFeeds: feeds.filter(({ id }) => publicFeeds.includes(id)),
      collections,
      duplicatesFor: () => Promise.resolve([]),
    },
    now,
  )
  return { feeds: ids, found: items, items: items.map(({ make }) => make()) }
}

test('finds new, changed and canceled entries, and published news', async () => {
  const moved = { ...drill, startDate: '2026-03-21' }
  const { items, feeds: ids } = await found({
    events: [
      [drill, show, meal],
      [drill, show, meal, parade],
      [moved, show, meal, parade],
      [moved, meal, parade],
    ],
    news: [[fire, later]],
  })
  expect(ids).toEqual(['events', 'news'])
  expect(items.toSorted((a, b) => (a.text < b.text ? -1 : 1))).toEqual([
    {
      id: expect.stringMatching(/^events-4-/),
      kind: 'canceled',
      feed: 'events',
      text: 'Canceled: Show, Fri, Mar 20',
      url: undefined,
    },
    {
      id: expect.stringMatching(/^events-1-/),
      kind: 'changed',
      feed: 'events',
      text: 'Moved: Drill, now Sat, Mar 21 (was Fri, Mar 20)',
      url: 'https://feeds.cedarhollow.example/events/1',
    },
    expect.objectContaining({ kind: 'new', text: 'New: Parade, Fri, Mar 20' }),
    {
      id: 'news-7',
      kind: 'news',
      feed: 'news',
      text: 'News: Fire',
      url: 'https://feeds.cedarhollow.example/news/7',
    },
  ])
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  const { items: nextWeek } = await found(
    { news: [[fire, later]] },
    { now: Date.parse('2026-03-10T15:00:00Z') },
  )
  expect(nextWeek.map(({ text }) => text)).toEqual(['News: Fire', 'News: Later'])
})

test('finds nothing of private feeds, and never a renter', async () => {
  const rental = [[], [booking]]
  expect((await found({ rental })).items).toEqual([])
  const { items } = await found({ rental }, { publicFeeds: ['rental'] })
  expect(items).toHaveLength(1)
  expect(JSON.stringify(items)).not.toContain('zq')
})

test('takes the items of a feed as known when it is found for the first time', async () => {
  const before = await found({ events: [[drill], [drill, parade]] })
  const first = newItems(nothingSent, { feeds: before.feeds, items: before.found }, start)
  expect(first.items).toEqual([])
  const after = await found({ events: [[drill], [drill, parade]], news: [[fire]] })
  const second = newItems(first.sent, { feeds: after.feeds, items: after.found }, start)
  expect(second.items).toEqual([])
  const last = await found({
    events: [[drill], [drill, parade]],
    news: [[fire, { ...fire, id: 9, headline: 'Second' }]],
  })
  const third = newItems(second.sent, { feeds: last.feeds, items: last.found }, start)
  expect(third.items.map(({ make }) => make().text)).toEqual(['News: Second'])
  expect(newItems(third.sent, { feeds: last.feeds, items: last.found }, start)).toEqual({
    sent: third.sent,
    items: [],
  })
})

test('sends old stories that are published in a feed that was empty, but no old entries', async () => {
  const before = await found({ events: [[]], news: [[]] })
  const { sent } = newItems(nothingSent, { feeds: before.feeds, items: before.found }, start)
  const story = { ...fire, date: '2025-03-01 10:00:00' }
  const event = { ...drill, created: '2026-02-01 10:00:00' }
  const after = await found({ events: [[], [event]], news: [[], [story]] })
  const { items } = newItems(sent, { feeds: after.feeds, items: after.found }, start)
  expect(items.map(({ make }) => make().text)).toEqual(['News: Fire'])
})

test('sends items in the site’s language, and does not resend them after the language changes', async () => {
  const readings = { events: [[drill], [drill, parade]], news: [[fire]] }
  const english = await found(readings)
  const french = await found(readings, { language: 'fr-CA' })
  expect(french.items.map(({ text }) => text)).toEqual([
    expect.stringContaining('20 mars'),
    expect.stringMatching(/\u202F: Fire$/),
  ])
  const { sent } = newItems(nothingSent, { feeds: english.feeds, items: english.found }, start)
  expect(newItems(sent, { feeds: french.feeds, items: french.found }, start).items).toEqual([])
})

test('remembers items for 90 days after they have disappeared', () => {
  const item = { key: 'a', id: 'a', feed: 'news', make: () => Promise.reject(new Error()) as never }
  const other = { ...item, key: 'b' }
  const dayMs = 24 * hourMs
  const known = newItems({ feeds: ['news'], seen: {} }, { feeds: ['news'], items: [item] }, start)
  const inDays = (days: number) =>
    newItems(known.sent, { feeds: ['news'], items: [other] }, start + days * dayMs).sent.seen
  expect(Object.keys(inDays(89))).toEqual(['a', 'b'])
  expect(Object.keys(inDays(91))).toEqual(['b'])
})

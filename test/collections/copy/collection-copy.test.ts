import { expect, test, describe } from 'vitest'
import { dayMs, hourMs } from '../../../src/clock.ts'
import {
  acceptHeldReading,
  applyReading,
  copyFromItems,
  type CollectionCopy,
} from '../../../src/collections/copy/collection-copy.ts'
import { mergedLedger } from '../../../src/collections/copy/ledger.ts'
import { unpackItems } from '../../../src/collections/copy/packed-items.ts'
import { oversizedItem } from '../../../src/records/read-records.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { itemsOf, renderFeed } from '../../support/feed-text.ts'

const event = (id: number, startDate: string) => {
  return { id, title: 'Drill', status: 2, startDate, allDay: 1 }
}

const reading = (...items: readonly object[]) => ({
  items: async () => items,
  calls: 1,
  days: undefined,
})

test('drops records that are outside the requested days instead of marking them as removed', async () => {
  const dates = ['2025-01-01', '2026-03-05', '2027-06-01', '2026-03-06']
  const items = dates.map((date, index) => event(index + 1, date))
  const first = {
    items: async () => items,
    calls: 1,
    days: { from: '2025-01-01', to: '2027-12-31' },
  }
  const { kept: before } = await applyReading('events', undefined, first, 1000)
  const days = { from: '2026-01-01', to: '2027-01-01' }
  const fewer = { items: async () => items.slice(1, 2), calls: 1, days }
  const { kept } = await applyReading('events', before, fewer, 2000)
  const { ledger } = kept.collection
  expect(new Set(ledger.keys())).toEqual(new Set([2, 4]))
  expect(ledger.get(4)).toMatchObject({ removedAt: 2000, lastOnline: { item: { id: 4 } } })
})

test('finds the last shown version of an item whose id is a string', async () => {
  const other = event(2, '2026-03-05')
  const first = reading({ ...other, id: '01' }, other)
  const { kept: before } = await applyReading('events', undefined, first, 1000)
  const { kept } = await applyReading('events', before, reading(other), 2000)
  expect(kept.collection.ledger.get(1)?.lastOnline?.item).toMatchObject({ id: '01' })
})

test('keeps the version of a record that is saved without changes', async () => {
  const story = { ...event(1, '2026-03-05'), created: '2026-01-01 09:00:00', modified: '' }
  const { kept: before } = await applyReading('events', undefined, reading(story), 1000)
  const touched = { ...story, modified: '2026-03-01 09:00:00', modifiedBy: 'Robin Vale' }
  const { kept } = await applyReading('events', before, reading(touched), 2000)
  expect(kept.collection.version).toBe(before.collection.version)
  const renamed = reading({ ...touched, title: 'Dinner' })
  const { kept: changed } = await applyReading('events', kept, renamed, 3000)
  expect(changed.collection.ledger.get(1)).toMatchObject({ revision: 1, changedAt: 3000 })
})

async function after(...readings: readonly (readonly object[])[]) {
  let kept: CollectionCopy<'events'> | undefined
  for (const [index, items] of readings.entries()) {
    kept = (await applyReading('events', kept, reading(...items), (index + 1) * 1000)).kept
  }
  if (!kept) throw new TypeError('no reading')
  return kept
}

/** Restores a copy from its items, like a restart. */
async function restarted(kept: CollectionCopy<'events'>) {
  return copyFromItems('events', await unpackItems(kept.items), kept)
}

describe('a record that becomes unreadable', () => {
  const good = event(1, '2026-03-05')
  const bad = { ...good, startDate: 'soon' }
  const other = event(2, '2026-03-06')

  test.for<[when: string, bads: readonly object[]]>([
    ['once', [bad]],
    ['in several readings', [bad, { ...bad, title: 'Edited' }, bad]],
    ['with another fault each time', [bad, { ...good, status: 9 }, { id: '1' }]],
  ])('keeps its last good version, unchanged: %s', async ([, bads]) => {
    const before = await after([good, other])
    const kept = await after([good, other], ...bads.map((each) => [each, other]))
    const { version, changedAt, records, ledger } = before.collection
    expect(kept.collection).toMatchObject({ version, changedAt, records, ledger })
    expect(kept.collection).toMatchObject({ rejectedCount: 1, outdatedCount: 1, unreadCount: 0 })
    expect(kept.rejectedSince).toEqual({ 1: 2000 })
    expect((await unpackItems(kept.items)).length).toBe(3)
    const { collection } = await restarted(kept)
    expect(collection).toMatchObject({ records, rejected: kept.collection.rejected })
  })

  test('keeps its last good version if the pages are read with other changes', async () => {
    const kept = await after([good, other], [bad, { ...other, title: 'Dinner' }], [bad])
    expect(kept.collection.records.map(({ id }) => id)).toEqual([1])
    expect(kept.collection.ledger.get(1)).toMatchObject({ revision: 0 })
  })

  test('keeps the last good version of the same id of several', async () => {
    const kept = await after([good, bad, other], [bad, bad, other], [bad, bad, other])
    expect(kept.collection.records.map(({ id }) => id)).toEqual([1, 2])
    expect((await unpackItems(kept.items)).length).toBe(4)
  })

  test('shows a new version once it is readable', async () => {
    const kept = await after([good, other], [bad, other], [{ ...good, title: 'New' }, other])
    expect(kept.collection.records[0]).toMatchObject({ id: 1, title: 'New' })
    expect(kept.collection).toMatchObject({ rejectedCount: 0, rejected: [], outdatedCount: 0 })
    expect(kept.rejectedSince).toEqual({})
    expect((await unpackItems(kept.items)).length).toBe(2)
  })

  test('is removed once it is gone', async () => {
    const kept = await after([good, other], [bad, other], [other])
    expect(kept.collection.records.map(({ id }) => id)).toEqual([2])
    expect(kept.collection.ledger.get(1)).toMatchObject({ removedAt: 3000 })
  })

  test('is counted, and not published, if it was never readable', async () => {
    const kept = await after([bad, other], [bad, other])
    expect(kept.collection.records.map(({ id }) => id)).toEqual([2])
    expect(kept.collection).toMatchObject({ outdatedCount: 0, unreadCount: 1 })
    expect(kept.rejectedSince).toEqual({ 1: 1000 })
  })

  test('causes a new ledger, so that the items are stored and pages are rendered again', async () => {
    const before = await after([good, other])
    const { kept } = await applyReading('events', before, reading(bad, other), 2000)
    expect(kept.collection.ledger).not.toBe(before.collection.ledger)
    const { kept: same } = await applyReading('events', kept, reading(bad, other), 3000)
    expect(same.collection.ledger).toBe(kept.collection.ledger)
  })

  test('keeps its last good version while it is too large', async () => {
    const kept = await after([good, other], [oversizedItem(1, '1'), other])
    expect(kept.collection.records.map(({ id }) => id)).toEqual([1, 2])
    const reason = 'the record is larger than 8 MiB'
    const rejected = [{ id: '1', reason, published: 'last good version' }]
    expect(kept.collection.rejected).toEqual(rejected)
    expect((await restarted(kept)).collection.rejected).toEqual(rejected)
  })
})

describe('an id that the website repeats', () => {
  const days = ['2026-03-05', '2026-03-12', '2026-03-19'].map((day) => event(1, day))
  const other = event(2, '2026-03-06')

  test('is shown on each day, and reported', async () => {
    const kept = await after([...days, other])
    const dates = kept.collection.records.map(({ startDate }) => startDate)
    expect(dates.toSorted()).toEqual(['2026-03-05', '2026-03-06', '2026-03-12', '2026-03-19'])
    const reason = '3 records have this id'
    const rejected = [{ id: '1', reason, published: 'all' }]
    expect(kept.collection).toMatchObject({ rejected, rejectedCount: 1, unreadCount: 0 })
    expect((await restarted(kept)).collection).toMatchObject({ rejected })
  })

  test('keeps its records while the others change', async () => {
    const before = await after([...days, other])
    const kept = await after([...days, other], [...days.slice(1), other])
    const [, ...ids] = before.collection.records.filter(({ id }) => id > 2).map(({ id }) => id)
    expect(kept.collection.records.map(({ id }) => id)).toEqual([2, ...ids])
    for (const id of ids) expect(kept.collection.ledger.get(id)).toMatchObject({ revision: 0 })
  })

  test('keeps the last good version of one of them, which is named with its day', async () => {
    const bad = days.map((day, index) => (index === 1 ? { ...day, status: 9 } : day))
    const kept = await after([...days, other], [...bad, other])
    expect(kept.collection.records).toHaveLength(4)
    const published = 'last good version'
    const [fault] = kept.collection.rejected
    expect(fault).toMatchObject({ id: '1 on 2026-03-12', published })
  })

  test('is reported if only the last of several records is published', async () => {
    const news = [1, 2].map((n) => ({ id: 7, date: '2026-03-05', headline: `Story ${n}` }))
    const { kept } = await applyReading('news', undefined, reading(...news), 1000)
    const reason = 'other records have the same id'
    expect(kept.collection.rejected).toEqual([{ id: '7', reason, published: 'part' }])
    expect(kept.collection.records).toMatchObject([{ headline: 'Story 2' }])
  })

  test('may be repeated a thousand times', async () => {
    const items = Array.from({ length: 1000 }, (_, index) =>
      event(1, new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)),
    )
    const kept = await after([...items, ...items], items)
    expect(kept.collection.records).toHaveLength(1000)
    expect(kept.collection.rejected).toHaveLength(1)
  })
})

test('keeps the last good versions of records in a held reading', async () => {
  const events = Array.from({ length: 20 }, (_, index) => event(index + 1, '2026-03-05'))
  const before = await after(events)
  const bad = { ...event(1, '2026-03-05'), startDate: 'soon' }
  const { kept, heldItems = [] } = await applyReading('events', before, reading(bad), 2000)
  expect(kept.held).toMatchObject({ records: 1 })
  const accepted = await acceptHeldReading('events', kept, heldItems, 3000)
  expect(accepted.collection.records.map(({ id }) => id)).toEqual([1])
})

const listing = (...items: readonly object[]) => ({
  items: async () => items,
  pageHashes: [JSON.stringify(items)],
  calls: 1,
  days: undefined,
})

test.for([
  { resource: 'events', item: event(1, '2026-03-05') },
  { resource: 'signup', item: { id: 1, title: 'Crew', status: 2, date: '2026-03-05' } },
] as const)('keeps the records of $resource from the same pages', async ({ resource, item }) => {
  const first = listing(item)
  const { kept: before } = await applyReading(resource, undefined, first, 1000)
  const again = { ...first, generated: '2026-03-05 10:00:00' }
  const { kept } = await applyReading(resource, before, again, 2000)
  expect(kept.collection.records).toBe(before.collection.records)
  expect(kept.collection.ledger).toBe(before.collection.ledger)
  expect(kept).toMatchObject({ readAt: 2000, clock: { at: 2000 }, collection: { fetchedAt: 2000 } })
})

test.for([
  { name: 'more pages', hashesAfter: (hash = '') => [hash, hash] },
  { name: 'another page', hashesAfter: () => ['other'] },
  { name: 'a page without a hash', hashesAfter: () => [undefined] },
])('reads a listing with $name', async ({ hashesAfter }) => {
  const first = listing(event(1, '2026-03-05'))
  const { kept: before } = await applyReading('events', undefined, first, 1000)
  const items = async () => [event(2, '2026-03-05')]
  const other = { ...first, items, pageHashes: hashesAfter(first.pageHashes[0]) }
  const { kept } = await applyReading('events', before, other, 2000)
  expect(kept.collection.records).toMatchObject([{ id: 2 }])
  expect(kept.pageHashes).toEqual(other.pageHashes)
})

test('reads every listing whose pages have no hashes', async () => {
  const unknown = { ...listing(event(1, '2026-03-05')), pageHashes: [undefined] }
  const { kept: before } = await applyReading('events', undefined, unknown, 1000)
  const other = { ...unknown, items: async () => [event(2, '2026-03-05')] }
  const { kept } = await applyReading('events', before, other, 2000)
  expect(kept.collection.records).toMatchObject([{ id: 2 }])
})

test('forgets the pages of a copy when a held reading is accepted', async () => {
  const first = listing(event(1, '2026-03-05'))
  const { kept: before } = await applyReading('events', undefined, first, 1000)
  const kept = await acceptHeldReading('events', before, [event(2, '2026-03-05')], 2000)
  expect(kept.pageHashes).toBeUndefined()
})

test('ends a loss when the published items are back', async () => {
  const items = Array.from({ length: 9 }, (_, index) => event(index + 1, '2026-03-05'))
  const whole = listing(...items)
  const { kept: before } = await applyReading('events', undefined, whole, 1000)
  const { kept: held } = await applyReading('events', before, listing(), 2000)
  expect(held.held).toBeDefined()
  const { kept } = await applyReading('events', held, whole, 3000)
  expect(kept.held).toBeUndefined()
  expect(kept.collection.records).toBe(before.collection.records)
})

test('publishes a loss after a day of reading the same pages', async () => {
  const items = Array.from({ length: 12 }, (_, index) => event(index + 1, '2026-03-05'))
  const left = listing(...items.slice(0, 3))
  let { kept } = await applyReading('events', undefined, listing(...items), 0)
  for (const at of [hourMs, 2 * hourMs, 24 * hourMs]) {
    ;({ kept } = await applyReading('events', kept, left, at))
    expect(kept.held).toBeDefined()
    expect(kept.collection.records).toHaveLength(12)
  }
  ;({ kept } = await applyReading('events', kept, left, 25 * hourMs))
  expect(kept.held).toBeUndefined()
  expect(kept.collection.records).toHaveLength(3)
})

const said = async (created: string, modified: string) => {
  const item = { ...event(1, '2026-03-05'), created, modified }
  const { kept } = await applyReading('events', undefined, reading(item), 1000)
  return kept.collection.ledger.get(1)?.saidAt
}

test('dates a new record at its first observation or its reported change, whichever is later', async () => {
  expect(await said('2026-01-01 09:00:00', '2026-02-01 09:00:00')).toBe('2026-02-01T09:00:00')
  expect(await said('2026-02-01 09:00:00', '2026-01-01 09:00:00')).toBe('2026-02-01T09:00:00')
  expect(await said('2026-02-01 09:00:00', '')).toBe('2026-02-01T09:00:00')
  expect(await said('', '')).toBeUndefined()
})

test('rereads the details of a sign-up sheet when its `modified` time changes', async () => {
  const sheet = { id: 1, title: 'Crew', status: 2, date: '2026-03-05', modified: '' }
  const { kept: before } = await applyReading('signup', undefined, reading(sheet), 1000)
  const touched = reading({ ...sheet, modified: '2026-03-01 09:00:00' })
  const { kept } = await applyReading('signup', before, touched, 2000)
  expect(kept.collection.version).not.toBe(before.collection.version)
})

test('publishes the first loss of most records in a small collection, but holds a second loss on the same day', async () => {
  const items = Array.from({ length: 9 }, (_, index) => event(index + 1, '2026-03-05'))
  const [nine, one] = [reading(...items), reading(...items.slice(0, 1))]
  const { kept: before } = await applyReading('events', undefined, nine, 1000)
  const { kept: first } = await applyReading('events', before, one, 2000)
  expect(first).toMatchObject({ held: undefined, lossAt: 2000 })
  expect(first.collection.records).toHaveLength(1)
  const { kept: second } = await applyReading('events', before, one, 3000, [first.lossAt ?? 0])
  expect(second.held).toMatchObject({ records: 1, needsAcceptance: true })
  expect(second.collection.records).toHaveLength(9)
  const { kept: later } = await applyReading('events', second, one, 4000, [])
  expect(later.held).toMatchObject({ since: 3000, needsAcceptance: true })
})

const start = Date.parse('2026-03-05T15:00:00Z')
const sample = sampleDatasetOn('2026-03-05')

/** Returns copies from before records are lost, while they are missing, and after they return. */
async function lostAndBack<R extends FeedResource>(
  resource: R,
  options: {
    readonly items?: readonly unknown[]
    readonly left?: readonly unknown[]
    readonly back?: readonly unknown[]
    readonly awayMs?: number
  } = {},
) {
  const { items = itemsOf(sample, resource), left = [], awayMs = 13 * dayMs } = options
  const read = async (
    before: CollectionCopy<R> | undefined,
    found: readonly unknown[],
    at: number,
  ) => applyReading(resource, before, { items: async () => found, calls: 1, days: undefined }, at)
  const first = await read(undefined, [...items, ...items], start - 30 * dayMs)
  const held = await read(first.kept, left, start)
  const acceptedAt = start + hourMs
  const lost = await acceptHeldReading(resource, held.kept, held.heldItems ?? [], acceptedAt)
  const later = acceptedAt + awayMs
  const back = await read(lost, options.back ?? items, later)
  return { before: first.kept, lost, back: back.kept, acceptedAt, later }
}

describe('entries that return within 14 days of an accepted loss', () => {
  test.for(['calendar', 'events', 'rental', 'signup', 'news', 'announce'] as const)(
    'keep their history in %s',
    async (resource) => {
      const { before, back } = await lostAndBack(resource)
      expect(before.collection.ledger.size).toBeGreaterThan(4)
      expect(back.collection.ledger).toEqual(before.collection.ledger)
    },
  )

  test('have a new revision if they changed', async () => {
    const items = sample.news
    const changed = items.map((story, index) => (index === 0 ? { ...story, headline: 'x' } : story))
    const { back, before, later } = await lostAndBack('news', { items, back: changed })
    const [first = 0, second = 0] = items.map(({ id }) => id)
    expect(back.collection.ledger.get(first)).toMatchObject({ revision: 1, changedAt: later })
    expect(back.collection.ledger.get(second)).toEqual(before.collection.ledger.get(second))
  })

  test('have a new revision after 14 days', async () => {
    const { back, later } = await lostAndBack('news', { awayMs: 14 * dayMs + 1 })
    for (const { id } of back.collection.records) {
      expect(back.collection.ledger.get(id)).toMatchObject({ revision: 1, changedAt: later })
    }
  })

  test('are unchanged after a backup is restored', async () => {
    const { before, lost } = await lostAndBack('news')
    const [present, gone] = [before.collection.ledger, lost.collection.ledger]
    expect(mergedLedger(present, gone)).toBe(present)
    expect(mergedLedger(gone, present)).toBe(gone)
  })
})

describe('an accepted loss', () => {
  test('cancels no entries', async () => {
    const { before, lost, acceptedAt } = await lostAndBack('events')
    const options = { now: acceptedAt, query: 'cancelled=mark' }
    expect(renderFeed('events', before.collection, options).text).toContain('BEGIN:VEVENT')
    expect(renderFeed('events', lost.collection, options).text).not.toContain('BEGIN:VEVENT')
  })

  test('does not change the revisions of the remaining records', async () => {
    const left = sample.events.slice(0, 3)
    const { before, lost } = await lostAndBack('events', { left })
    expect(lost.collection.records).toHaveLength(3)
    for (const { id } of left) {
      expect(lost.collection.ledger.get(id)).toEqual(before.collection.ledger.get(id))
    }
  })
})

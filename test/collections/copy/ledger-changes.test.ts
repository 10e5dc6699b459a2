import { beforeEach, describe, expect, test } from 'vitest'
import {
  acceptHeldReading,
  type CollectionCopy,
} from '../../../src/collections/copy/collection-copy.ts'
import {
  after,
  calendarItems,
  drill,
  halfHourly,
  minuteMs,
  others,
  start,
  wednesday,
  type Reading,
} from '../../support/ledger-changes.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import {
  loadKept,
  saveKept,
  storedStates,
} from '../../../src/collections/copy/stored-collections.ts'
import type { Documents } from '../../../src/store/store.ts'
import { openTestStore } from '../../support/store.ts'

const dayMs = 24 * 60 * minuteMs

const changesAfter = async (readings: readonly Reading[]) =>
  (await after('calendar', calendarItems(readings))).collection.ledger.get(1)?.changes

/** Returns the changes after readings of these items and others, half an hour apart. */
const changesBetween = (...lists: readonly (readonly object[])[]) =>
  changesAfter(halfHourly(...lists.map((items) => [...items, ...others])))

const facts = {
  title: 'Drill',
  part: 3,
  place: 'Station 1',
  startDate: '2026-03-03',
  startTime: '19:00:00',
}

test('keeps the reported fields of a changed record, before and after', async () => {
  const changes = await changesBetween([drill], [wednesday])
  const at = start + 30 * minuteMs
  expect(changes).toEqual([
    { revision: 1, since: at, at, before: facts, after: { ...facts, startDate: '2026-03-04' } },
  ])
})

test('has no changes after the first reading', async () => {
  const { collection } = await after('calendar', calendarItems([{ items: others, at: 0 }]))
  expect([...collection.ledger.values()].flatMap(({ changes = [] }) => changes)).toEqual([])
})

test('does not record changes to the text, the contact or the author', async () => {
  const edited = { ...drill, text: 'Bring gloves', contact: 'Robin Vale', modifiedBy: 'Robin Vale' }
  expect(await changesBetween([drill], [edited])).toBeUndefined()
})

test('combines edits within ten minutes into one change with the id of the first', async () => {
  const changes = await changesAfter([
    { items: [drill, ...others], at: 0 },
    { items: [wednesday, ...others], at: 30 },
    { items: [{ ...wednesday, location: 'Station 2' }, ...others], at: 39 },
  ])
  expect(changes).toMatchObject([
    {
      revision: 1,
      since: start + 30 * minuteMs,
      at: start + 39 * minuteMs,
      before: facts,
      after: { startDate: '2026-03-04', place: 'Station 2' },
    },
  ])
})

const movingBackAt = (at: number) =>
  changesAfter([
    { items: [drill, ...others], at: 0 },
    { items: [wednesday, ...others], at: 30 },
    { items: [drill, ...others], at },
  ])

test('keeps nothing of a record that moves back within ten minutes, else two changes', async () => {
  expect(await movingBackAt(39)).toBeUndefined()
  expect(await movingBackAt(40)).toMatchObject([{ revision: 1 }, { revision: 2 }])
})

describe('a record that disappears', () => {
  test.for([
    ['deleted', []],
    ['taken offline', [{ ...drill, status: 1 }]],
    ['turned into a draft', [{ ...drill, status: 0 }]],
  ] as const)('is a change when it is %s, and another when it is back', async ([, without]) => {
    const changes = await changesBetween([drill], without, [drill])
    expect(changes?.map(({ before, after, isBack }) => ({ before, after, isBack }))).toEqual([
      { before: facts, after: undefined, isBack: undefined },
      { before: undefined, after: facts, isBack: true },
    ])
  })

  test('is no change if it is back within ten minutes', async () => {
    const readings = [
      { items: [drill, ...others], at: 0 },
      { items: others, at: 30 },
      { items: [drill, ...others], at: 35 },
    ]
    expect(await changesAfter(readings)).toBeUndefined()
  })

  test('is no change before it is Online', async () => {
    const [draft, moved] = [drill, wednesday].map((item) => ({ ...item, status: 0 }))
    const changes = await changesBetween(
      [draft ?? {}],
      [moved ?? {}],
      [{ ...moved, status: 1 }],
      [],
    )
    expect(changes).toBeUndefined()
  })
})

describe('a record that appears', () => {
  const days = { from: '2025-03-01', to: '2026-09-01' }
  const fresh = { ...drill, created: '2026-03-01 14:50:00' }
  const appearing = (item: object, from: readonly object[] = []) =>
    changesAfter([
      { items: [...from, ...others], at: 0, days },
      { items: [item, ...others], at: 30, days },
    ])

  test('is new if it was just created, or was a draft', async () => {
    const isNew = [{ revision: 0, after: facts }]
    expect(await appearing(fresh)).toMatchObject(isNew)
    expect(await appearing({ ...drill, created: '' })).toMatchObject(isNew)
    const [change] = (await appearing(drill, [{ ...drill, status: 0 }])) ?? []
    expect(change).toMatchObject({ revision: 1, after: facts })
    expect(change).not.toHaveProperty('isBack')
  })

  test('is not new if it was created long before the last reading', async () => {
    expect(await appearing(drill)).toBeUndefined()
  })

  test('is not new if it is on a day that was not requested before', async () => {
    expect(await appearing({ ...fresh, startDate: '2026-09-01' })).toBeUndefined()
  })

  test('is not new if only its id could be read before', async () => {
    const unreadable = { ...drill, startDate: 'soon' }
    expect(await changesBetween([unreadable], [wednesday])).toBeUndefined()
  })

  test('has changed if it could not be read in between', async () => {
    const unreadable = { ...drill, startDate: 'soon' }
    const changes = await changesBetween([drill], [unreadable], [wednesday])
    expect(changes).toEqual(await changesBetween([drill], [drill], [wednesday]))
  })
})

test('a mass loss is not news, whether it is held, accepted or over', async () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ ...drill, id: index + 1 }))
  const held = await after('calendar', calendarItems(halfHourly(many, [])))
  expect(held.held).toBeDefined()
  const accepted = await acceptHeldReading('calendar', held, [], start + 60 * minuteMs)
  const changesIn = ({ collection }: typeof held) =>
    [...collection.ledger.values()].flatMap(({ changes = [] }) => changes)
  const later = calendarItems([{ items: many.map((item) => ({ ...item, title: 'D' })), at: 90 }])
  const back = await after('calendar', later, accepted)
  expect([held, accepted, back].flatMap(changesIn)).toEqual([])
  expect(back.collection.records).toHaveLength(20)
})

test('keeps changes for 90 days, the latest 20 per record and 1,000 per collection', async () => {
  const dates = halfHourly(
    ...Array.from({ length: 25 }, (_, index) => [
      { ...drill, startDate: `2026-04-${String(index + 1).padStart(2, '0')}` },
      ...others,
    ]),
  )
  const latest = await changesAfter(dates)
  expect(latest).toHaveLength(20)
  expect(latest?.[0]).toMatchObject({ revision: 5 })
  const end = { items: dates.at(-1)?.items ?? [], at: (90 * dayMs) / minuteMs + 23 * 30 }
  expect(await changesAfter([...dates, end])).toHaveLength(1)

  const many = Array.from({ length: 1_100 }, (_, index) => ({ ...drill, id: index + 1 }))
  const moved = many.map((item) => ({ ...item, location: 'Station 2' }))
  const { collection } = await after('calendar', calendarItems(halfHourly(many, moved)))
  const changes = [...collection.ledger.values()].flatMap(({ changes: kept = [] }) => kept)
  expect(changes).toHaveLength(1_000)
})

function sheet(taken: number, number = 5) {
  const signedUp = Array.from({ length: taken }, () => ({ name: 'Sam Hill', note: '' }))
  const groups = [
    { id: 1, name: 'Kitchen', slots: [{ id: 1, number, position: 'Cook', signedUp }] },
  ]
  const details = { sheet: { contact: 'Robin Vale' }, groups }
  const about = { title: 'Pancake crew', status: 2, date: '2026-03-14', eventDate: '' }
  return { id: 1, ...about, details }
}

/** Returns the changes of a record that is read like this, half an hour apart. */
const changesTo = async (resource: FeedResource, items: readonly object[]) => {
  const { collection } = await after(resource, halfHourly(...items.map((item) => [item])))
  return collection.ledger.get(1)?.changes
}

const openIn = async (sheets: readonly object[]) => {
  const changes = await changesTo('signup', sheets)
  return changes?.map(({ before, after: now }) => [before?.open, now?.open])
}

describe('a sign-up sheet', () => {
  test('is reported when few places are left, when it is full, and when places open again', async () => {
    const taken = [0, 1, 2, 3, 4, 5, 3, 2].map((count) => sheet(count))
    expect(await openIn(taken)).toEqual([
      [3, 2],
      [2, 1],
      [1, 0],
      [0, 2],
    ])
  })

  test('is not reported when its details are read, or when its places are unlimited', async () => {
    expect(await openIn([{ ...sheet(5), details: undefined }, sheet(5)])).toBeUndefined()
    expect(await openIn([sheet(3, 0), sheet(5, 0)])).toBeUndefined()
  })

  test('never stores names', async () => {
    const sheets = [sheet(4), sheet(5), { ...sheet(5), status: 1 }]
    const changes = JSON.stringify(await changesTo('signup', sheets))
    expect(changes).toContain('Pancake crew')
    expect(changes).not.toMatch(/Sam|Robin/)
  })
})

test('a rental has its type as title, and never a renter', async () => {
  const booking = { ...drill, type: 'Hall', typeId: 1, renter: 'Robin Vale', renterPhone: '555' }
  const other = { ...booking, id: 2 }
  const readings = halfHourly(
    [booking, other],
    [{ ...booking, renter: 'Sam Hill' }, other],
    [other],
  )
  const [first, ...rest] = (await after('rental', readings)).collection.ledger.get(1)?.changes ?? []
  expect(rest).toEqual([])
  expect(first?.before).toEqual({
    title: 'Hall',
    part: 1,
    startDate: '2026-03-03',
    startTime: '19:00:00',
  })
})

test('news stories and announcements have no changes, since they are items themselves', async () => {
  const story = { id: 1, headline: 'Fire', date: '2026-03-01 10:00:00', deployed: 1 }
  const stories = [story, { ...story, headline: 'Barn fire' }, { ...story, deployed: 0 }]
  const { collection } = await after('news', halfHourly(...stories.map((item) => [item])))
  expect(collection.ledger.get(1)).toMatchObject({ revision: 2 })
  expect(collection.ledger.get(1)).toMatchObject({ changes: undefined })
})

describe('a stored ledger', () => {
  let documents: Documents
  let kept: CollectionCopy<'calendar'>

  beforeEach(async () => {
    documents = openTestStore(() => start).documents
    const readings = halfHourly([drill, ...others], [wednesday, ...others], others)
    kept = await after('calendar', calendarItems(readings))
    const stored = { revision: 0, contentId: 'a', isContentNew: true, heldItems: undefined }
    await saveKept(documents, 'calendar', kept, stored)
  })

  async function load() {
    const state = (await storedStates(documents)).get('calendar')
    return state && (await loadKept(documents, 'calendar', state))
  }

  const editLedger = async (edit: (text: string) => string) => {
    const text = (await documents.get('ledgers', 'calendar'))?.value ?? ''
    await documents.write([{ bucket: 'ledgers', id: 'calendar', value: edit(text) }])
  }

  test('has the same changes when it is loaded', async () => {
    expect(await load()).toEqual(kept)
    expect((await load())?.collection.ledger.get(1)?.changes).toHaveLength(2)
  })

  test('of an older version has no changes', async () => {
    await editLedger((text) => text.replace(/,"changes":\[[^\]]*\]/g, ''))
    const { changes: _changes, ...older } = kept.collection.ledger.get(1) ?? {}
    expect((await load())?.collection.ledger.get(1)).toEqual(older)
  })

  test('keeps its other entries if a change is unreadable', async () => {
    await editLedger((text) => text.replace('"before":{"title":"Drill"', '"before":{"title":7'))
    const ledger = (await load())?.collection.ledger
    expect(ledger?.get(1)).not.toHaveProperty('changes', expect.anything())
    expect(ledger?.get(1)).toMatchObject({ revision: 2 })
    expect(ledger?.size).toBe(4)
  })
})

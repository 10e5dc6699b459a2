import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import {
  mergedEntry as mergedEntryAt,
  mergeDuplicates,
  type DuplicateGroup,
} from '../../src/calendar/merge-duplicates.ts'
import type { CalendarEntry } from '../../src/calendar/calendar-entry.ts'

type Wish = {
  readonly sourceIndex: number
  readonly id: number
  readonly summary: string
  readonly location?: string
  readonly start?: string
  readonly allDay?: boolean
}

function candidate(wish: Wish) {
  const { sourceIndex, id, summary, location = '' } = wish
  const { start = '2026-03-05T19:00:00', allDay = false } = wish
  const time = allDay
    ? ({ allDay: true, start, end: start } as const)
    : ({ allDay: false, start, end: undefined } as const)
  const name = `${sourceIndex}-${id}`
  return { sourceIndex, record: { id }, time, text: () => ({ summary, location }), name }
}

/** Returns the names of the entries in each group that has more than one. */
const mergedIn = (...wishes: readonly Wish[]) =>
  atOnce(mergeDuplicates(wishes.map(candidate)))
    .filter(({ length }) => length > 1)
    .map((entries) => entries.map(({ name }) => name).join(' '))

/** Returns true if an entry of one source is merged with an entry of another one. */
const areMerged = (a: Partial<Wish>, b: Partial<Wish>) =>
  mergedIn(
    { sourceIndex: 0, id: 1, summary: 'Open house', ...a },
    { sourceIndex: 1, id: 1, summary: 'Open house', ...b },
  ).length > 0

const station = 'Station 1'

type Pair = readonly [about: string, a: Partial<Wish>, b: Partial<Wish>]

const alike: readonly Pair[] = [
  ['the same title', {}, {}],
  ['titles in different case', {}, { summary: 'OPEN HOUSE' }],
  ['titles with different punctuation', {}, { summary: ' Open-House! ' }],
  ['different apostrophes', { summary: 'Chief’s dinner' }, { summary: "Chief's Dinner" }],
  [
    'one title inside the other at the same place',
    { location: station },
    { summary: 'Annual Open House 2026', location: 'station 1.' },
  ],
  [
    'the same title on the same whole day',
    { start: '2026-03-05', allDay: true },
    { start: '2026-03-05', allDay: true },
  ],
]

const different: readonly Pair[] = [
  ['different accents', { summary: 'Café' }, { summary: 'Cafe' }],
  ['a typo', {}, { summary: 'Open huose' }],
  ['one title inside the other, but no place', {}, { summary: 'Open house party' }],
  [
    'one title inside the other at different places',
    { location: station },
    { summary: 'Annual open house', location: 'Station 2' },
  ],
  [
    'one title inside a word of the other',
    { summary: 'Art', location: station },
    { summary: 'Party', location: station },
  ],
  ['only the place in common', { location: station }, { summary: 'Drill', location: station }],
  ['different times', {}, { start: '2026-03-05T19:30:00' }],
  ['different days', {}, { start: '2026-03-06T19:00:00' }],
  ['a time and a whole day', {}, { start: '2026-03-05', allDay: true }],
  ['no title', { summary: 'Untitled' }, { summary: 'Untitled' }],
  ['titles of punctuation only', { summary: '!!!' }, { summary: '???' }],
]

test.for(alike)('merges entries with %s', ([, a, b]) => {
  expect([areMerged(a, b), areMerged(b, a)]).toEqual([true, true])
})

test.for(different)('keeps entries separate that have %s', ([, a, b]) => {
  expect([areMerged(a, b), areMerged(b, a)]).toEqual([false, false])
})

test('never merges two entries of one source', () => {
  expect(areMerged({}, { sourceIndex: 0, id: 2 })).toBe(false)
})

const drill = (sourceIndex: number, id: number, change: Partial<Wish> = {}): Wish => ({
  sourceIndex,
  id,
  summary: 'Drill',
  location: station,
  ...change,
})

test.for([
  ['compares up to 100 entries that start at the same time', 50, 50],
  ['compares none if there are more', 51, 0],
] as const)('%s', ([, pairs, merged]) => {
  const wishes = Array.from({ length: pairs }, (_, id) => ({ id, summary: `Drill ${id}` }))
  const entries = [0, 1].flatMap((sourceIndex) => wishes.map((wish) => ({ sourceIndex, ...wish })))
  expect(mergedIn(...entries)).toHaveLength(merged)
})

describe('several candidates', () => {
  test('merges three sources', () => {
    expect(mergedIn(drill(2, 1), drill(0, 1), drill(1, 1))).toEqual(['0-1 1-1 2-1'])
  })

  test('merges two entries of one source with two of another, by id', () => {
    expect(mergedIn(drill(1, 8), drill(0, 2), drill(1, 7), drill(0, 1))).toEqual([
      '0-1 1-7',
      '0-2 1-8',
    ])
  })

  test('prefers the entry with the same title', () => {
    const company = { summary: 'Company drill' }
    expect(mergedIn(drill(0, 1), drill(0, 2, company), drill(1, 1, company))).toEqual(['0-2 1-1'])
  })

  test('merges nothing if a title is inside several others', () => {
    const titles = ['Drill north', 'Drill south']
    const long = titles.map((summary, index) => drill(0, index + 1, { summary }))
    expect(mergedIn(...long, drill(1, 1))).toEqual([])
    const longLater = long.map((wish) => ({ ...wish, sourceIndex: 1 }))
    expect(mergedIn(drill(0, 1), ...longLater)).toEqual([])
  })
})

const wishes = fc.array(
  fc.record({
    sourceIndex: fc.integer({ min: 0, max: 3 }),
    id: fc.integer({ min: 1, max: 5 }),
    summary: fc.constantFrom('Drill', 'drill!', 'Company drill', 'Open house', 'Untitled', ''),
    location: fc.constantFrom('', station, 'Town hall'),
    start: fc.constantFrom('2026-03-05T19:00:00', '2026-03-06T19:00:00'),
  }),
  { maxLength: 24 },
)

const unique = (all: readonly Wish[]) => [
  ...new Map(all.map((wish) => [`${wish.sourceIndex}-${wish.id}`, wish])).values(),
]

const namesIn = (all: readonly Wish[]) =>
  atOnce(mergeDuplicates(all.map(candidate))).map((group) => group.map(({ name }) => name))

describe('any entries', () => {
  test('are all in exactly one group, with at most one entry per source, in the order of sources', () => {
    fc.assert(
      fc.property(wishes.map(unique), (all) => {
        const groups = atOnce(mergeDuplicates(all.map(candidate)))
        expect(groups.flatMap((group) => group.map(({ name }) => name)).sort()).toEqual(
          all.map(({ sourceIndex, id }) => `${sourceIndex}-${id}`).sort(),
        )
        for (const group of groups) {
          const sources = group.map(({ sourceIndex }) => sourceIndex)
          expect(new Set(sources).size).toBe(group.length)
          expect(sources).toEqual(sources.toSorted((a, b) => a - b))
        }
      }),
    )
  })

  test('are grouped the same way in any order', () => {
    const shuffled = wishes
      .map(unique)
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      )
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(namesIn(other).map(String).sort()).toEqual(namesIn(all).map(String).sort())
      }),
    )
  })
})

const mergedEntry = (entries: DuplicateGroup<CalendarEntry>, changedAt = 0) =>
  mergedEntryAt(entries, { uid: entries[0].uid, changedAt })

const plain: CalendarEntry = {
  uid: 'calendar-1@host',
  summary: 'Open house',
  location: '',
  description: '',
  categories: [],
  time: { allDay: false, start: '2026-03-05T19:00:00', end: undefined },
  status: 'confirmed',
  isBusy: false,
  url: undefined,
  revision: { sequence: 5, lastModified: 5000, created: 1000 },
}

describe('the entry for a group', () => {
  const rich: CalendarEntry = {
    ...plain,
    uid: 'events-1@host',
    summary: 'Annual open house',
    description: 'Come and see.',
    location: station,
    revision: { sequence: 9, lastModified: 9000, created: undefined },
  }

  test('has the content of the entry with more fields, and the latest revision', () => {
    expect(mergedEntry([plain, rich])).toMatchObject({
      uid: 'calendar-1@host',
      relatedUids: ['events-1@host'],
      summary: 'Annual open house',
      description: 'Come and see.',
      revision: { sequence: 9, lastModified: 9000, created: 1000 },
    })
    expect(
      mergedEntry([
        { ...rich, uid: 'a' },
        { ...plain, uid: 'b' },
      ]),
    ).toMatchObject({ uid: 'a', relatedUids: ['b'], summary: 'Annual open house' })
  })

  test('has a later revision after a change to an entry that it no longer has', () => {
    const changedAt = Date.UTC(2026, 2, 5)
    const { revision } = mergedEntry([plain], changedAt)
    expect(revision).toMatchObject({ lastModified: changedAt, created: 1000 })
    expect(revision.sequence).toBeGreaterThan(plain.revision.sequence)
  })

  test('has the content of the first entry if both have as many fields', () => {
    expect(mergedEntry([plain, { ...plain, summary: 'OPEN HOUSE' }]).summary).toBe('Open house')
  })

  test('gets fields that the other entry lacks', () => {
    const time = { allDay: false, start: plain.time.start, end: '2026-03-05T21:00:00' } as const
    const linked = {
      ...plain,
      url: 'https://host/calendar/1',
      time,
      isBusy: true,
      categories: ['A'],
    }
    expect(mergedEntry([{ ...rich, categories: ['B'] }, linked])).toMatchObject({
      summary: 'Annual open house',
      description: 'Come and see.',
      location: station,
      url: 'https://host/calendar/1',
      time,
      isBusy: true,
      categories: ['B', 'A'],
    })
  })

  test('is confirmed if one of them is', () => {
    expect(mergedEntry([{ ...plain, status: 'tentative' }, plain]).status).toBe('confirmed')
  })
})

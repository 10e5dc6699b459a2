import { expect, test } from 'vitest'
import type { PartEntry } from '../../src/calendar/calendar-part.ts'
import { occasionsAfter, type KnownOccasions } from '../../src/calendar/known-occasions.ts'
import type { FeedResource } from '../../src/records/resources.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 2, 5)

/** A record with the hours of its first sighting and its last change. */
type Wish = {
  readonly title?: string
  readonly day?: number
  readonly seen?: number
  readonly changed?: number
}

function entryOf(
  id: number,
  { title = 'Drill', day = 7, seen = 0, changed = seen }: Wish,
): PartEntry {
  const text = { summary: title, location: 'Station 1', description: '', categories: [] }
  return {
    record: { id } as PartEntry['record'],
    uid: '',
    time: { allDay: false, start: `2026-03-0${day}T19:00:00`, end: undefined },
    status: 'confirmed',
    subsetId: undefined,
    known: {
      hash: '',
      revision: 0,
      firstSeenAt: start + seen * hourMs,
      changedAt: start + changed * hourMs,
    },
    textFor: () => text,
    entryFor: () => {
      throw new TypeError('not rendered')
    },
  }
}

type Records = Partial<Record<FeedResource, Readonly<Record<number, Wish>>>>

const textOf = (entry: PartEntry) => entry.textFor({ profile: 'public', siteUrl: '' })

/** Follows occasions from one reading to the next. Removed records changed in the hour of the reading. */
function follow(...readings: readonly Records[]) {
  let occasions: KnownOccasions = []
  const seen = new Map<string, number>()
  for (const [hour, reading] of readings.entries()) {
    const sources = Object.entries(reading).map(([name, records]) => {
      const resource = name as FeedResource
      const listed = Object.entries(records)
      const ledger = new Map<number, { changedAt: number }>()
      for (const [key] of seen) {
        const [of = '', id = ''] = key.split(' ')
        if (of === resource) ledger.set(Number(id), { changedAt: start + hour * hourMs })
      }
      const entries = listed.map(([id, wish]) => entryOf(Number(id), wish))
      for (const { record, known } of entries) {
        ledger.set(record.id, known)
        seen.set(`${resource} ${record.id}`, hour)
      }
      return { resource, entries, ledger }
    })
    occasions = occasionsAfter(occasions, sources, textOf, start + hour * hourMs)
  }
  return occasions.map((members) =>
    members.map(({ resource, id, state, changedAt }) => {
      const about = state === 'listed' ? '' : ` ${state}`
      return `${resource} ${id}${about} at ${(changedAt - start) / hourMs}`
    }),
  )
}

const both = { calendar: { 1: {} }, events: { 1: {} } }

test('knows the records that describe the same occasion, in the order of their sources', () => {
  expect(follow(both)).toEqual([['calendar 1 at 0', 'events 1 at 0']])
  expect(follow({ calendar: { 1: {} }, events: { 1: { title: 'Other' } } })).toEqual([])
})

test('puts the record first that became known first', () => {
  expect(follow({ calendar: { 1: { seen: 5 } }, events: { 1: { seen: 2 } } })).toEqual([
    ['events 1 at 2', 'calendar 1 at 5'],
  ])
})

test('keeps a removed record as long as a later one is listed', () => {
  const without = { calendar: {}, events: { 1: {} } }
  expect(follow(both, without)).toEqual([['calendar 1 removed at 1', 'events 1 at 0']])
  const moved = { calendar: {}, events: { 1: { day: 8, changed: 2 } } }
  expect(follow(both, without, moved)).toEqual([['calendar 1 removed at 2', 'events 1 at 2']])
  expect(follow(both, without, both)).toEqual([['calendar 1 at 1', 'events 1 at 0']])
})

test('keeps a removed later record only until the first one changes', () => {
  const without = { calendar: { 1: {} }, events: {} }
  expect(follow(both, without)).toEqual([['calendar 1 at 0', 'events 1 removed at 1']])
  const edited = { calendar: { 1: { title: 'Night drill', changed: 2 } }, events: {} }
  expect(follow(both, without, edited)).toEqual([])
})

test('lets records that describe different occasions part, each with its own UID', () => {
  const apart = { calendar: { 1: {} }, events: { 1: { day: 8, changed: 1 } } }
  expect(follow(both, apart)).toEqual([['calendar 1 at 0', 'events 1 separate at 1']])
  const gone = { calendar: {}, events: { 1: { day: 8, changed: 1 } } }
  expect(follow(both, apart, gone)).toEqual([['calendar 1 removed at 2', 'events 1 separate at 1']])
  expect(follow(both, apart, both)).toEqual([['calendar 1 at 0', 'events 1 at 1']])
})

test('keeps the order of the rest when the first record describes another occasion', () => {
  const three = { ...both, signup: { 1: { seen: -2 } } }
  expect(follow(three)).toEqual([['signup 1 at -2', 'calendar 1 at 0', 'events 1 at 0']])
  const moved = { ...both, signup: { 1: { seen: -2, day: 9, changed: 1 } } }
  expect(follow(three, moved)).toEqual([
    ['signup 1 separate at 1', 'calendar 1 at 0', 'events 1 at 0'],
  ])
})

test('merges two occasions that have become one', () => {
  const two = {
    calendar: { 1: {}, 2: { day: 8 } },
    events: { 1: {} },
    signup: { 2: { day: 8 } },
  }
  const one = { calendar: { 1: {} }, events: { 1: {} }, signup: { 2: { changed: 1 } } }
  expect(follow(two, one)).toEqual([['calendar 1 at 0', 'events 1 at 0', 'signup 2 at 1']])
})

test('keeps members of a source that cannot be read', () => {
  expect(follow(both, { events: { 1: {} } })).toEqual([['calendar 1 at 0', 'events 1 at 0']])
})

/** Readings without records for this many days. */
const days = (count: number) => Array.from({ length: count * 24 }, () => ({}))

test('forgets an occasion 90 days after its last record was removed', () => {
  const none = { calendar: {}, events: {} }
  const removed = [['calendar 1 removed at 1', 'events 1 removed at 1']]
  expect(follow(both, none, ...days(89))).toEqual(removed)
  expect(follow(both, none, ...days(90))).toEqual([])
})

import { expect, test } from 'vitest'
import type { SectionEntry } from '../../src/calendar/calendar-section.ts'
import { emptyHistory, updatedHistory } from '../../src/calendar/duplicate-history.ts'
import type { FeedResource } from '../../src/records/resources.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 2, 5)

/** A record with the hour of its last change. */
type Wish = {
  readonly title?: string
  readonly day?: number
  readonly changed?: number
  readonly partId?: number
}

function entryOf(id: number, { title = 'Drill', day = 7, changed = 0, partId }: Wish) {
  const text = { summary: title, location: 'Station 1', description: '', categories: [] }
  const changedAt = start + changed * hourMs
  return {
    record: { id } as SectionEntry['record'],
    time: { allDay: false, start: `2026-03-0${day}T19:00:00`, end: undefined } as const,
    partId,
    known: { hash: '', revision: 0, firstSeenAt: changedAt, changedAt },
    textFor: () => text,
  }
}

type Records = Readonly<Record<string, Readonly<Record<number, Wish>>>>

const reader = { profile: 'public', siteUrl: '', language: 'en-US' } as const

/** Returns the history after these readings, an hour apart. */
function historyAfter(readings: readonly Records[]) {
  let history = emptyHistory
  for (const [hour, reading] of readings.entries()) {
    const sources = Object.entries(reading).map(([name, records]) => {
      const entries = Object.entries(records).map(([id, wish]) => entryOf(Number(id), wish))
      const ledger = new Map(entries.map(({ record, known }) => [record.id, known]))
      return { resource: name as FeedResource, entries, ledger }
    })
    history = updatedHistory(history, sources, reader, start + hour * hourMs)
  }
  return history
}

/** Returns the members of all groups after these readings. */
const follow = (...readings: readonly Records[]) =>
  historyAfter(readings).groups.map((members) =>
    members.map(({ resource, id, state, changedAt }) => {
      const about = state === 'listed' ? '' : ` ${state}`
      return `${resource} ${id}${about} at ${(changedAt - start) / hourMs}`
    }),
  )

/** Readings without any sources for this many days. */
const days = (count: number) => Array.from({ length: count * 24 }, () => ({}))

const both = { calendar: { 1: {} }, events: { 1: {} } }

test('knows the records that describe the same event, in the order of their sources', () => {
  expect(follow(both)).toEqual([['calendar 1 at 0', 'events 1 at 0']])
  expect(follow({ calendar: { 1: {} }, events: { 1: { title: 'Other' } } })).toEqual([])
})

test('keeps records together that were together, whatever comes or goes', () => {
  const pairs = { calendar: { 1: {}, 2: {} }, events: { 1: {}, 2: {} } }
  expect(follow(pairs, { ...pairs, calendar: { 2: {} } })).toEqual([
    ['calendar 1 removed at 1', 'events 1 at 0'],
    ['calendar 2 at 0', 'events 2 at 0'],
  ])
  const one = { calendar: { 2: {} }, events: { 1: {} } }
  expect(follow(one, { ...one, calendar: { 1: { changed: 1 }, 2: {} } })).toEqual([
    ['calendar 2 at 0', 'events 1 at 0'],
  ])
})

test('puts a returning record after the records that readers already have', () => {
  const single = { calendar: { 1: {} }, events: {} }
  const other = { calendar: {}, events: { 1: {} } }
  expect(follow(single, other, both)).toEqual([['events 1 at 0', 'calendar 1 at 0']])
})

test('notices that a record belongs to another calendar', () => {
  const before = { ...both, calendar: { 1: { partId: 3 } } }
  const moved = { ...both, calendar: { 1: { changed: 1, partId: 4 } } }
  expect(historyAfter([before, moved]).groups[0]?.map(({ subsetId }) => subsetId)).toEqual([
    4,
    undefined,
  ])
})

test('keeps a removed record as long as a later one is listed', () => {
  const without = { calendar: {}, events: { 1: {} } }
  expect(follow(both, without)).toEqual([['calendar 1 removed at 1', 'events 1 at 0']])
  const moved = { calendar: {}, events: { 1: { day: 8, changed: 2 } } }
  expect(follow(both, without, moved)).toEqual([['calendar 1 removed at 1', 'events 1 at 2']])
  expect(follow(both, without, both)).toEqual([['calendar 1 at 1', 'events 1 at 0']])
})

test('keeps a removed later record while it may appear as canceled', () => {
  const without = { calendar: { 1: {} }, events: {} }
  expect(follow(both, without)).toEqual([['calendar 1 at 0', 'events 1 removed at 1']])
  const edited = { calendar: { 1: { changed: 2 } }, events: {} }
  expect(follow(both, without, ...days(89), edited)).toHaveLength(1)
  expect(follow(both, without, ...days(90), edited)).toEqual([])
})

test('splits records that describe different events, each with its own UID', () => {
  const apart = { calendar: { 1: {} }, events: { 1: { day: 8, changed: 1 } } }
  expect(follow(both, apart)).toEqual([
    ['calendar 1 at 0', 'events 1 separate at 1'],
    ['calendar 1 separate at 1', 'events 1 at 1'],
  ])
  const together = ['calendar 1 at 0', 'events 1 at 0']
  expect(follow(both, apart, both)[0]?.map((text) => text.replace(/\d+$/, '0'))).toEqual(together)
})

test('keeps the order of the rest when the first record describes another event', () => {
  const rest = { events: { 1: {} }, signup: { 1: {} } }
  expect(follow({ calendar: { 1: {} }, ...rest })).toEqual([
    ['calendar 1 at 0', 'events 1 at 0', 'signup 1 at 0'],
  ])
  const moved = { calendar: { 1: { day: 9, changed: 1 } }, ...rest }
  expect(follow({ calendar: { 1: {} }, ...rest }, moved)).toContainEqual([
    'calendar 1 separate at 1',
    'events 1 at 0',
    'signup 1 at 0',
  ])
})

test('merges two groups that have become one', () => {
  const two = { calendar: { 1: {}, 2: { day: 8 } }, events: { 1: {} }, signup: { 2: { day: 8 } } }
  const one = { calendar: { 1: {} }, events: { 1: {} }, signup: { 2: { changed: 1 } } }
  expect(follow(two, one)).toEqual([
    ['calendar 1 at 0', 'events 1 at 0', 'signup 2 at 1'],
    ['calendar 2 removed at 1', 'signup 2 separate at 1'],
  ])
})

test('keeps members of a source that cannot be read', () => {
  expect(follow(both, { events: { 1: {} } })).toEqual([['calendar 1 at 0', 'events 1 at 0']])
})

test('forgets a group 90 days after its last record was removed', () => {
  const none = { calendar: {}, events: {} }
  const removed = [['calendar 1 removed at 1', 'events 1 removed at 1']]
  expect(follow(both, none, ...days(89))).toEqual(removed)
  expect(follow(both, none, ...days(91))).toEqual([])
})

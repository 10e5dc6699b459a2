import { expect, test } from 'vitest'
import { calendarRecipe } from '../../src/calendar/record-recipes.ts'
import { foundChanges, changeNote, reportedChanges } from '../../src/calendar/reported-changes.ts'
import type {
  ChangeHistory,
  RecordFacts,
  RecordedChange,
} from '../../src/records/recorded-change.ts'

const timeZone = 'America/Chicago'
const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs
const firstSeenAt = Date.parse('2026-02-01T12:00:00.900Z')
const at = Date.parse('2026-02-20T15:00:00Z')

const onDay = (day: number, title = 'Drill'): RecordFacts => ({
  title,
  place: 'Station 1',
  startDate: `2026-03-${String(day).padStart(2, '0')}`,
})

const changed = (change: Partial<RecordedChange>): RecordedChange => ({
  revision: 4,
  since: at,
  at,
  ...change,
})

const history = (...changes: readonly RecordedChange[]): ChangeHistory => ({
  hash: 'a',
  revision: 4,
  firstSeenAt,
  changedAt: at,
  changes,
})

const times = { timeZone, language: 'en-US' }

const changesIn = (
  histories: Readonly<Record<number, ChangeHistory>>,
  hiddenIds: readonly number[] = [],
) => {
  const ledger = new Map(Object.entries(histories).map(([id, each]) => [Number(id), each]))
  const isShown = (id: number) => !hiddenIds.includes(id)
  return reportedChanges(foundChanges(calendarRecipe, ledger, { ...times, isShown }), times)
}

const textsOf = (changes: ReturnType<typeof changesIn>) => changes.map(({ text }) => text)

const noteOf = (...changes: readonly RecordedChange[]) =>
  changeNote(calendarRecipe, history(...changes), times)

test('identifies a change by its record and revision, and keeps it for 90 days', () => {
  const move = changed({ before: onDay(3), after: onDay(4), at: at + 1000 })
  expect(changesIn({ 7: history(move) })).toMatchObject([
    {
      id: `7-${Math.floor(firstSeenAt / 1000)}-4`,
      recordId: 7,
      kind: 'changed',
      text: 'Moved: Drill, now Wed, Mar 4 (was Tue, Mar 3)',
      since: at,
      at: at + 1000,
      finalAt: at + 10 * minuteMs,
      expiresAt: at + 90 * dayMs,
    },
  ])
})

test('reads a ledger of an older version, without changes', () => {
  const { changes: _changes, ...older } = history()
  expect(changesIn({ 7: older, 8: history() })).toEqual([])
})

test('reports three or more new entries with the same title as one change', () => {
  const series = Object.fromEntries(
    [10, 3, 24, 17].map((day, index) => [index + 5, history(changed({ after: onDay(day) }))]),
  )
  const single = history(changed({ after: onDay(5, 'Meeting') }))
  const [first, ...others] = changesIn({ ...series, 20: single })
  expect(first).toMatchObject({
    recordId: 5,
    text: 'New: Drill, 4 dates from Tue, Mar 3 to Tue, Mar 24',
  })
  expect(first?.details).toEqual(
    [3, 10, 17, 24].map((day) => `Tuesday, March ${day}, 2026, Station 1`),
  )
  expect(textsOf(others)).toEqual(['New: Meeting, Thu, Mar 5, Station 1'])
})

test('reports a place that many entries share as one change', () => {
  const elsewhere = (day: number, title: string, place: string) =>
    history(changed({ before: onDay(day, title), after: { ...onDay(day, title), place } }))
  const renamed = Array.from({ length: 25 }, (_, index) => elsewhere(index + 2, 'Drill', 'Hall 1'))
  const [first, ...others] = changesIn({
    ...Object.fromEntries(renamed.entries()),
    30: elsewhere(1, 'Meeting', 'Hall 1'),
    31: elsewhere(3, 'Meeting', 'Hall 2'),
    32: history(changed({ before: onDay(3), after: { ...onDay(4), place: 'Hall 1' } })),
  })
  expect(first).toMatchObject({
    recordId: 0,
    kind: 'changed',
    text: 'Location of 26 events now Hall 1 (was Station 1)',
  })
  expect(first?.details.slice(0, 2)).toEqual([
    'Meeting, Sunday, March 1, 2026',
    'Drill, Monday, March 2, 2026',
  ])
  expect(first?.details.slice(-1)).toEqual(['and 6 more'])
  expect(textsOf(others)).toEqual([
    'New place: Meeting, Tue, Mar 3, now Hall 2 (was Station 1)',
    'Moved: Drill, now Wed, Mar 4, Hall 1 (was Tue, Mar 3, Station 1)',
  ])
})

test('reports a place that three or more entries no longer have as one change', () => {
  const removed = [3, 4, 5].map((day) =>
    history(changed({ before: onDay(day), after: { ...onDay(day), place: '' } })),
  )
  expect(textsOf(changesIn(Object.fromEntries(removed.entries())))).toEqual([
    'Location of 3 events removed (was Station 1)',
  ])
})

test('reports a canceled series as one change, but each move separately', () => {
  const canceled = [3, 10, 17].map((day) => [day, history(changed({ before: onDay(day) }))])
  const moved = [4, 11, 18].map((day) => [
    day,
    history(changed({ before: onDay(day), after: onDay(day + 1) })),
  ])
  expect(textsOf(changesIn(Object.fromEntries([...canceled, ...moved])))).toEqual([
    'Canceled: Drill, 3 dates from Tue, Mar 3 to Tue, Mar 17',
    'Moved: Drill, now Thu, Mar 5 (was Wed, Mar 4)',
    'Moved: Drill, now Thu, Mar 12 (was Wed, Mar 11)',
    'Moved: Drill, now Thu, Mar 19 (was Wed, Mar 18)',
  ])
})

test('keeps only the cancellation of an entry that the website no longer shows', () => {
  const renamed = changed({ before: onDay(3, 'Secret'), after: onDay(3), revision: 1 })
  const canceled = changed({ before: onDay(3), revision: 2 })
  const histories = { 7: history(renamed, canceled) }
  expect(textsOf(changesIn(histories, [7]))).toEqual(['Canceled: Drill, Tue, Mar 3'])
  // It was lost with most others, which is not a change.
  expect(changesIn({ 7: history(renamed) }, [7])).toEqual([])
  expect(changesIn(histories)).toHaveLength(2)
})

test('keeps a series as it was when entries are hidden, but without their places', () => {
  const series = Object.fromEntries(
    [3, 10, 17].map((day, index) => [index + 5, history(changed({ after: onDay(day) }))]),
  )
  const before = changesIn(series)
  const [{ id } = { id: '' }] = before
  for (const hiddenIds of [[5], [5, 6], [7]]) {
    const text = 'New: Drill, 3 dates from Tue, Mar 3 to Tue, Mar 17'
    expect(changesIn(series, hiddenIds)).toMatchObject([{ id, text, recordId: 5 }])
  }
  const [{ details, places } = { details: [], places: [] }] = changesIn(series, [6])
  expect(details).toEqual([
    'Tuesday, March 3, 2026, Station 1',
    'Tuesday, March 10, 2026',
    'Tuesday, March 17, 2026, Station 1',
  ])
  expect(places).toEqual(['Station 1', 'Station 1'])
  expect(changesIn(series, [5, 6, 7])).toEqual([])
  expect(changesIn(series)).toEqual(before)
})

test('keeps a shared place as it was when entries are hidden, but without their titles', () => {
  const moved = ['Drill', 'Meeting', 'Secret'].map((title) =>
    history(changed({ before: onDay(3, title), after: { ...onDay(3, title), place: 'Hall 1' } })),
  )
  const [before] = changesIn(Object.fromEntries(moved.entries()))
  const [after, ...more] = changesIn(Object.fromEntries(moved.entries()), [2])
  expect(more).toEqual([])
  expect([before?.text, before?.id]).toEqual([after?.text, after?.id])
  expect(after?.text).toBe('Location of 3 events now Hall 1 (was Station 1)')
  expect(after?.details).toContain('Tuesday, March 3, 2026')
  expect(JSON.stringify(after)).not.toContain('"Secret')
  expect(after?.details.join()).not.toContain('Secret')
})

test('gives a series another id if another feed reports some of its entries', () => {
  const series = new Map(
    [3, 10, 17].map((day, index) => [index, history(changed({ before: onDay(day) }))]),
  )
  const found = foundChanges(calendarRecipe, series, { ...times, isShown: () => false })
  const without = (...ids: readonly number[]) =>
    reportedChanges(found, times, ({ recordId }) => ids.includes(recordId))
  expect(textsOf([...without(2), ...without(1, 2)])).toEqual([
    'Canceled: Drill, 2 dates from Tue, Mar 3 to Tue, Mar 10',
    'Canceled: Drill, Tue, Mar 3',
  ])
  const ids = [without(), without(2), without(1), without(1, 2)].flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  expect(without(0, 1, 2)).toEqual([])
})

test('reports entries that are canceled one after another as two changes, of which neither grows', () => {
  const canceledAfter = (minutes: readonly number[]) =>
    minutes.map((minute) => {
      const since = at + minute * minuteMs
      return history(changed({ since, at: since, before: onDay(minute + 1) }))
    })
  const reportedAfter = (minutes: readonly number[]) =>
    changesIn(Object.fromEntries(canceledAfter(minutes).entries()))
  const minutes = [0, 1, 2, 3, 5, 8, 9]
  const [first, later, ...more] = reportedAfter(minutes)
  expect(more).toEqual([])
  expect(first).toMatchObject({
    text: 'Canceled: Drill, Sun, Mar 1',
    finalAt: at + 10 * minuteMs,
  })
  expect(later).toMatchObject({
    text: 'Canceled: Drill, 6 dates from Mon, Mar 2 to Tue, Mar 10',
    finalAt: at + 20 * minuteMs,
    expiresAt: first?.expiresAt,
  })
  const grown = reportedAfter([...minutes, 10, 12, 14, 25])
  expect(grown.slice(0, 2)).toEqual([first, later])
  expect(textsOf(grown.slice(2))).toEqual([
    'Canceled: Drill, Wed, Mar 11',
    'Canceled: Drill, Fri, Mar 13',
    'Canceled: Drill, Sun, Mar 15',
    'Canceled: Drill, Thu, Mar 26',
  ])
})

test('lists at most 20 dates of a series', () => {
  const days = Array.from({ length: 22 }, (_, index) => index + 1)
  const series = days.map((day) => [day, history(changed({ after: onDay(day) }))])
  const [change] = changesIn(Object.fromEntries(series))
  expect(change?.details).toHaveLength(21)
  expect(change?.details.at(-1)).toBe('and 2 more')
})

test('notes the latest move, place or title of an entry', () => {
  const move = changed({ before: onDay(3), after: onDay(4), revision: 1, at: at - dayMs })
  const back = changed({ after: onDay(4), isBack: true, revision: 3 })
  expect(noteOf(move)).toEqual({
    text: 'Moved: Drill, now Wed, Mar 4 (was Tue, Mar 3)',
    at: at - dayMs,
  })
  expect(noteOf(move, back)).toEqual({ text: 'Back on: Drill, Wed, Mar 4, Station 1', at })
  expect(noteOf()).toBeUndefined()
  expect(noteOf(changed({ after: onDay(4) }))).toBeUndefined()
})

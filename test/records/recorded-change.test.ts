import { expect, test } from 'vitest'
import { isReported, type RecordFacts } from '../../src/records/recorded-change.ts'

const facts: RecordFacts = {
  title: 'Drill',
  part: 1,
  place: 'Station 1',
  startDate: '2026-03-10',
  endDate: '2026-03-10',
  startTime: '18:00:00',
  endTime: '21:00:00',
  eventDate: '6 PM',
  open: 5,
}

test.for<[change: Partial<RecordFacts>, isWorthAnItem: boolean]>([
  [{}, false],
  [{ title: 'Meeting' }, true],
  [{ part: 2 }, false],
  [{ place: 'Station 2' }, true],
  [{ startDate: '2026-03-09' }, true],
  [{ endDate: '2026-03-11' }, true],
  [{ startTime: '17:00:00' }, true],
  [{ endTime: '22:00:00' }, true],
  [{ eventDate: '7 PM' }, true],
  [{ open: 4 }, false],
  [{ open: 2 }, true],
])('%j is a change that is reported: %s', ([change, isWorthAnItem]) => {
  expect(isReported(facts, { ...facts, ...change })).toBe(isWorthAnItem)
})

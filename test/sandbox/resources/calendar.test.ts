import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { allDayRecord } from '../../support/all-day-record.ts'
import { idsOf } from '../../support/sandbox.ts'

const calendar = [
  allDayRecord(1, '2026-03-01', '2026-03-04'),
  allDayRecord(2, '2026-03-01', '2026-03-05', 0),
  allDayRecord(3, '2026-04-04', '2026-04-06', 1),
  allDayRecord(4, '2026-04-05', '2026-04-05'),
  allDayRecord(5, '2026-02-20', '2026-05-20'),
].map((event) => ({ ...event, calendarId: event.id % 2 === 0 ? 2 : 1, calendar: 'c' }))

test.for([
  ['', [2, 3, 5], '2026-03-05', '2026-04-04'],
  ['?StartDate=2026-03-04&EndDate=2026-03-04', [1, 2, 5], '2026-03-04', '2026-03-04'],
  // The default replaces a missing date.
  ['?StartDate=2026-03-02', [1, 2, 3, 5], '2026-03-02', '2026-04-04'],
  ['?EndDate=2026-04-05', [2, 3, 4, 5], '2026-03-05', '2026-04-05'],
  ['?CalendarID=1', [3, 5], '2026-03-05', '2026-04-04'],
  ['?CalendarID=9', [], '2026-03-05', '2026-04-04'],
  ['?CalendarID=1&All=1', [1, 3, 5], '', ''],
  ['?All=1&StartDate=2026-03-05', [1, 2, 3, 4, 5], '', ''],
  ['?ID=1', [1], '', ''],
] as const)(
  '%s returns the events %j of any status, which overlap the period from “%s” to “%s”',
  async ([query, expected, startDate, endDate]) => {
    const { bodyOf } = await startSandboxWith({ calendar })
    const body = await bodyOf(`calendar/${query}`)
    expect(idsOf({ body })).toEqual(expected)
    expect(body).toMatchObject({ startDate, endDate, totalCount: expected.length })
  },
)

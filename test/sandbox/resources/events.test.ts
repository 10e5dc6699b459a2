import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { allDayRecord } from '../../support/all-day-record.ts'

const events = [
  allDayRecord(1, '2026-03-01', '2026-03-04'),
  allDayRecord(2, '2026-03-01', '2026-03-05', 1),
  allDayRecord(3, '2030-01-01', '2030-01-01', 0),
  { ...allDayRecord(4, '2026-03-04', ''), allDay: 0 },
]

test.for([
  ['', 'of any status that are current or upcoming', [2, 3]],
  ['?All=1', 'past and future', [1, 2, 3, 4]],
  ['?All=1&StartDate=2030-01-01', 'regardless of their dates', [1, 2, 3, 4]],
  ['?StartDate=2026-03-04&EndDate=2026-03-04', 'that overlap a period', [1, 2, 4]],
  ['?EndDate=2026-03-03', 'that start until a day', [1, 2]],
  ['?StartDate=2026-03-06', 'that end since a day', [3]],
  ['?ID=1', 'with an id, regardless of its dates', [1]],
] as const)('%s returns events %s', async ([query, , expected]) => {
  const { ids } = await startSandboxWith({ events })
  expect(await ids(`events/${query}`)).toEqual(expected)
})

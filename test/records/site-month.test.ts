import { expect, test } from 'vitest'
import {
  lastDayIn,
  monthsAfter,
  monthsBetween,
  monthToPrint,
  readSiteMonth,
  weeksOf,
} from '../../src/records/site-month.ts'

test.for([
  ['2026-12', 5, 2, '2026-12-31'],
  ['2027-02', 5, 1, '2027-02-28'],
  ['2026-02', 4, 0, '2026-02-28'],
  ['2028-02', 5, 2, '2028-02-29'],
  ['2027-05', 6, 6, '2027-05-31'],
] as const)('lays out %s in weeks from Sunday', ([month, count, blanks, last]) => {
  const weeks = weeksOf(month, 7)
  expect(weeks).toHaveLength(count)
  expect(weeks.every((week) => week.length === 7)).toBe(true)
  expect(weeks[0]?.filter((day) => day === undefined)).toHaveLength(blanks)
  const days = weeks.flat().filter((day) => day !== undefined)
  expect([days[0], days.at(-1)]).toEqual([`${month}-01`, last])
  expect(lastDayIn(month)).toBe(last)
})

test.for(['2026-13', '2026-1', '26-01', '2026', '', '0000-01', '2026-12-01'])(
  'does not read "%s" as a month',
  (text) => {
    expect(readSiteMonth(text)).toBeUndefined()
  },
)

test('counts months across years', () => {
  expect([monthsAfter('2026-12', 1), monthsAfter('2027-01', -13)]).toEqual(['2027-01', '2025-12'])
  expect([monthsBetween('2026-11', '2027-01'), monthsBetween('2027-01', '2026-11')]).toEqual([
    2, -2,
  ])
})

test.for([
  ['2026-11-01', '2026-11'],
  ['2026-11-23', '2026-11'],
  ['2026-11-24', '2026-12'],
  ['2026-12-31', '2027-01'],
  ['2028-02-22', '2028-02'],
  ['2028-02-23', '2028-03'],
] as const)('the month to print on %s is %s', ([day, month]) => {
  expect(monthToPrint(day)).toBe(month)
})

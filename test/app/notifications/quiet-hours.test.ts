import { expect, test } from 'vitest'
import { isQuiet, summaryDayAt } from '../../../src/app/notifications/quiet-hours.ts'

const zone = 'America/New_York'
const night = { from: 22 * 60, until: 6 * 60 + 30 }
const noon = { from: 12 * 60, until: 13 * 60 }

test.for([
  [night, '2026-03-05T21:59:59-05:00', false],
  [night, '2026-03-05T22:00:00-05:00', true],
  [night, '2026-03-06T03:00:00-05:00', true],
  [night, '2026-03-06T06:29:59-05:00', true],
  [night, '2026-03-06T06:30:00-05:00', false],
  // Clocks in New York are set forward on March 8.
  [night, '2026-03-08T06:29:00-04:00', true],
  [night, '2026-03-08T06:30:00-04:00', false],
  [noon, '2026-03-05T12:30:00-05:00', true],
  [noon, '2026-03-05T13:00:00-05:00', false],
  [undefined, '2026-03-05T03:00:00-05:00', false],
] as const)('%o at %s: %s', ([hours, time, expected]) => {
  expect(isQuiet(hours, Date.parse(time), zone)).toBe(expected)
})

test.for([
  [1, '2026-03-02T08:59:00-05:00', undefined],
  [1, '2026-03-02T09:00:00-05:00', '2026-03-02'],
  [1, '2026-03-02T23:59:00-05:00', '2026-03-02'],
  [1, '2026-03-03T09:00:00-05:00', undefined],
  [7, '2026-03-08T09:00:00-04:00', '2026-03-08'],
  [undefined, '2026-03-02T09:00:00-05:00', undefined],
] as const)('the summary of weekday %s is due at %s: %s', ([weekday, time, expected]) => {
  expect(summaryDayAt(weekday, Date.parse(time), zone)).toBe(expected)
})

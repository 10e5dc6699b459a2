import { expect, test } from 'vitest'
import { durationText } from '../../../src/app/notifications/alert-notices.ts'

const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(60 * count)

test.for([
  [1, '1 minute'],
  [minutes(1.5), '2 minutes'],
  [hours(1), '1 hour'],
  [hours(2) + minutes(5), '2 hours and 5 minutes'],
  [hours(23) + minutes(59), '23 hours and 59 minutes'],
  [hours(24) + minutes(59), '1 day'],
  [hours(47) + minutes(59), '1 day and 23 hours'],
] as const)('writes %s ms as %s', ([durationMs, text]) => {
  expect(durationText(durationMs)).toBe(text)
})

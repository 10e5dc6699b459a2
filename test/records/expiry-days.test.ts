import { expect, test } from 'vitest'
import { isReminded } from '../../src/records/expiry-days.ts'
import { daysAfter } from '../../src/records/site-time.ts'

test('reminds once in each of the weeks in which 90, 60 or 30 days are left', () => {
  const expires = '2026-06-30'
  for (const weekday of [0, 1, 2, 3, 4, 5, 6]) {
    const weeks = Array.from({ length: 20 }, (_, week) =>
      daysAfter('2026-03-01', weekday + week * 7),
    )
    const reminded = weeks.filter((today) => isReminded(expires, today, 7))
    expect(reminded).toHaveLength(3)
  }
  expect(isReminded(expires, '2026-04-01', 7)).toBe(true)
  expect(isReminded(expires, '2026-03-31', 7)).toBe(false)
  expect(isReminded(expires, '2026-04-08', 7)).toBe(false)
})

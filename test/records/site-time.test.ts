import { afterEach, describe, expect, test, vi } from 'vitest'
import { dayMs } from '../../src/clock.ts'
import {
  daysAfter,
  instantFromSiteTime,
  isoWeekOf,
  mondayOf,
  siteDateAt,
} from '../../src/records/site-time.ts'

const newYork = 'America/New_York'

test('counts days across DST changes and year boundaries', () => {
  expect(daysAfter('2026-03-07', 2)).toBe('2026-03-09')
  expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01')
  expect(daysAfter('2026-01-01', -400)).toBe('2024-11-27')
})

test('counts days the same way as dates, around the ends of all months', () => {
  for (let day = Date.parse('2023-12-15'); day < Date.parse('2025-03-15'); day += dayMs) {
    for (const days of [-31, -28, -7, -1, 0, 1, 7, 27, 28]) {
      const [date, after] = [day, day + days * dayMs].map((at) => new Date(at).toISOString())
      expect(daysAfter(date?.slice(0, 10) ?? '', days)).toBe(after?.slice(0, 10))
    }
  }
})

test.for([
  ['2026-12-28', '2026-12-28', '2026-W53'],
  ['2027-01-03', '2026-12-28', '2026-W53'],
  ['2027-01-04', '2027-01-04', '2027-W01'],
  ['2024-12-31', '2024-12-30', '2025-W01'],
] as const)('returns the week of %s', ([date, monday, week]) => {
  expect([mondayOf(date), isoWeekOf(date)]).toEqual([monday, week])
})

test('returns the date of an instant in the site’s time zone', () => {
  expect(siteDateAt(Date.parse('2026-03-05T02:00:00Z'), newYork)).toBe('2026-03-04')
  expect(siteDateAt(Date.parse('2026-03-05T02:00:00Z'), 'Pacific/Kiritimati')).toBe('2026-03-05')
})

describe('instants', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are computed with the offset before the gap for a skipped time', () => {
    const instant = instantFromSiteTime('2026-03-08T02:30:00', newYork)
    expect(new Date(instant).toISOString()).toBe('2026-03-08T07:30:00.000Z')
  })

  test.for(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
    'refer to the first occurrence of a repeated time if they are computed on %s',
    (today) => {
      vi.useFakeTimers({ now: new Date(today) })
      const instant = instantFromSiteTime('2026-11-01T01:30:00', newYork)
      expect(new Date(instant).toISOString()).toBe('2026-11-01T05:30:00.000Z')
    },
  )
})

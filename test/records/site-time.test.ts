import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  daysAfter,
  instantFromSiteTime,
  isoWeekOf,
  mondayOf,
  readSiteDate,
  readSiteDateTime,
  readSiteTime,
  siteDateAt,
} from '../../src/records/site-time.ts'

const newYork = 'America/New_York'

test.for([
  { text: '2026-03-08', date: '2026-03-08' },
  { text: ' 2026-03-08 ', date: '2026-03-08' },
  { text: '2024-02-29', date: '2024-02-29' },
  { text: '2026-02-29', date: undefined },
  { text: '2026-02-30', date: undefined },
  { text: '2026-13-01', date: undefined },
  { text: '0000-00-00', date: undefined },
  { text: '0001-01-01', date: undefined },
  { text: '9999-12-31', date: undefined },
  { text: '03/08/2026', date: undefined },
  { text: '2026-3-8', date: undefined },
  { text: '', date: undefined },
])('reads the date "$text"', ({ text, date }) => {
  expect(readSiteDate(text)).toBe(date)
})

test.for([
  { text: '19:00:00', time: '19:00:00' },
  { text: '19:00', time: '19:00:00' },
  { text: '9:05', time: '09:05:00' },
  { text: '7:00 PM', time: '19:00:00' },
  { text: '7:30pm', time: '19:30:00' },
  { text: '7 PM', time: '19:00:00' },
  { text: '7', time: undefined },
  { text: '13 PM', time: undefined },
  { text: '12:00 AM', time: '00:00:00' },
  { text: '12:15 p.m.', time: '12:15:00' },
  { text: '00:00:00', time: '00:00:00' },
  { text: '19:00:00.000', time: '19:00:00' },
  { text: '24:00', time: undefined },
  { text: '13:00 PM', time: undefined },
  { text: '0:30 AM', time: undefined },
  { text: '19:60', time: undefined },
  { text: 'noon', time: undefined },
  { text: '', time: undefined },
])('reads the time "$text"', ({ text, time }) => {
  expect(readSiteTime(text)).toBe(time)
})

test.for([
  { text: '2026-03-08 09:15:00', dateTime: '2026-03-08T09:15:00' },
  { text: '2026-03-08T09:15:00', dateTime: '2026-03-08T09:15:00' },
  { text: '2026-03-08 7:00 PM', dateTime: '2026-03-08T19:00:00' },
  { text: '2026-03-08', dateTime: '2026-03-08T00:00:00' },
  { text: '2026-02-30 09:15:00', dateTime: undefined },
  { text: '', dateTime: undefined },
])('reads the date and time "$text"', ({ text, dateTime }) => {
  expect(readSiteDateTime(text)).toBe(dateTime)
})

test('counts days across DST changes and year boundaries', () => {
  expect(daysAfter('2026-03-07', 2)).toBe('2026-03-09')
  expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01')
  expect(daysAfter('2026-01-01', -400)).toBe('2024-11-27')
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

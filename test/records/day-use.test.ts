import { expect, test } from 'vitest'
import type { TimeSpan } from '../../src/records/date-words.ts'
import { countedTime, freeSaturdays, useOfDay, usesInMonth } from '../../src/records/day-use.ts'

const timed = (start: string, end?: string): TimeSpan => ({ allDay: false, start, end })
const days = (start: string, end: string): TimeSpan => ({ allDay: true, start, end })

const day = '2026-12-05'

test.for([
  ['all-day', days(day, '2062-12-06'), days(day, '2026-12-06')],
  [
    'timed',
    timed(`${day}T18:00:00`, '2062-12-05T23:00:00'),
    timed(`${day}T18:00:00`, '2026-12-06T00:00:00'),
  ],
  ['long, but less than a year', days(day, '2027-12-05'), days(day, '2027-12-05')],
] as const)(
  'counts the first day of a booking with a mistyped year: %s',
  ([, booking, counted]) => {
    expect(countedTime(booking)).toEqual(counted)
  },
)

test.for<[string, readonly TimeSpan[], string]>([
  ['no booking', [], 'free'],
  ['another day', [days('2026-12-06', '2026-12-07')], 'free'],
  ['the whole day', [days(day, '2026-12-06')], 'taken'],
  ['the middle of several days', [days('2026-12-03', '2026-12-08')], 'taken'],
  ['an evening', [timed(`${day}T18:00:00`, `${day}T23:00:00`)], 'partly'],
  ['a long party', [timed(`${day}T10:00:00`, `${day}T22:00:00`)], 'taken'],
  [
    'two bookings',
    [timed(`${day}T08:00:00`, `${day}T13:00:00`), timed(`${day}T14:00:00`, `${day}T20:00:00`)],
    'taken',
  ],
  ['ten hours', [timed(`${day}T08:00:00`, `${day}T18:00:00`)], 'taken'],
  ['a second less than ten hours', [timed(`${day}T08:00:00`, `${day}T17:59:59`)], 'partly'],
  ['a night until noon', [timed('2026-12-04T18:00:00', `${day}T12:00:00`)], 'free'],
  ['a night until after noon', [timed('2026-12-04T08:00:00', `${day}T12:00:01`)], 'taken'],
  ['a night until one', [timed('2026-12-04T18:00:00', `${day}T01:00:00`)], 'free'],
  ['a start without an end', [timed(`${day}T18:00:00`)], 'partly'],
])('%s', ([, bookings, use]) => {
  expect(useOfDay(bookings, day)).toBe(use)
})

test('has no use for days in the past', () => {
  const uses = usesInMonth([days(day, '2026-12-06')], '2026-12', {
    from: '2026-12-04',
    firstWeekday: 7,
  }).flat()
  const useOf = (date: string) => uses.find((cell) => cell?.day === date)
  expect(useOf('2026-12-03')?.use).toBeUndefined()
  expect([useOf('2026-12-04')?.use, useOf(day)?.use]).toEqual(['free', 'taken'])
})

test('does not compare bookings of other months with each day of a month', () => {
  let reads = 0
  const other: TimeSpan = {
    ...timed(`${day}T18:00:00`),
    get start() {
      reads += 1
      return '2027-02-06T18:00:00'
    },
  }
  const bookings = [days('2026-11-29', '2026-12-02'), other]
  const uses = usesInMonth(bookings, '2026-12', { from: '2026-11-30', firstWeekday: 7 }).flat()
  expect(uses.filter((cell) => cell?.use === 'taken').map((cell) => cell?.day)).toEqual([
    '2026-12-01',
  ])
  expect(reads).toBeLessThan(5)
})

test('names the next free Saturdays', () => {
  const range = { from: '2026-12-04', to: '2026-12-31', max: 2 }
  expect(freeSaturdays([], range)).toEqual(['2026-12-05', '2026-12-12'])
  expect(freeSaturdays([days(day, '2026-12-06')], { ...range, max: 9 })).toEqual([
    '2026-12-12',
    '2026-12-19',
    '2026-12-26',
  ])
})

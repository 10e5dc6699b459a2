import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBookingTime, readEntryTime } from '../../src/calendar/calendar-entry.ts'
import { endOfSpan, hasDistantEnd } from '../../src/records/date-words.ts'

const timed = {
  startDate: '2026-03-10',
  endDate: '2026-03-10',
  allDay: false,
  startTime: '19:00:00',
  endTime: '21:00:00',
}
const allDay = { allDay: true }
const start = '2026-03-10T19:00:00'
const end = '2026-03-10T21:00:00'
const midnight = '2026-03-11T00:00:00'
const asWritten = 'late'

type Row = [name: string, change: object, end: string | undefined, repair?: string]

test.for<Row>([
  ['as given', {}, end],
  ['overnight', { endDate: '2026-03-11', endTime: '06:00:00' }, '2026-03-11T06:00:00'],
  ['without an end time', { endTime: undefined }, undefined],
  ['ending when it starts', { endTime: '19:00:00' }, undefined, 'ends when it starts'],
  ['ending before it starts', { endTime: '18:00:00' }, undefined, 'ends before it starts'],
  ['ending at midnight on the same date', { endTime: '00:00:00' }, midnight],
  ['ending at the end of the same date', { endTime: '24:00:00' }, midnight],
  ['ending at night on the same date', { endTime: '02:00:00' }, '2026-03-11T02:00:00'],
  [
    'of a long night on the same date',
    { startTime: '08:00:00', endTime: '02:00:00' },
    '2026-03-11T02:00:00',
  ],
  ['of a whole day on the same date', { startTime: '00:30:00', endTime: '00:00:00' }, midnight],
  ['ending on an earlier day', { endDate: '2026-03-01' }, end, 'ends before it starts'],
  ['ending on the day before', { endDate: '2026-03-09' }, end, 'ends before it starts'],
  ['ending at the start of Unix time', { endDate: '1970-01-01' }, end, 'ends before it starts'],
  [
    'ending at night on an earlier day',
    { endDate: '1900-01-01', endTime: '01:00:00' },
    '2026-03-11T01:00:00',
    'ends before it starts',
  ],
  ['without an end date', { endDate: undefined }, end],
  ['with an invalid end date', { endDate: null }, end, 'has an invalid end date'],
  [
    'over several days without an end time',
    { endDate: '2026-03-12', endTime: undefined },
    '2026-03-13T00:00:00',
    'has no end time on its last day',
  ],
  [
    'ending in another year',
    { endDate: '2062-03-10' },
    '2062-03-10T21:00:00',
    'ends a year or more after it starts',
  ],
])('reads a time %s', ([, change, end, repair]) => {
  const start = `2026-03-10T${'startTime' in change ? String(change.startTime) : '19:00:00'}`
  const time = { allDay: false, start, end }
  expect(readEntryTime({ ...timed, ...change })).toEqual({ time, repair })
})

test('reads a time that starts at the end of a day', () => {
  const { time } = readEntryTime({ ...timed, startTime: '24:00:00', endTime: '02:00:00' })
  expect(time).toMatchObject({ start: midnight, end: '2026-03-11T02:00:00' })
})

test.for<Row>([
  ['without a start time', { startTime: undefined }, '2026-03-11', 'has no start time'],
  ['of a day', allDay, '2026-03-11'],
  ['of several days', { ...allDay, endDate: '2026-03-12' }, '2026-03-13'],
  ['without an end date', { ...allDay, endDate: undefined }, '2026-03-11'],
  [
    'ending before it starts',
    { ...allDay, endDate: '2026-03-01' },
    '2026-03-11',
    'ends before it starts',
  ],
  [
    'ending a year later',
    { ...allDay, endDate: '2027-03-10' },
    '2027-03-11',
    'ends a year or more after it starts',
  ],
  ['ending almost a year later', { ...allDay, endDate: '2027-03-09' }, '2027-03-10'],
])('reads whole days %s', ([, change, end, repair]) => {
  const time = { allDay: true, start: '2026-03-10', end }
  expect(readEntryTime({ ...timed, ...change })).toEqual({ time, repair })
})

test.for([
  ['00:00:00', '00:00:00'],
  ['00:00:00', undefined],
  ['00:00:00', '23:59:00'],
  ['00:00:00', '23:59:59'],
  ['00:00:00', '24:00:00'],
  ['24:00:00', '24:00:00'],
] as const)('reads %s to %s as whole days', ([startTime, endTime]) => {
  const record = { ...timed, endDate: '2026-03-12', startTime, endTime }
  expect(readEntryTime(record)).toEqual({
    time: { allDay: true, start: '2026-03-10', end: '2026-03-13' },
    repair: 'has midnight as its time',
  })
})

test('reads a time that starts at midnight and ends in the morning', () => {
  const { time, repair } = readEntryTime({ ...timed, startTime: '00:00:00', endTime: '06:00:00' })
  expect(time).toEqual({ allDay: false, start: '2026-03-10T00:00:00', end: '2026-03-10T06:00:00' })
  expect(repair).toBeUndefined()
})

test.for([
  ['only the end', {}, { allDay: false, start, end: undefined, asWritten }],
  [
    'the end on a later day',
    { endDate: '2026-03-11' },
    { allDay: false, start, end: '2026-03-12T00:00:00', asWritten },
  ],
  [
    'the end after midnight as the start',
    { startTime: '00:00:00' },
    { allDay: true, start: '2026-03-10', end: '2026-03-11', asWritten },
  ],
  [
    'the start and the end',
    { startTime: { asWritten: 'dusk' } },
    { allDay: true, start: '2026-03-10', end: '2026-03-11', asWritten: 'dusk – late' },
  ],
  [
    'only the start',
    { startTime: { asWritten: 'dusk' }, endTime: '21:00:00' },
    { allDay: true, start: '2026-03-10', end: '2026-03-11', asWritten: 'dusk – 21:00' },
  ],
  [
    'nothing that matters, because it lasts all day',
    { ...allDay },
    { allDay: true, start: '2026-03-10', end: '2026-03-11' },
  ],
] as const)('keeps times that cannot be read as they are written: %s', ([, change, time]) => {
  expect(readEntryTime({ ...timed, endTime: { asWritten }, ...change }).time).toEqual(time)
})

test('lets a booking without an end last until midnight', () => {
  const booking = { ...timed, endTime: undefined }
  expect(readBookingTime(booking).time).toEqual({ allDay: false, start, end: midnight })
  expect(readBookingTime({ ...timed, endTime: '19:00:00' })).toEqual({
    time: { allDay: false, start, end: midnight },
    repair: 'ends when it starts',
  })
})

test('notices an end a year or more after the start', () => {
  const ends = ['2027-03-09', '2027-03-10', '2062-03-10']
  const times = ends.map((endDate) => readEntryTime({ ...timed, ...allDay, endDate }).time)
  expect(times.map(hasDistantEnd)).toEqual([false, true, true])
})

const days = fc
  .integer({ min: 0, max: 40_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
const clocks = fc.oneof(
  fc.constantFrom('00:00:00', '24:00:00', '23:59:00', '12:00:00'),
  fc
    .tuple(fc.nat(23), fc.nat(59))
    .map((parts) => `${parts.map((part) => String(part).padStart(2, '0')).join(':')}:00`),
)
const times = fc.oneof(clocks, fc.constantFrom(undefined, { asWritten }))
const records = fc.record({
  startDate: days,
  endDate: fc.oneof(days, fc.constantFrom(undefined, null, '1900-01-01', '1970-01-01')),
  allDay: fc.boolean(),
  startTime: times,
  endTime: times,
})

test('never reads a booking of no length, or an end before the start', () => {
  fc.assert(
    fc.property(records, (record) => {
      const booking = readBookingTime(record).time
      expect(booking.end).toBeDefined()
      expect(String(booking.end) > booking.start).toBe(true)
      const { time, repair } = readEntryTime(record)
      expect(endOfSpan(time) > time.start).toBe(true)
      // A timed entry whose end cannot be used has no end, and is reported.
      const isDropped = time.end === undefined && record.endTime !== undefined
      expect(isDropped && repair === undefined).toBe(false)
      expect(time.start >= record.startDate).toBe(true)
    }),
  )
})

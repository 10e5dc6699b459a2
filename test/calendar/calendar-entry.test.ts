import { expect, test } from 'vitest'
import { readEntryTime } from '../../src/calendar/calendar-entry.ts'

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

type Row = [name: string, change: object, end: string | undefined, repair?: string]

test.for<Row>([
  ['as given', {}, end],
  ['overnight', { endDate: '2026-03-11', endTime: '06:00:00' }, '2026-03-11T06:00:00'],
  ['without an end time', { endTime: undefined }, undefined],
  ['ending when it starts', { endTime: '19:00:00' }, undefined, 'ends when it starts'],
  ['ending before it starts', { endTime: '18:00:00' }, undefined, 'ends before it starts'],
  ['ending on an earlier day', { endDate: '2026-03-01' }, undefined, 'ends before it starts'],
  ['without an end date', { endDate: undefined }, end],
  ['with an invalid end time', { endTime: null }, undefined, 'has an invalid end time'],
  ['with an invalid end date', { endDate: null }, end, 'has an invalid end date'],
  [
    'over several days without an end time',
    { endDate: '2026-03-12', endTime: undefined },
    '2026-03-13T00:00:00',
    'has no end time on its last day',
  ],
])('reads a time %s', ([, change, end, repair]) => {
  const time = { allDay: false, start, end }
  expect(readEntryTime({ ...timed, ...change })).toEqual({ time, repair })
})

test.for<Row>([
  ['without a start time', { startTime: undefined }, '2026-03-11', 'has no start time'],
  ['with an invalid start time', { startTime: null }, '2026-03-11', 'has an invalid start time'],
  ['of a day', allDay, '2026-03-11'],
  ['of several days', { ...allDay, endDate: '2026-03-12' }, '2026-03-13'],
  ['without an end date', { ...allDay, endDate: undefined }, '2026-03-11'],
  [
    'ending before it starts',
    { ...allDay, endDate: '2026-03-01' },
    '2026-03-11',
    'ends before it starts',
  ],
])('reads whole days %s', ([, change, end, repair]) => {
  const time = { allDay: true, start: '2026-03-10', end }
  expect(readEntryTime({ ...timed, ...change })).toEqual({ time, repair })
})

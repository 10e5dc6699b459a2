import { expect, test } from 'vitest'
import { readEntryTime } from '../../src/calendar/entry-time.ts'

const timed = {
  startDate: '2026-03-10',
  endDate: '2026-03-10',
  allDay: false,
  startTime: '19:00:00',
  endTime: '21:00:00',
}

test.for([
  {
    name: 'timed',
    change: {},
    time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-10T21:00:00' },
  },
  {
    name: 'overnight',
    change: { endDate: '2026-03-11', endTime: '06:00:00' },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-11T06:00:00' },
  },
  {
    name: 'timed without an end time',
    change: { endTime: undefined },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: undefined },
  },
  {
    name: 'timed, ending when it starts',
    change: { endTime: '19:00:00' },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: undefined },
    repair: 'ends when it starts',
  },
  {
    name: 'timed, ending before it starts',
    change: { endTime: '18:00:00' },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: undefined },
    repair: 'ends before it starts',
  },
  {
    name: 'timed without an end date',
    change: { endDate: undefined },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-10T21:00:00' },
  },
  {
    name: 'without a start time',
    change: { startTime: undefined },
    time: { allDay: true, start: '2026-03-10', end: '2026-03-11' },
    repair: 'has no start time',
  },
  {
    name: 'all-day',
    change: { allDay: true },
    time: { allDay: true, start: '2026-03-10', end: '2026-03-11' },
  },
  {
    name: 'all-day over several days',
    change: { allDay: true, endDate: '2026-03-12' },
    time: { allDay: true, start: '2026-03-10', end: '2026-03-13' },
  },
  {
    name: 'all-day, ending before it starts',
    change: { allDay: true, endDate: '2026-03-01' },
    time: { allDay: true, start: '2026-03-10', end: '2026-03-11' },
    repair: 'ends before it starts',
  },
  {
    name: 'with an invalid start time',
    change: { startTime: null },
    time: { allDay: true, start: '2026-03-10', end: '2026-03-11' },
    repair: 'has an invalid start time',
  },
  {
    name: 'with an invalid end time',
    change: { endTime: null },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: undefined },
    repair: 'has an invalid end time',
  },
  {
    name: 'with an invalid end date',
    change: { endDate: null },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-10T21:00:00' },
    repair: 'has an invalid end date',
  },
  {
    name: 'timed over several days without an end time',
    change: { endDate: '2026-03-12', endTime: undefined },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: '2026-03-13T00:00:00' },
    repair: 'has no end time on its last day',
  },
  {
    name: 'timed, ending on an earlier day',
    change: { endDate: '2026-03-01' },
    time: { allDay: false, start: '2026-03-10T19:00:00', end: undefined },
    repair: 'ends before it starts',
  },
  {
    name: 'all-day without an end date',
    change: { allDay: true, endDate: undefined },
    time: { allDay: true, start: '2026-03-10', end: '2026-03-11' },
  },
])('$name', ({ change, time, repair }) => {
  expect(readEntryTime({ ...timed, ...change })).toEqual({ time, repair })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from '../../src/calendar/date-window.ts'
import { isWithin } from '../../src/records/date-words.ts'

const allDay = (start: string, end: string) => ({ time: { allDay: true, start, end } as const })
const timed = (start: string, end?: string) => ({ time: { allDay: false, start, end } as const })
const window = { from: '2026-03-05', to: '2026-03-10' }

test.for([
  ['all-day on the first day', allDay('2026-03-05', '2026-03-06'), true],
  ['all-day, ended the day before', allDay('2026-03-01', '2026-03-05'), false],
  ['around all of it', allDay('2026-01-01', '2027-01-01'), true],
  ['timed on the last day', timed('2026-03-10T23:59:00', '2026-03-11T06:00:00'), true],
  ['timed the day after', timed('2026-03-11T00:00:00'), false],
  ['overnight into the first day', timed('2026-03-04T22:00:00', '2026-03-05T02:00:00'), true],
  [
    'timed, ended at midnight of the first day',
    timed('2026-03-04T20:00:00', '2026-03-05T00:00:00'),
    false,
  ],
  ['timed at the midnight of the first day', timed('2026-03-05T00:00:00'), true],
  ['timed the day before, without an end', timed('2026-03-04T22:00:00'), false],
] as const)('%s: %s', ([, thing, isIn]) => {
  expect(isWithin(thing.time, window)).toBe(isIn)
})

test('allows a window without a start or an end', () => {
  const { time } = timed('2026-03-07T10:00:00')
  expect(isWithin(time, { from: undefined, to: undefined })).toBe(true)
  expect(isWithin(time, { from: '2026-03-08', to: undefined })).toBe(false)
  expect(isWithin(time, { from: undefined, to: '2026-03-06' })).toBe(false)
})

test('prefers current entries, then the entries nearest to today, with a slight preference for upcoming ones', () => {
  const on = allDay('2026-01-01', '2026-12-31')
  const tomorrow = timed('2026-03-06T10:00:00')
  const yesterday = timed('2026-03-04T10:00:00')
  const later = timed('2026-03-09T10:00:00')
  const things = [later, yesterday, tomorrow, on]
  const kept = (most: number) => nearest(things, '2026-03-05', most)
  expect(kept(4)).toBe(things)
  expect(kept(3)).toEqual([on, tomorrow, yesterday])
  expect(kept(2)).toEqual([on, tomorrow])
  expect(kept(1)).toEqual([on])
})

test('never drops an item that is nearer than one it keeps', () => {
  const days = fc.integer({ min: -400, max: 400 })
  fc.assert(
    fc.property(fc.array(days), fc.integer({ min: 0, max: 20 }), (distances, most) => {
      const things = distances.map((distance) => {
        const start = new Date(Date.UTC(2026, 2, 5 + distance)).toISOString().slice(0, 10)
        return { ...timed(`${start}T10:00:00`), distance: Math.abs(distance) }
      })
      const kept = nearest(things, '2026-03-05', most)
      const left = things.filter((thing) => !kept.includes(thing))
      expect(kept).toHaveLength(Math.min(most, things.length))
      const farthest = Math.max(0, ...kept.map(({ distance }) => distance))
      expect(left.every(({ distance }) => distance >= farthest)).toBe(true)
    }),
  )
})

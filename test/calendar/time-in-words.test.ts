import { expect, test } from 'vitest'
import { timeInWords } from '../../src/calendar/time-in-words.ts'

test.for([
  [{ allDay: true, start: '2026-03-08', end: '2026-03-09' }, 'Sunday, March 8, 2026'],
  [
    { allDay: true, start: '2026-03-08', end: '2026-03-11' },
    'Sunday, March 8, 2026 – Tuesday, March 10, 2026',
  ],
  [
    { allDay: false, start: '2026-03-08T08:00:00', end: undefined },
    'Sunday, March 8, 2026, 8:00 AM',
  ],
  [
    { allDay: false, start: '2026-03-08T08:00:00', end: '2026-03-08T11:30:00' },
    'Sunday, March 8, 2026, 8:00 AM – 11:30 AM',
  ],
  [
    { allDay: false, start: '2026-03-08T22:00:00', end: '2026-03-09T06:00:00' },
    'Sunday, March 8, 2026, 10:00 PM – Monday, March 9, 2026, 6:00 AM',
  ],
  [
    { allDay: false, start: '2026-03-08T22:00:00', end: '2026-03-09T00:00:00' },
    'Sunday, March 8, 2026, 10:00 PM – midnight',
  ],
  [
    { allDay: false, start: '2026-03-08T22:00:00', end: '2026-03-11T00:00:00' },
    'Sunday, March 8, 2026, 10:00 PM – Tuesday, March 10, 2026, midnight',
  ],
] as const)('describes %o in words', ([time, words]) => {
  expect(timeInWords(time)).toBe(words)
})

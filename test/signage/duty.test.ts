import { expect, test } from 'vitest'
import { isDutyTonight } from '../../src/signage/duty.ts'

const today = '2026-03-07'

const shift = (title: string, start: string, end: string | null, category = '') => {
  return { title, category, start, end, allDay: start.length === 10 }
}

test.for([
  ['a night that begins today', '2026-03-07T22:00:00', '2026-03-08T06:00:00', true],
  ['24 hours that began this morning', '2026-03-07T07:00:00', '2026-03-08T07:00:00', true],
  ['an evening until midnight', '2026-03-07T14:00:00', '2026-03-08T00:00:00', true],
  ['a night that ended this morning', '2026-03-06T22:00:00', '2026-03-07T06:00:00', false],
  ['a day shift', '2026-03-07T07:00:00', '2026-03-07T17:00:00', false],
  ['a night tomorrow', '2026-03-08T22:00:00', '2026-03-09T06:00:00', false],
  ['a short meeting', '2026-03-07T23:30:00', '2026-03-08T00:00:00', false],
  ['a weekend', '2026-03-07', '2026-03-09', true],
  ['the last day of a week', '2026-03-01', '2026-03-08', true],
  ['a week that ended yesterday', '2026-03-01', '2026-03-07', false],
  ['a day without an end', '2026-03-07', null, true],
] as const)('decides whether someone is on duty tonight: %s', ([, start, end, expected]) => {
  expect(isDutyTonight(shift('Crew B', start, end), today)).toBe(expected)
})

test.for([
  ['Duty weekend', '', true],
  ['B', 'Duty Crews', true],
  ['Stand-by', '', true],
  ['Guardia nocturna', '', true],
  ['Équipe de garde', '', true],
  ['Nachtschicht', '', true],
  ['Bereitschaft 2', '', true],
  ['Kindergarten lock-in', 'Youth', false],
  ['Crewe & Sons', 'Rentals', false],
] as const)('recognizes a shift by its words: %s %s', ([title, category, expected]) => {
  expect(isDutyTonight(shift(title, today, null, category), today)).toBe(expected)
})

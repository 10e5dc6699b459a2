import { expect, test } from 'vitest'
import { calendarMessages } from '../../src/calendar/messages.ts'
import { pageMessages } from '../../src/web/messages.ts'

test.for([
  ['en', '1 of 1 place open', '0 of 1 place taken'],
  ['es', '1 de 1 puesto libre', '0 de 1 puesto ocupado'],
  ['fr', '1 place libre sur 1', '0 place prise sur 1'],
  ['de', '1 von 1 Platz frei', '0 von 1 Platz vergeben'],
] as const)('counts a single place in %s', ([language, open, taken]) => {
  const { entries, event } = pageMessages(language)
  expect(entries.placesOpen(1, 1)).toBe(open)
  expect(calendarMessages(language).signUp.placesOpen(1, 1)).toBe(open)
  expect(event.placesTaken(0, 1)).toBe(taken)
})

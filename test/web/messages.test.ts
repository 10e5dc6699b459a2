import { expect, test } from 'vitest'
import { calendarMessages } from '../../src/calendar/messages.ts'
import { pageMessages } from '../../src/web/messages.ts'
import { createPageWords } from '../../src/web/templates.ts'
import { testSite } from '../support/site.ts'

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
test.for([
  ['en-US', '12,000 matches for “a”.', '12,000 more', '15 of 5,000 shown.'],
  ['es-US', '12,000 resultados para “a”.', '12,000 más', 'Se muestran 15 de 5,000.'],
  ['fr-CA', '12 000 résultats pour « a ».', '12 000 autres', '15 sur 5 000 affichés.'],
  ['de-DE', '12.000 Treffer für „a“.', '12.000 weitere', '15 von 5.000 angezeigt.'],
])('groups thousands in %s', ([language = '', ...expected]) => {
  const { search, month } = pageMessages(language)
  const words = createPageWords({ ...testSite, language }, { now: () => 0 })
  const many = words.number(12_000)
  const texts = [
    search.found(12_000, many, 'a'),
    month.more(12_000, many),
    search.shown(words.number(15), words.number(5_000)),
  ]
  expect(texts.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(expected)
})

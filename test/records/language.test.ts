import { expect, test } from 'vitest'
import { firstWeekday, languageFrom, weekdaysIn } from '../../src/records/language.ts'

test.for([
  ['en', 'en'],
  ['EN-gb', 'en-GB'],
  ['es-419', 'es-419'],
  ['iw', 'he'],
  ['de-AT-1996', 'de-AT'],
  ['en-aaaaaa', 'en'],
  ['en-u-ca-buddhist', 'en'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hans-TW', 'zh-Hans-TW'],
  ['sr-Latn', 'sr-Latn-RS'],
  ['sr-Latn-RS', 'sr-Latn-RS'],
  ['sr-Cyrl', 'sr-RS'],
  ['en-Latn-GB', 'en-GB'],
  ['en-Cyrl', undefined],
  ['en-XX', undefined],
  ['en-999', undefined],
  ['qqq', undefined],
  ['en_US', undefined],
  ['', undefined],
  [`en-${'aaaaaaaa-'.repeat(4)}b`, undefined],
])('maps %s to the language %s', ([tag, language]) => {
  expect(languageFrom(tag ?? '')).toBe(language)
})

test.for([
  ['en-US', 7, 'Sunday', 'Saturday'],
  ['es-PR', 7, 'domingo', 'sábado'],
  ['de', 1, 'Montag', 'Sonntag'],
  ['en-GB', 1, 'Monday', 'Sunday'],
  ['ar-EG', 6, 'Saturday', 'Friday'],
] as const)('starts weeks in %s on day %i', ([language, first, firstName, lastName]) => {
  expect(firstWeekday(language)).toBe(first)
  const names = weekdaysIn(language).map(({ name }) => name)
  expect([names.length, names[0], names.at(-1)]).toEqual([7, firstName, lastName])
})

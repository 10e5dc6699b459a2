import { expect, test } from 'vitest'
import {
  listIn,
  messagesIn,
  pluralIn,
  pseudoLanguage,
  regionalTag,
  spokenLanguage,
  tagFor,
} from '../../src/records/messages.ts'

test.for([
  ['en', 'en-US', 'en-US'],
  ['en', 'fr-CA', 'en-CA'],
  ['en', 'de-AT', 'en-AT'],
  ['es', 'es-PR', 'es-PR'],
  ['es', 'en-US', 'es-US'],
  ['fr', 'en-CA', 'fr-CA'],
  ['fr', 'en-US', 'fr-CA'],
  ['de', 'en-US', 'de-DE'],
  ['de', 'en', 'de-DE'],
  ['en', 'ar-EG', 'en-US'],
] as const)('writes %s on a website in %s as in %s', ([language, site, tag]) => {
  expect(tagFor(language, site)).toBe(tag)
})

test.for([
  ['es', 'es-US'],
  ['en', 'en-US'],
  ['es-ES', 'es-ES'],
  ['it', 'it'],
  ['de-AT', 'de-AT'],
])('completes the language %s of a board as %s', ([tag = '', complete]) => {
  expect(regionalTag(tag, 'en-US')).toBe(complete)
})

test.for([
  ['es-PR', 'es'],
  ['de', 'de'],
  ['en-GB', 'en'],
  ['pt-BR', 'en'],
])('has messages for %s in the language %s', ([tag = '', language]) => {
  const messages = messagesIn({ en: ['en'], es: ['es'], fr: ['fr'], de: ['de'] })
  expect([messages(tag)[0], spokenLanguage(tag)]).toEqual([language, language])
})

test('marks messages in the pseudo language, and makes them 40% longer', () => {
  const english = {
    title: 'Calendars!',
    none: '',
    count: 3,
    nested: { list: ['Events'] },
    more: (count: number) => `${count} more`,
  }
  const messages = messagesIn({ en: english, es: english, fr: english, de: english })
  const { more, ...others } = messages(pseudoLanguage)
  expect(others).toEqual({
    title: '⟦Calendars!~~~~⟧',
    none: '',
    count: 3,
    nested: { list: ['⟦Events~~⟧'] },
  })
  expect(more(12)).toBe('⟦12 more~~⟧')
})

const placesIn = (language: 'en' | 'fr', count: number) =>
  pluralIn(language)(count, { one: `${count} place`, other: `${count} places` })

test('chooses plural forms and joins lists by the rules of a language', () => {
  expect([0, 1, 2].map((count) => placesIn('en', count))).toEqual([
    '0 places',
    '1 place',
    '2 places',
  ])
  expect([0, 1, 2].map((count) => placesIn('fr', count))).toEqual([
    '0 place',
    '1 place',
    '2 places',
  ])
  expect(listIn('es')(['a', 'b', 'c'])).toBe('a, b y c')
})

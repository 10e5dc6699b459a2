import { expect, test } from 'vitest'
import { siteOffsetsAt } from '../../src/records/clock-changes.ts'
import { languages } from '../../src/records/messages.ts'
import { dutyHtml, pageHtml } from '../../src/signage/board-html.ts'
import { filled } from '../../src/signage/board-language.ts'
import { asOf } from '../../src/signage/board-times.ts'
import { boardMessages } from '../../src/signage/messages.ts'
import { item } from '../support/board-items.ts'
import { layoutFor } from './board-layout.ts'

/** Returns the placeholders of all texts, by the texts' names. Plural forms count as one text. */
function placeholdersIn(messages: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(messages).flatMap(([key, value]: [string, unknown]) => {
    const texts = typeof value === 'object' && value !== null ? value : {}
    const forms: readonly unknown[] = 'other' in texts ? Object.values(texts) : [value]
    if (forms.some((form) => typeof form !== 'string'))
      return placeholdersIn(texts, `${path}${key}.`)
    return forms.map((form) => {
      const found = String(form).match(/\{.*?\}/g) ?? []
      return [`${path}${key}`, found.toSorted().join()] as const
    })
  })
}

test.for(languages)('has the same placeholders in %s as in English', (language) => {
  const expected = new Map(placeholdersIn(boardMessages('en')))
  const found = placeholdersIn(boardMessages(language))
  expect(expected.get('open')).toBe('{open},{places}')
  expect(found.length).toBeGreaterThanOrEqual(expected.size)
  for (const [name, placeholders] of found) {
    expect([name, placeholders]).toEqual([name, expected.get(name)])
  }
})

test('fills placeholders once, and keeps unknown ones', () => {
  expect(filled('{day}, {time}, {other}', { day: '{time}', time: '$&' })).toBe(
    '{time}, $&, {other}',
  )
})

test.for([
  [
    'es-US',
    'Hoy',
    'Sábado, 7 de marzo',
    'en 1 h',
    '1 de 4 puestos libres',
    'hasta las 6 p.m.',
    '+2 más',
  ],
  [
    'fr-CA',
    'Aujourd’hui',
    'Samedi 7 mars',
    'dans 1 h',
    '1 place libre sur 4',
    'jusqu’à 18 h',
    'et 2 autres',
  ],
  [
    'de-DE',
    'Heute',
    'Samstag, 7. März',
    'in 1 Std.',
    '1 von 4 Plätzen frei',
    'bis 18 Uhr',
    '+2 weitere',
  ],
] as const)('writes boards in %s', ([lang, today, day, soon, open, until, more]) => {
  const language = { lang, words: boardMessages(lang) }
  const shift = { start: '2026-03-05T06:00:00', end: '2026-03-05T18:00:00' }
  const { duty, panels } = layoutFor(
    [
      item({ role: 'duty', ...shift }),
      item({ startAt: '2026-03-05T11:00:00-05:00' }),
      item({ title: 'Pancakes', open: 1, places: 4, start: '2026-03-07T08:00:00', end: null }),
    ],
    { lang },
  )
  const pages = panels.flatMap(({ pages }) => pages)
  const html = [
    ...pages.map((page) => pageHtml(page, language)),
    duty && dutyHtml({ ...duty, more: 2 }, language),
  ].join('')
  const text = html.replace(/\s/g, ' ')
  for (const part of [`<h2>${today}</h2>`, `<h2>${day}</h2>`, soon, open, until, more]) {
    expect(text).toContain(part)
  }
})

test.for([
  ['en', '1 of 1 place open', '1 of 3 places open'],
  ['es', '1 de 1 puesto libre', '1 de 3 puestos libres'],
  ['fr', '1 place libre sur 1', '1 place libre sur 3'],
  ['de', '1 von 1 Platz frei', '1 von 3 Plätzen frei'],
])('counts a single place in %s', ([lang = '', ...expected]) => {
  const notes = [1, 3].map((places) => {
    const { panels } = layoutFor([item({ open: 1, places })], { lang })
    const language = { lang, words: boardMessages(lang) }
    return panels.flatMap(({ pages }) => pages.map((page) => pageHtml(page, language))).join('')
  })
  for (const [index, text] of expected.entries()) expect(notes[index]).toContain(`>${text}<`)
})

test.for([
  ['es-US', 'Última lectura del sitio web: jueves, 5 de marzo, 10:00 a.m.'],
  ['fr-CA', 'Dernière mise à jour le jeudi 5 mars à 10 h'],
  ['de-DE', 'Stand: Donnerstag, 5. März, 10:00 Uhr'],
] as const)('says in %s when the website was last read', ([lang, text]) => {
  const readAt = Date.parse('2026-03-05T15:00:00Z')
  const now = Date.parse('2026-03-06T15:00:00Z')
  const language = { lang, words: boardMessages(lang) }
  const options = {
    ...language,
    now,
    offsets: siteOffsetsAt(now, 'America/New_York'),
    intervalMs: now,
  }
  expect(asOf(readAt, options).text.replace(/\s/g, ' ')).toBe(text)
})

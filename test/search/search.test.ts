import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createFoldedTexts,
  emptySearch,
  foldText,
  isAt,
  isEmptySearch,
  isFoundIn,
  rankIn,
  readSearch,
  textOfSearch,
} from '../../src/search/search.ts'
import { anyCharacter } from '../support/hostile-text.ts'

function isFound(search: string, text: string): boolean {
  const read = readSearch(search)
  if (!read) throw new TypeError('invalid search')
  return isFoundIn(foldText(text), read)
}

const openHouse = 'Open house & BBQ at the Café Müller,\n  Station 1'

test.for<[search: string, isFound: boolean]>([
  ['bbq', true],
  ['  HOUSE   open ', true],
  ['house bingo', false],
  ['cafe', true],
  ['CAFÉ', true],
  ['muller', true],
  ['mül', true],
  ['"open house"', true],
  ['"house open"', false],
  ['“open house”', true],
  ['"müller, station"', true],
  ['"open house', true],
  ['-bingo', true],
  ['open -bbq', false],
  ['-"open house"', false],
  ['-"house open" bbq', true],
  ['"-bbq"', false],
  ['', true],
  ['- -- "" -""', true],
  ['&', true],
  ['.*', false],
  ['%', false],
  ['station 1', true],
])('search %j', ([search, expected]) => {
  expect(isFound(search, openHouse)).toBe(expected)
})

describe('folding', () => {
  test.for<[language: string, search: string, text: string]>([
    ['Turkish', 'istanbul', 'İSTANBUL'],
    ['Turkish', 'İstanbul', 'ıstanbul'],
    ['Turkish', 'kisla', 'KIŞLA'],
    ['Turkish', 'ısıtma', 'Isıtma'],
    ['German', 'strasse', 'Hauptstraße'],
    ['German', 'STRAẞE', 'strasse'],
    ['German', 'übung', 'Einsatzu\u0308bung'],
    ['Arabic', 'مدرسة', 'مَدْرَسَة'],
    ['Arabic', 'احمد', 'أحمد'],
    ['Arabic', 'محمد', 'محـــمد'],
    ['Arabic', 'مستشفي', 'مستشفى'],
    ['Danish', 'oresund', 'Øresund'],
    ['Polish', 'lodz', 'Łódź'],
    ['Greek', 'ΟΔΟΣ', 'οδός'],
    ['French', "l'eau", 'L’eau'],
    ['French', 'coeur', 'Cœur'],
    ['Vietnamese', 'pho', 'Phở'],
    ['Russian', 'елка', 'ёлка'],
    ['Hebrew', 'שלום', 'שָׁלוֹם'],
    ['Hindi', 'पानी', 'पीने का पानी'],
    ['Hindi', 'क\u093c', '\u0958'],
    ['Thai', 'น้ำ', 'น้ำดับเพลิง'],
    ['Japanese', 'ガス', 'ｶﾞｽ'],
    ['compatibility', 'office 12', 'oﬃce ①②'],
    ['soft hyphens', 'feuerwehrhaus', 'Feuer\u00adwehr\u200bhaus'],
    ['dashes', 'full-time', 'full–time'],
  ])('%s: finds %j in %j', ([, search, text]) => {
    expect(isFound(search, text)).toBe(true)
  })

  test.for<[language: string, search: string, text: string]>([
    ['Hindi', 'कल', 'काल'],
    ['Hindi', 'दिन', 'दान'],
    ['Tamil', 'கல்', 'கால்'],
    ['Thai', 'มี', 'มา'],
    ['Thai', 'ดด', 'ดูด'],
    ['Burmese', 'မး', 'မီး'],
    ['Japanese', 'かく', 'がく'],
  ])('%s: does not find %j in %j, because the vowels or sounds differ', ([, search, text]) => {
    expect(isFound(search, text)).toBe(false)
  })

  test.for([
    ['accents', '\u0301\u0323', 'en'],
    ['vowels', '\u0e48\u0e38', `e${'\u0e38'.repeat(8)}${'\u0e48'.repeat(8)}n`],
    ['half-width sounds', '\uff9e\u0e38', `e${'\u3099'.repeat(8)}${'\u0e38'.repeat(8)}n`],
  ] as const)('is fast even for a letter with many %s', ([, marks, expected]) => {
    const start = performance.now()
    const text = foldText(`E${marks.repeat(100_000)}n`)
    expect(performance.now() - start).toBeLessThan(1_000)
    expect(text).toBe(expected)
    expect(foldText(text)).toBe(text)
  })

  test('does not change folded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

test.for<[location: string, isAt: boolean]>([
  ['Station 1', true],
  ['STATION  1, 14 Mill Road', true],
  ['Station 1 (upstairs)', true],
  ['Station 1: bay 2', true],
  ['Station 1 – bay 2', true],
  ['Station 1-2', false],
  ['Station 1-A', false],
  ['Station 12', false],
  ['Station 1 kitchen', false],
  ['Old Station 1', false],
  ['', false],
])('location %j', ([location, expected]) => {
  expect(isAt(foldText(location), foldText('Station 1'))).toBe(expected)
  expect(isAt(foldText(location), '')).toBe(true)
})

test('rejects more than 100 characters or 8 words', () => {
  expect(readSearch('x'.repeat(100))).toBeDefined()
  expect(readSearch('x'.repeat(101))).toBeUndefined()
  expect(readSearch('ß'.repeat(51))).toBeUndefined()
  expect(readSearch('1 2 3 4 5 6 7 "8 9"')).toBeDefined()
  expect(readSearch('1 2 3 4 5 6 7 8 9')).toBeUndefined()
})

const part = fc.constantFrom('a', 'B', 'é', '"', '-', ' ', '”', 'ß', '*', '(', '\u0301', 'ه')
const anySearch = fc.oneof(
  fc.array(part, { maxLength: 20 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
)

test('formats equivalent searches as the same text, which can be parsed again', () => {
  fc.assert(
    fc.property(anySearch, (search) => {
      const read = readSearch(search)
      if (!read) return
      const text = textOfSearch(read)
      expect(readSearch(text)).toEqual(read)
      const words = text.includes('"') ? [text] : text.split(' ')
      expect(readSearch(words.toReversed().join('  '))).toEqual(read)
    }),
    { numRuns: 500 },
  )
})

test('finds each word of a text, and everything if the search is empty', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 8 }), fc.nat(7), (text, index) => {
      const word = text.split(/\W+/)[index] ?? ''
      expect(isFound(word, text.toUpperCase())).toBe(true)
      expect(isFound(`-${word}`, text)).toBe(word === '')
    }),
  )
  expect(isEmptySearch(emptySearch)).toBe(true)
  expect(isFoundIn('', emptySearch)).toBe(true)
})

test.for<[search: string, rank: number | undefined]>([
  ['drill', 0],
  ['drill ladder', 0],
  ['drill training', 1],
  ['station drill', 1],
  ['hose', 2],
  ['training hose drill', 2],
  ['hose training', 2],
  ['bingo', undefined],
  ['drill -hose', undefined],
  ['-bingo', 0],
])('ranks %j', ([search, rank]) => {
  const read = readSearch(search) ?? emptySearch
  expect(rankIn(['ladder drill', 'station 1', 'training', 'bring the hose'], read)).toBe(rank)
})

test('folds a text once for each key, and shares equal texts of its variants', () => {
  const texts = createFoldedTexts()
  const key = {}
  let made = 0
  const read = (variant: string, text = 'É') =>
    texts(key, variant, () => {
      made += 1
      return [text]
    })
  expect(read('a')).toEqual(['e'])
  expect(read('a')).toEqual(['e'])
  expect(made).toBe(1)
  expect(read('b')).toBe(read('a'))
  expect(read('c', 'x')).toEqual(['x'])
  expect(made).toBe(3)
  for (let index = 0; index < 24; index += 1) read(`other ${index}`)
  read('a')
  expect(made).toBe(28)
})

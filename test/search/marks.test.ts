import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markedParts, snippetOf, type TextPart } from '../../src/search/marks.ts'
import { foldText, readSearch, type Search } from '../../src/search/search.ts'
import { anyCharacter } from '../support/hostile-text.ts'

function searchFor(text: string): Search {
  const search = readSearch(text)
  if (!search) throw new TypeError('invalid search')
  return search
}

const inBrackets = (parts: readonly TextPart[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')

test.for<[search: string, text: string, marked: string]>([
  ['bbq', 'Chicken BBQ & bbqs', 'Chicken [BBQ] & [bbq]s'],
  ['open house', 'House is open', '[House] is [open]'],
  ['"open house"', 'House, open  \n house', 'House, [open  \n house]'],
  ['strasse', 'Hauptstraße 1', 'Haupt[straße] 1'],
  ['s', 'Straße', '[S]tra[ß]e'],
  ['office', 'The oﬃce', 'The [oﬃce]'],
  ['ubung', 'Einsatzu\u0308bung!', 'Einsatz[u\u0308bung]!'],
  ['cafe', 'cafe\u0301\u0323s', '[cafe\u0301\u0323]s'],
  ['istanbul', 'İSTANBUL', '[İSTANBUL]'],
  ['محمد', 'السيد محـــمد', 'السيد [محـــمد]'],
  ['क', 'किताब', '[कि]ताब'],
  ['น้ำ', 'ดื่มน้ำ', 'ดื่ม[น้ำ]'],
  ['12', '⑫ 12', '[⑫] [12]'],
  ['ana', 'banana', 'b[ana]na'],
  ['ban anan', 'banana', '[banan]a'],
  ['-bbq', 'BBQ', 'BBQ'],
  ['', 'BBQ', 'BBQ'],
  ['😀', '🚒😀🚒', '🚒[😀]🚒'],
])('%j marks %j', ([search, text, marked]) => {
  expect(inBrackets(markedParts(text, searchFor(search)))).toBe(marked)
})

const characters =
  'a B é e\u0301 ß ẞ İ ı ﬃ ﷺ … ´ \u0301 \u0344 \u0f73 \u0e48 \u0e38 क ि ｶ ﾞ Σ ς ـ ه 가 각 \u1100 😀 \ud83d < " - Ǆ \u00ad'
const character = fc.constantFrom(...characters.split(' '), '\u00a0', ' ', '\n')
const anyText = fc.oneof(
  fc.array(character, { maxLength: 30 }).map((characters) => characters.join('')),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

const matching = fc
  .tuple(anyText, fc.nat(30), fc.integer({ min: 1, max: 8 }))
  .map(([text, start, length]) => {
    const word = foldText(foldText(text).slice(start, start + length))
    return { text, search: { required: word === '' ? [] : [word], excluded: [] } }
  })

test('splits the whole text into parts, and each marked part contains a searched word', () => {
  fc.assert(
    fc.property(matching, fc.array(anyText, { maxLength: 2 }), ({ text, search }, others) => {
      const required = [...search.required, ...others.map(foldText).filter((word) => word !== '')]
      const parts = markedParts(text, { ...search, required })
      expect(parts.map((part) => part.text).join('')).toBe(text)
      expect(parts.every((part) => part.text !== '')).toBe(true)
      const marked = parts.filter(({ isMatch }) => isMatch)
      for (const part of marked) {
        const folded = foldText(part.text)
        expect(required.some((word) => folded.includes(word))).toBe(true)
      }
      const isFound = required.some((word) => foldText(text).includes(word))
      expect(marked.length > 0).toBe(isFound)
    }),
    { numRuns: 2_000 },
  )
})

test.for([
  [
    '3 of 7 places open\n\nEngine 1\n  Officer: open\nDriver: taken',
    '3 of 7 places [open] · Engine 1 · Officer: [open] · Driver: taken',
  ],
  [
    'Doors open at 5.\nFood is free!\n(Bring a chair)',
    'Doors [open] at 5. Food is free! (Bring a chair)',
  ],
  ['The hall is open\nto everyone', 'The hall is [open] to everyone'],
  ['消防署\n開放 open', '消防署 · 開放 [open]'],
])('separates the lines of %j in a snippet', ([text = '', snippet]) => {
  expect(inBrackets(snippetOf(text, searchFor('open')))).toBe(snippet)
})

test('marks a phrase that continues on the next line of a snippet', () => {
  const snippet = snippetOf('Station open\nHouse rules', searchFor('"open house"'))
  expect(inBrackets(snippet)).toBe('Station [open House] rules')
})

test('starts a snippet near the first match, and cuts it at words', () => {
  const text = `${'Engines and hoses. '.repeat(50)}The\n  <b>needle</b> ${'was found there. '.repeat(50)}`
  const snippet = inBrackets(snippetOf(text, searchFor('needle')))
  expect(snippet).toMatch(/^… (?:Engines|and|hoses\.) .* The <b>\[needle\]<\/b> was .*\w\.? …$/)
  expect(snippet.length).toBeLessThan(250)
  expect(inBrackets(snippetOf(text, searchFor('-x')))).toMatch(/^Engines and .* …$/)
  expect(inBrackets(snippetOf('A short text', searchFor('short')))).toBe('A [short] text')
  expect(snippetOf('', searchFor('short'))).toEqual([])
})

test('keeps a snippet short even if lines are short', () => {
  const snippet = inBrackets(snippetOf('क\n'.repeat(1_000), searchFor('-x')))
  expect(snippet).toMatch(/^(?:क · ){45,50}क …$/)
})

test('keeps a snippet short even if words are long, and includes the first match', () => {
  fc.assert(
    fc.property(anyText, matching, fc.nat(9_000), (noise, { text, search }, repeated) => {
      const long = `${noise.repeat(Math.ceil(repeated / (noise.length + 1)))}${text}`
      const parts = snippetOf(long, search)
      expect(parts.map((part) => part.text).join('').length).toBeLessThan(300)
      const isFound = search.required.some((word) => foldText(long).includes(word))
      expect(parts.some(({ isMatch }) => isMatch)).toBe(isFound)
    }),
  )
})

test('finds a match late in a text of 1 MB, and shows the start if it is even later', () => {
  const [early, late] = [20_000, 100_000].map(
    (before) => `${'ß '.repeat(before)}needle${' end'.repeat(200_000)}`,
  )
  expect(inBrackets(snippetOf(early ?? '', searchFor('needle')))).toContain('[needle]')
  expect(inBrackets(snippetOf(late ?? '', searchFor('needle')))).toMatch(/^ß ß /)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, shortenedText } from '../../src/text/text.ts'
import { hostileText } from '../support/hostile-text.ts'

test.for([
  ['6\u00969 PM', '6–9 PM'],
  ['Chief\u0092s \u0093drill\u0094 \u0080 5', 'Chief’s “drill” € 5'],
  ['a\u0081\u008d\u008f\u0090\u009db', 'ab'],
  ['a\u000bb\u000cc\u0085d\u2028e\u2029f\rg\r\nh', 'a\nb\nc\nd\ne\nf\ng\nh'],
  ['a\0\u0001\u001f\u007f\ufffe\uffffb\tc', 'ab\tc'],
  ['\ufeffSta\u00adtion\u200b\u20601', 'Station1'],
  ['\ud83dx\ude80 🚀 👩‍🚒', 'x 🚀 👩‍🚒'],
] as const)('cleans %j', ([text, clean]) => {
  expect(cleanText(text)).toBe(clean)
})

test('cleans any text once and for all', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const clean = cleanText(text)
      expect(clean).not.toMatch(/[\p{Cc}--[\t\n]]|[\u2028\u2029\ufeff\ufffe\uffff]/v)
      expect(clean.isWellFormed()).toBe(true)
      expect(cleanText(clean)).toBe(clean)
    }),
  )
})

test.for([
  ['Barn fire on Mill Road', 30, 'Barn fire on Mill Road'],
  ['Barn fire on Mill Road', 15, 'Barn fire on…'],
  ['Barn fire on Mill Road', 18, 'Barn fire on Mill…'],
  ['Donaudampfschifffahrt', 5, 'Donau…'],
  ['a Donaudampfschifffahrt', 10, 'a Donaudam…'],
  ['ab🚀', 3, 'ab…'],
  ['ab', 0, '…'],
  ['', 0, ''],
] as const)('shortens %j to %i characters', ([text, max, short]) => {
  expect(shortenedText(text, max)).toBe(short)
})

test('looks for a space only near the end of a long text', () => {
  expect(shortenedText(`a ${'b'.repeat(1_000)}`, 900)).toBe(`a ${'b'.repeat(898)}…`)
})

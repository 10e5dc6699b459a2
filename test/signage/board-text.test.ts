import { expect, test } from 'vitest'
import { createTextFit } from '../../src/signage/board-text.ts'

/** Latin letters are half as wide as East Asian characters. */
const fit = createTextFit((text) =>
  Array.from(text).reduce((sum, character) => sum + (character < '\u2e80' ? 0.5 : 1), 0),
)

test.for([
  ['fills lines with whole East Asian characters', '消防団の訓練'.repeat(12), 10.5, 8],
  ['keeps East Asian punctuation with its character', '訓練は毎週、火曜日。'.repeat(3), 5.2, 7],
  ['keeps small letters with the letter before', 'キャッチ'.repeat(6), 3.1, 12],
  ['keeps Latin words between East Asian characters', '訓練ABCDEF'.repeat(3), 4.2, 5],
  ['fills lines with whole letters of a long word', 'x'.repeat(20), 1.3, 10],
  ['starts a long word on a new line', `a ${'x'.repeat(4)}`, 1.3, 3],
  ['joins short words', 'a b c d', 2.1, 2],
  ['counts an empty line', 'a\n\nb', 5, 3],
] as const)('%s', ([, text, width, lines]) => {
  expect(fit.lines(text, width)).toBe(lines)
})

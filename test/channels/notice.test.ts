import { expect, test } from 'vitest'
import { boundedLines } from '../../src/channels/notice.ts'

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `Line ${index + 1}.` }))

test('keeps the first 25 lines of a message, and counts the others', () => {
  expect(boundedLines({ lines: linesOf(25) })).toEqual(linesOf(25))
  expect(boundedLines({ lines: linesOf(26) })).toEqual([...linesOf(25), { text: 'And 1 more.' }])
})

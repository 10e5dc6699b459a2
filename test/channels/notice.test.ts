import { expect, test } from 'vitest'
import { boundedLines } from '../../src/channels/notice.ts'
import { noticeWith } from './notice.ts'

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `Line ${index + 1}.` }))

test('keeps the first 25 lines of a message, and counts the others', () => {
  const shownOf = (count: number) => boundedLines(noticeWith({ lines: linesOf(count) }))
  expect(shownOf(25)).toEqual(linesOf(25))
  expect(shownOf(26)).toEqual([...linesOf(25), { text: 'And 1 more.' }])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '../../src/text/csv.ts'

test.for<[string, string, readonly (readonly string[])[]]>([
  ['cells in a row', 'a,b\n', [['a', 'b']]],
  ['Windows line endings', 'a\r\nb\r\n', [['a'], ['b']]],
  ['old Mac line endings', 'a\rb', [['a'], ['b']]],
  ['a quoted comma', '"Reyes, Jordan",full', [['Reyes, Jordan', 'full']]],
  ['a doubled quotation mark', '"Jordan ""Jo"" Reyes"', [['Jordan "Jo" Reyes']]],
  ['quotation marks within a plain cell', 'Jordan "Jo" Reyes', [['Jordan "Jo" Reyes']]],
  ['a quoted line break', '"a\r\nb",c', [['a\r\nb', 'c']]],
  ['spaces around cells', ' a , "b" ,c ', [['a', 'b', 'c']]],
  ['empty cells', 'a,,\n', [['a', '', '']]],
  ['tab-separated cells with commas', 'Reyes, Jordan\tfull', [['Reyes, Jordan', 'full']]],
  ['nothing', '', []],
])('reads %s', ([, text, cells]) => {
  const reading = readCsv(text)
  expect(reading.ok && reading.rows.map((row) => row.cells)).toEqual(cells)
})

test('counts blank rows, like spreadsheets do', () => {
  const reading = readCsv('a\n\n , \n"b\nc"\nd')
  expect(reading.ok && reading.rows.map(({ number }) => number)).toEqual([1, 4, 5])
})

test.for([
  ['a\n"b', 'unclosedQuote'],
  ['a\n"b" c\nd', 'textAfterQuote'],
] as const)('reports the misplaced quotation mark in %j', ([text, fault]) => {
  expect(readCsv(text)).toEqual({ ok: false, row: 2, fault })
})

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

test('reads back any cells', () => {
  const cell = fc.string({ unit: 'grapheme' }).map((text) => `x${text}x`)
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 }), (rows) => {
      const text = rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')
      fc.pre(!/^[^\r\n]*\t/.test(text))
      const reading = readCsv(text)
      expect(reading.ok && reading.rows.map((row) => row.cells)).toEqual(rows)
    }),
  )
})

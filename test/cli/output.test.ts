import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { printTo } from '../../src/cli/command.ts'
import { createOutput } from '../../src/cli/output.ts'

function testOutput() {
  const stream = new PassThrough()
  return { output: createOutput(stream), written: () => String(stream.read() ?? '') }
}

test.for([
  ['\u001b[31mEVIL\u001b]0;x\u0007', '\\u001b[31mEVIL\\u001b]0;x\\u0007'],
  ['a\rb\bc\u007f', 'a\\u000db\\u0008c\\u007f'],
  ['\u009b31m', '\\u009b31m'],
  ['a\u202eb\u2066', 'a\\u202eb\\u2066'],
  ['Été 🚒 עברית\tand\n', 'Été 🚒 עברית\tand\n'],
] as const)('replaces control characters in messages: %j', ([text, expected]) => {
  const { output, written } = testOutput()
  output.write(text)
  expect(written()).toBe(expected)
})

test('keeps the values in JSON', () => {
  const { output, written } = testOutput()
  const finding = { sentence: '\\\u009b31m\u001b[0m\u202e\u007f\r\n' }
  printTo(output, { json: true })(finding, '')
  const line = written()
  expect(line).toMatch(/^\P{Cc}+\n$/u)
  expect(JSON.parse(line)).toEqual(finding)
})

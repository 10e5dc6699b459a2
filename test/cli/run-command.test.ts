import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/run-command.ts'
import { main, resultOf, run } from '../support/command-line.ts'
import { testDirectory } from '../support/service.ts'

const { version } = JSON.parse(readFileSync(resolve(main, '../../package.json'), 'utf8'))

test.for([
  ['--help', /^Usage: npx feedhouse COMMAND/],
  ['', /^Usage: npx feedhouse COMMAND/],
  ['serve --help', /^Usage: npx feedhouse serve/],
  ['sandbox --help', /^Usage: npx feedhouse sandbox/],
  ['sandbox project --help', /^Usage: npx feedhouse sandbox project COMMAND/],
  ['help', /^Usage: npx feedhouse COMMAND/],
  ['help serve', /^Usage: npx feedhouse serve/],
  ['--version', new RegExp(`^${version}\n$`)],
] as const)('feedhouse %s', async ([line, stdout]) => {
  const result = await resultOf(run(testDirectory(), line === '' ? [] : line.split(' ')))
  expect(result).toEqual({ code: 0, stdout: expect.stringMatching(stdout), stderr: '' })
})

test('lists every command in its help', async () => {
  const { stdout } = await resultOf(run(testDirectory(), ['--help']))
  for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test.for([
  ['swerve', 'Unknown command: swerve; see --help.'],
  ['constructor', 'Unknown command: constructor; see --help.'],
  ['serve --port 1', "Unknown option '--port' for serve; see serve --help.\n"],
  ['check extra', "Unexpected argument 'extra' for check; see check --help.\n"],
  ['check --json=1', "Option '--json' does not take an argument; see check --help.\n"],
  ['export --out', '--out needs a value; see export --help.\n'],
  ['export', '--out needs a value: the directory'],
] as const)('feedhouse %s fails: %s', async ([line, sentence]) => {
  const { code, stderr } = await resultOf(run(testDirectory(), line.split(' ')))
  expect(code).toBe(1)
  expect(stderr.slice(0, sentence.length)).toBe(sentence)
})

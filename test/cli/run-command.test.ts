import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/run-command.ts'
import { main, resultOf, run } from '../support/command-line.ts'
import { temporaryDirectory } from '../support/service.ts'

describe('the command line', () => {
  const { version } = JSON.parse(readFileSync(resolve(main, '../../package.json'), 'utf8'))

  test.for([
    { args: ['--help'], stdout: /^Usage: npx feedhouse COMMAND/ },
    { args: [], stdout: /^Usage: npx feedhouse COMMAND/ },
    { args: ['serve', '--help'], stdout: /^Usage: npx feedhouse serve/ },
    { args: ['sandbox', '--help'], stdout: /^Usage: npx feedhouse sandbox/ },
    {
      args: ['sandbox', 'project', '--help'],
      stdout: /^Usage: npx feedhouse sandbox project COMMAND/,
    },
    { args: ['help'], stdout: /^Usage: npx feedhouse COMMAND/ },
    { args: ['help', 'serve'], stdout: /^Usage: npx feedhouse serve/ },
    { args: ['--version'], stdout: new RegExp(`^${version}\n$`) },
  ])('$args', async ({ args, stdout }) => {
    using directory = temporaryDirectory()
    const result = await resultOf(run(directory.path, args))
    expect(result).toEqual({ code: 0, stdout: expect.stringMatching(stdout), stderr: '' })
  })

  test('lists every command in its help', async () => {
    using directory = temporaryDirectory()
    const { stdout } = await resultOf(run(directory.path, ['--help']))
    for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  test.for([
    { args: ['swerve'], sentence: 'Unknown command: swerve; see --help.' },
    { args: ['constructor'], sentence: 'Unknown command: constructor; see --help.' },
    {
      args: ['serve', '--port', '1'],
      sentence: "Unknown option '--port' for serve; see serve --help.\n",
    },
    {
      args: ['check', 'extra'],
      sentence: "Unexpected argument 'extra' for check; see check --help.\n",
    },
    {
      args: ['check', '--json=1'],
      sentence: "Option '--json' does not take an argument; see check --help.\n",
    },
    { args: ['export', '--out'], sentence: '--out needs a value; see export --help.\n' },
    { args: ['export'], sentence: '--out needs a value: the directory' },
  ])('$args fails: $sentence', async ({ args, sentence }) => {
    using directory = temporaryDirectory()
    const { code, stderr } = await resultOf(run(directory.path, args))
    expect(code).toBe(1)
    expect(stderr.slice(0, sentence.length)).toBe(sentence)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, commandsOf, documents, root } from '../support/documentation.ts'
import { elsewhere, notRun, run } from '../support/documented-commands.ts'

/* Tests in `test/system/` run every command of README.md, CONTRIBUTING.md and docs/. */

const written = documents.flatMap(({ file, text }) =>
  commandsOf(text).map((command) => ({ file, command })),
)

const isNotRun = (command: string) => notRun.some((known) => known.exec(command)?.[0] === command)

test('every documented command is run by a test', () => {
  const known = new Set([...run, ...elsewhere.map(({ command }) => command)])
  expect(written.length).toBeGreaterThan(25)
  const missing = written.filter(({ command }) => !known.has(command) && !isNotRun(command))
  expect(missing).toEqual([])
})

test('the lists of commands contain only documented commands', () => {
  const commands = written.map(({ command }) => command)
  const rows = [...run, ...elsewhere.map(({ command }) => command)]
  expect(rows.filter((command) => !commands.includes(command))).toEqual([])
  const unused = notRun.filter((pattern) => !commands.some((command) => pattern.test(command)))
  expect(unused).toEqual([])
})

test.for(elsewhere)('the command `$command` is run by $file', ({ file, text }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(text)
})

test('every block of commands is marked as `sh`', () => {
  const languages = documents.flatMap(({ text }) => blocksOf(text).map(({ language }) => language))
  expect(languages).toContain('sh')
  expect(languages.filter((language) => /^(?:bash|console|shell|zsh)$/.test(language))).toEqual([])
})

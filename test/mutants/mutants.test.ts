import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'

const root = resolve(import.meta.dirname, '../..')

test('there are 40 mutants, each with a name of its own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(40)
})

test.for(mutants)('$name: its text is in the file once', ({ file, text, replacement }) => {
  const parts = readFileSync(join(root, file), 'utf8').split(text)
  expect(parts).toHaveLength(2)
  expect(replacement).not.toBe(text)
})

test('the tests that run first exist', () => {
  const files = mutants.flatMap(({ tests }) => tests)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('every folder of src has a mutant', () => {
  const folders = new Set(globSync('src/**/*.{ts,js}', { cwd: root }).map(dirname))
  const covered = new Set(mutants.map(({ file }) => dirname(file)))
  expect([...folders].filter((folder) => !covered.has(folder))).toEqual([])
})

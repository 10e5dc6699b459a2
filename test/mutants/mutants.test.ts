import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'

const root = resolve(import.meta.dirname, '../..')

/** The folder directly below src. */
const partOf = (file: string) => file.split('/')[1]

test('there are at least 40 mutants, each with a name of its own', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(40)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
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

test('every part of src has a mutant', () => {
  const folders = new Set(globSync('src/*/**/*.{ts,js}', { cwd: root }).map(partOf))
  const covered = new Set(mutants.map(({ file }) => partOf(file)))
  expect([...folders].filter((folder) => !covered.has(folder))).toEqual([])
})

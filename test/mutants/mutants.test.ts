import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'

const root = resolve(import.meta.dirname, '../..')

/** Returns the top-level folder in src that contains a file. */
const partOf = (file: string) => file.split('/')[1]

test('has at least 40 mutants with unique names', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(40)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test.for(mutants)(
  'finds the text to replace exactly once in the file: $name',
  ({ file, text, replacement }) => {
    const parts = readFileSync(join(root, file), 'utf8').split(text)
    expect(parts).toHaveLength(2)
    expect(replacement).not.toBe(text)
  },
)

test('refers only to existing tests', () => {
  const files = mutants.flatMap(({ tests }) => tests)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('has a mutant in every folder of src', () => {
  const folders = new Set(globSync('src/*/**/*.{ts,js}', { cwd: root }).map(partOf))
  const covered = new Set(mutants.map(({ file }) => partOf(file)))
  expect([...folders].filter((folder) => !covered.has(folder))).toEqual([])
})

import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const tests = globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.slice('test/'.length))

/**
 * Folders for tests that span several parts. Files in these folders are named after their subject.
 */
const suites = ['deploy', 'docs', 'service', 'structure', 'system']

const isInSuite = (file: string) => suites.some((suite) => file.startsWith(`${suite}/`))

/** `links/link-use.test.ts` and `links/link-use.stored.test.ts` test `src/links/link-use.ts`. */
function sourcesOf(file: string): readonly string[] {
  const [name = ''] = basename(file).split('.')
  const path = join(dirname(file), name)
  const inSource = [join('src', `${path}.ts`), join('src', `${path}.js`)]
  return [...inSource, `${path}.js`, join('test', `${path}.ts`)]
}

test('every test has the path and name of its source file', () => {
  const lost = tests.filter(
    (file) => !isInSuite(file) && !sourcesOf(file).some((path) => existsSync(join(root, path))),
  )
  expect(tests.length).toBeGreaterThan(100)
  expect(lost).toEqual([])
})

test('no test suite has the name of a source folder', () => {
  expect(suites.filter((suite) => existsSync(join(root, 'src', suite)))).toEqual([])
})

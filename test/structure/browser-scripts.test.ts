import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Configuration = {
  readonly compilerOptions: { readonly [name: string]: unknown }
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
}

/** The TypeScript configurations that `npm run types` checks, by path. */
const { scripts } = JSON.parse(read('package.json')) as { scripts: { types: string } }
const paths = scripts.types.split('&&').map((command) => {
  const [, project = '.'] = / -p (\S+)/.exec(command) ?? []
  return project.endsWith('.json') ? project : join(project, 'tsconfig.json')
})

function checkedBy(path: string): readonly string[] {
  const folder = dirname(path)
  const { include, exclude = [] } = JSON.parse(read(path)) as Configuration
  const patterns = include.map((name) => (/[.*]/.test(name) ? name : `${name}/**/*.js`))
  return globSync(patterns, { cwd: join(root, folder), exclude }).map((file) => join(folder, file))
}

test('every browser script is type-checked', () => {
  const checked = new Set(paths.flatMap(checkedBy))
  const browserScripts = globSync(['templates/**/*.js', 'src/**/*.js'], { cwd: root })
  expect(browserScripts.length).toBeGreaterThan(10)
  expect(browserScripts.filter((file) => !checked.has(file))).toEqual([])
  expect(browserScripts.filter((file) => /@ts-(?:nocheck|ignore)/.test(read(file)))).toEqual([])
  const { compilerOptions } = JSON.parse(read('tsconfig.json')) as Configuration
  expect(compilerOptions).toMatchObject({ allowJs: true, checkJs: true, strict: true })
})

test('checks only templates/ with DOM types', () => {
  const withDom = paths.filter((path) => /"(?:dom|webworker)/.test(read(path)))
  expect(withDom.map((path) => dirname(path))).toEqual(['templates', 'templates'])
})

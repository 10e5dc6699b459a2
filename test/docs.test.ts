import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxHelp } from '../src/cli/sandbox.ts'
import { apiErrorCodes } from '../src/sandbox/api-error.ts'
import { isResourceName } from '../src/sandbox/resources/resources.ts'

const text = readFileSync(resolve(import.meta.dirname, '../docs/sandbox.md'), 'utf8')

test('docs/sandbox.md has every option of the command', () => {
  const options = sandboxHelp.match(/--[a-z-]+/g) ?? []
  expect(options.length).toBeGreaterThan(10)
  expect(options.filter((option) => !text.includes(`\`${option}`))).toEqual([])
})

test('docs/sandbox.md has every error code', () => {
  expect(apiErrorCodes).toHaveLength(17)
  expect(apiErrorCodes.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
})

test('docs/sandbox.md names the file of an endpoint as the code reads it', () => {
  const files = text.match(/`\w+\.json`/g) ?? []
  expect(files.length).toBeGreaterThan(5)
  const names = files.map((file) => file.slice(1, -'.json`'.length))
  expect(names.filter((name) => !isResourceName(name))).toEqual([])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { command } from '../../src/cli/sandbox.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { boardOptions } from '../../src/features/board/board-options.ts'
import { pictureOptions, pictureSides } from '../../src/features/board/picture-options.ts'
import type { Option } from '../../src/options/option.ts'
import { boardItem } from '../../src/signage/board-item.ts'
import { endpointOf } from '../../src/records/resources.ts'
import { apiErrorCodes } from '../../src/sandbox/api-error.ts'
import { isResourceName, resourceNames, resources } from '../../src/sandbox/resources/resources.ts'
import { documentOf, root, tableAfter } from '../support/documentation.ts'

const docs = (name: string) => documentOf(`docs/${name}`)
const sandbox = docs('sandbox.md')
const dataService = docs('data-service.md')

type Field = { readonly name: string; readonly schema: z.ZodType; readonly isTop: boolean }

/** Returns every field of a record, including fields of nested records. */
function fieldsOf(schema: unknown, isTop = true): readonly Field[] {
  if (schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap(), isTop)
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, isTop)
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return schema.options.flatMap((option) => fieldsOf(option, isTop))
  }
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => [
    { name, schema: field, isTop },
    ...fieldsOf(field, false),
  ])
}

describe('docs/sandbox.md', () => {
  test('lists every option of the command', () => {
    const options = command.help.match(/--[a-z-]+/g) ?? []
    expect(options.length).toBeGreaterThan(10)
    expect(options.filter((option) => !sandbox.includes(`\`${option}`))).toEqual([])
  })

  test('lists every error code in the order in which the errors are checked', () => {
    expect(apiErrorCodes).toHaveLength(17)
    expect(apiErrorCodes.filter((code) => !sandbox.includes(`\`${code}\``))).toEqual([])
  })

  test('lists the dataset files that the code reads', () => {
    const files = [...sandbox.matchAll(/`(\w+)\.json`/g)].map(([, name = '']) => name)
    expect(files.filter((name) => !isResourceName(name))).toEqual([])
  })

  test.for(resourceNames)('lists the required properties of %s.json', (name) => {
    const row = new RegExp(`^\\| \`${name}\\.json\`.*$`, 'm').exec(sandbox)?.[0] ?? ''
    const fields = fieldsOf(resources[name].record).filter(({ isTop }) => isTop)
    const required = fields.filter(({ schema }) => !schema.safeParse(undefined).success)
    const [, , cell = ''] = row.split('|')
    const listed = [...cell.matchAll(/`(\w+)`/g)].map(([, property]) => property)
    const known = new Set(required.map(({ name }) => name))
    expect(new Set(listed.slice(0, name === 'databases' ? 3 : undefined))).toEqual(known)
  })
})

describe('docs/data-service.md', () => {
  test.for(resourceNames)('lists every property of %s', (name) => {
    const properties = fieldsOf(resources[name].record).map(({ name }) => name)
    expect(properties.length).toBeGreaterThan(5)
    const ownOfDataset = ['restrictedTo', 'groups', 'replies', 'records']
    const shown = properties.filter((property) => !ownOfDataset.includes(property))
    expect(shown.filter((property) => !dataService.includes(`\`${property}\``))).toEqual([])
    expect(dataService).toContain(`\`${name}/\``)
  })

  test('lists every error code', () => {
    expect(apiErrorCodes.filter((code) => !dataService.includes(`\`${code}\``))).toEqual([])
  })
})

describe('docs/signage.md', () => {
  test('lists every option of a board', () => {
    const rows = docs('signage.md').match(/^\| `\w+`/gm) ?? []
    const listed = new Set(rows.map((row) => row.slice(3, -1)))
    const names = Object.values(boardOptions).map(({ name }) => name)
    expect(names.filter((name) => name !== 'limit' && !listed.has(name))).toEqual([])
  })

  test('lists every option of a picture with its default', () => {
    const text = docs('signage.md')
    const rows = tableAfter('## E-paper and pictures', text)
    const listed = rows.map((row) => [row['parameter'], row['default']])
    const options = Object.values<Option<unknown>>(pictureOptions)
    const expected = options.map(({ name, type, defaultValue }) => [
      `\`${name}\``,
      `\`${type.format(defaultValue)}\``,
    ])
    expect(expected).toEqual(expect.arrayContaining(listed))
    expect(listed).toHaveLength(8)
    expect(text).toContain(`each side from ${pictureSides.min} to ${pictureSides.max}`)
  })

  test('lists every field of an item in board.json', () => {
    const about = { id: '', kind: '', role: 'agenda', title: '', when: '', start: '' } as const
    const names = Object.keys(boardItem({ ...about, end: null }))
    expect(names.filter((name) => !docs('signage.md').includes(`\`${name}\``))).toEqual([])
  })
})

describe('docs/operation.md', () => {
  test('lists every Feedhouse metric', () => {
    const source = join(root, 'src/features/monitoring/metrics.ts')
    const names = readFileSync(source, 'utf8').match(/feedhouse_\w+/g) ?? []
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !docs('operation.md').includes(`\`${name}`))).toEqual([])
  })
})

describe('docs/connect.md', () => {
  test('lists the endpoint of each feed', () => {
    const rows = [...docs('connect.md').matchAll(/^\| `(\w+)` +\| `(\w+)` +\|$/gm)]
    expect(new Map(rows.map(([, feed, endpoint]) => [feed, endpoint]))).toEqual(
      new Map(feeds.map(({ id, resource }) => [id, endpointOf(resource)])),
    )
  })
})

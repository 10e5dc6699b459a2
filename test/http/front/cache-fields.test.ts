import { expect, test } from 'vitest'
import { readCacheFields } from '../../../src/http/front/cache-fields.ts'
import { cacheFieldsOf } from './worker-response.ts'

const tagsOf = (count: number) => Array.from({ length: count }, (_, index) => `link:${index}`)

const readTagsOf = (count: number) => readCacheFields(cacheFieldsOf({ tags: tagsOf(count) }))?.tags

test('reads up to eight tags, and rejects a response with more', () => {
  expect(readTagsOf(8)).toEqual(tagsOf(8))
  expect(readTagsOf(9)).toBeUndefined()
})

test('reads a lifetime that is over as 0, and no end as undefined', () => {
  const fields = readCacheFields(cacheFieldsOf({ maxAgeMs: -Infinity, until: Infinity }))
  expect(fields).toMatchObject({ maxAgeMs: 0, staleIfErrorMs: 600_000 })
  expect(fields?.until).toBeUndefined()
})

test('ignores a response without fields, or with fields that are not from a worker', () => {
  expect(readCacheFields({})).toBeUndefined()
  expect(readCacheFields({ 'feedhouse-cache': 'max-age=300' })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { readCacheFields } from '../../src/front/cache-fields.ts'

const headers = {
  'feedhouse-site': 'main',
  'feedhouse-representation': 'news',
  'feedhouse-cache-control': 'max-age=300',
  'feedhouse-use': '',
}

const tagsOf = (count: number) => Array.from({ length: count }, (_, index) => `link:${index}`)

const readTagsOf = (count: number) =>
  readCacheFields({ ...headers, 'feedhouse-tags': tagsOf(count).join(', ') })?.tags

test('reads up to eight tags, and rejects a response with more', () => {
  expect(readTagsOf(8)).toEqual(tagsOf(8))
  expect(readTagsOf(9)).toBeUndefined()
})

import { expect, onTestFinished, test } from 'vitest'
import { contentOf } from '../../../src/collections/copy/content.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'

test('gives other work a turn while it reads records with long lists', async () => {
  const [story] = sampleDatasetOn('2026-03-05').news
  const images = Array.from({ length: 300 }, (_, index) => ({ id: index + 1 }))
  const stories = Array.from({ length: 40 }, (_, index) => ({ ...story, id: index + 1, images }))
  let turns = 0
  let next = setImmediate(count)
  function count() {
    turns += 1
    next = setImmediate(count)
  }
  onTestFinished(() => clearImmediate(next))
  const { records } = await contentOf('news', stories)
  expect(records).toHaveLength(40)
  expect(turns).toBeGreaterThanOrEqual(39)
})

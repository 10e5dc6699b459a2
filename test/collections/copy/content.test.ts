import { expect, onTestFinished, test } from 'vitest'
import { contentOf } from '../../../src/collections/copy/content.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'

test.for([
  ['records', 40, {}],
  ['items that cannot be read', 0, { date: 'never' }],
] as const)(
  'gives other work a turn while it reads %s with long lists',
  async ([, count, change]) => {
    const [story] = sampleDatasetOn('2026-03-05').news
    const images = Array.from({ length: 300 }, (_, index) => ({ id: index + 1 }))
    const stories = Array.from({ length: 40 }, (_, index) => {
      return { ...story, id: index + 1, images, ...change }
    })
    let turns = 0
    let next = setImmediate(takeTurn)
    function takeTurn() {
      turns += 1
      next = setImmediate(takeTurn)
    }
    onTestFinished(() => clearImmediate(next))
    const { records } = await contentOf('news', stories)
    expect(records).toHaveLength(count)
    expect(turns).toBeGreaterThanOrEqual(39)
  },
)

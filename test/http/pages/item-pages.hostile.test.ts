import { expect, test } from 'vitest'
import { maxNesting } from '../../../src/records/bounded-html.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { startTestService } from '../../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [story] = sample.news
if (!story) throw new TypeError('an empty sample')

/** Some parsers take ten seconds to parse this story. */
const hostile = `${'<div>'.repeat(20_000)}Deep down${'</p>'.repeat(20_000)}`

test('flattens thousands of nested elements in a story, both on its page and in every feed', async () => {
  const news = [{ ...story, id: 7, deployed: 1 as const, text: hostile }]
  await using service = await startTestService({
    publicFeedIds: ['news'],
    sandbox: { datasetOn: () => ({ ...sample, news }) },
  })
  for (const path of ['/news.rss', '/news.atom', '/news.json', '/news/7', '/news/7']) {
    const response = await fetch(`${service.url}${path}`)
    const text = await response.text()
    expect([path, response.status]).toEqual([path, 200])
    expect(text).toContain('Deep down')
    expect(text.match(/<div>|&lt;div&gt;/g)?.length ?? 0).toBeLessThanOrEqual(maxNesting)
  }
})

import { expect, test } from 'vitest'
import { storiesIn } from '../../../src/http/pages/news-page.ts'
import { itemsFromNews } from '../../../src/syndication/news-items.ts'
import { readRecords } from '../../../src/records/read-records.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { testSite } from '../../support/site.ts'

test('makes only the stories that it shows, because that is expensive', () => {
  const [story] = sampleDatasetOn('2026-03-05').news
  const told = Array.from({ length: 100 }, (_, index) => ({
    ...story,
    id: index + 1,
    deployed: 1,
    headline: index % 4 === 0 ? `Fish fry ${index}` : `Drill ${index}`,
  }))
  const drafts = itemsFromNews(readRecords('news', told).records, {
    siteUrl: testSite.url,
    idHost: testSite.idHost,
    timeZone: testSite.timeZone,
    profile: 'public',
    websiteUrlOf: String,
    urlOf: String,
    knownOf: () => ({ hash: '', revision: 0, firstSeenAt: 0, changedAt: 0 }),
  })
  const made: number[] = []
  const counted = drafts.map((draft) => ({
    ...draft,
    make: () => {
      made.push(draft.recordId)
      return draft.make()
    },
  }))
  const { stories, count } = storiesIn(
    counted,
    { categories: [], month: undefined, search: 'fish', page: 1 },
    { now: Date.parse('2026-03-05T12:00:00Z'), timeZone: testSite.timeZone },
  )
  expect(count).toBe(25)
  expect(stories).toHaveLength(20)
  expect(made).toEqual(stories.map(({ recordId }) => recordId))
})

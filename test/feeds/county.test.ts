import { parseJsonFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { renderCounty } from '../../src/feeds/county.ts'
import { itemDefaults } from '../../src/syndication/feed-item.ts'
import { documentOf } from '../support/documentation.ts'

const county = {
  name: 'Cedar County',
  publicUrl: 'https://feeds.example',
  timeZone: 'UTC',
  language: 'en-US',
}

/** Returns a department with a number of news stories, one each minute. */
function departmentWith(id: string, count: number) {
  const publicUrl = `https://${id}.example`
  const news = Array.from({ length: count }, (_, index) => ({
    ...itemDefaults,
    id: `tag:${id}-${index}`,
    recordId: index,
    url: `${publicUrl}/${index}`,
    title: `${id} ${index}`,
    summary: '',
    contentHtml: '<p>News</p>',
    publishedAt: index * 60_000,
    updatedAt: index * 60_000,
  }))
  const content = { feedIds: ['news'], calendar: undefined, news, items: [] }
  return { id, name: id, place: undefined, publicUrl, websiteUrl: publicUrl, ...content }
}

test('has as many news stories of all departments as documented, the latest first', () => {
  const [, count = ''] = /the latest (\d+) public news/.exec(documentOf('docs/sites.md')) ?? []
  const departments = [departmentWith('ashton', 80), departmentWith('dover', 80)]
  const text = renderCounty(county, departments, { format: 'json', now: 0 })
  const times = parseJsonFeed(text).items?.map((item) => item.date_published ?? '') ?? []
  expect(times).toHaveLength(Number(count))
  expect(times).toEqual(times.toSorted().toReversed())
})

test('was last updated when its latest story was', () => {
  const departments = [departmentWith('ashton', 3), departmentWith('dover', 5)]
  const text = renderCounty(county, departments, { format: 'atom', now: 0 })
  const [, updated = ''] = /<updated>([^<]+)<\/updated>/.exec(text) ?? []
  expect(Date.parse(updated)).toBe(4 * 60_000)
})

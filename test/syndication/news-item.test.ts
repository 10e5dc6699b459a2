import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import { itemsFromNews, itemsPublishedAt } from '../../src/syndication/news-item.ts'

const options = {
  siteUrl: 'https://cedarhollow.example',
  timeZone: 'America/New_York',
  urlOf: (id: number) => `https://feeds.cedarhollow.example/news/${id}`,
}

const story = {
  id: 7,
  date: '2026-03-05 10:30:00',
  headline: 'Chimney fire',
  deployed: 1,
  text: '<p>Nobody was hurt.</p>',
}

function itemsOf(...changes: readonly object[]) {
  const items = changes.map((change, index) => ({ ...story, id: index + 1, ...change }))
  return itemsFromNews(readRecords('news', items).records, options)
}

test('a story is an item with an id of its own, in the time of the site', () => {
  const [item] = itemsOf({ id: 7, author: 'Jordan Reyes', category: 'Incidents' })
  expect(item).toEqual({
    id: 'tag:cedarhollow.example,2026:news-7',
    recordId: 7,
    url: 'https://feeds.cedarhollow.example/news/7',
    title: 'Chimney fire',
    summary: 'Nobody was hurt.',
    contentHtml: '<p>Nobody was hurt.</p>',
    author: 'Jordan Reyes',
    category: 'Incidents',
    publishedAt: Date.parse('2026-03-05T15:30:00Z'),
    updatedAt: Date.parse('2026-03-05T15:30:00Z'),
  })
})

test('the id stays when headline and date change', () => {
  const [before] = itemsOf({})
  const [after] = itemsOf({ headline: 'Another', date: '2026-04-01 00:00:00' })
  expect(after?.id).toBe(before?.id)
})

test('only deployed stories are items, newest first', () => {
  const items = itemsOf(
    { date: '2026-03-01 10:00:00' },
    { date: '2026-03-03 10:00:00' },
    { date: '2026-03-02 10:00:00', deployed: 0 },
  )
  expect(items.map(({ recordId }) => recordId)).toEqual([2, 1])
})

test('a change after publication shows as updated, one before does not', () => {
  const [later] = itemsOf({ modified: '2026-03-06 08:00:00' })
  expect(later?.updatedAt).toBe(Date.parse('2026-03-06T13:00:00Z'))
  const [earlier] = itemsOf({ modified: '2026-03-01 08:00:00' })
  expect(earlier?.updatedAt).toBe(earlier?.publishedAt)
})

test('incident facts lead the content, escaped', () => {
  const [item] = itemsOf({ address: '5 < 6 Main St', units: 'Engine 1', mutualAid: '' })
  expect(item?.contentHtml).toBe(
    '<ul><li><b>Address:</b> 5 &lt; 6 Main St</li><li><b>Units:</b> Engine 1</li></ul>\n<p>Nobody was hurt.</p>',
  )
})

test('a story without text has content all the same', () => {
  const [item] = itemsOf({ text: '', headline: 'Fire & smoke' })
  expect(item?.contentHtml).toBe('<p>Fire &amp; smoke</p>')
})

test('a headline with markup becomes plain text, an empty one a name', () => {
  const items = itemsOf({ headline: 'Fire &amp; <b>smoke</b>' }, { headline: ' ' })
  expect(items.map(({ title }) => title).toSorted()).toEqual(['Fire & smoke', 'Untitled'])
})

test('a long text is summarised at a word', () => {
  const [item] = itemsOf({ text: 'word '.repeat(200) })
  expect(item?.summary.length).toBeLessThanOrEqual(401)
  expect(item?.summary).toMatch(/word…$/)
})

test('a story of the future is held until its time', () => {
  const items = itemsOf({ date: '2026-03-05 10:00:00' }, { date: '2026-03-05 12:00:00' })
  const now = Date.parse('2026-03-05T16:00:00Z')
  const { items: out, nextAt } = itemsPublishedAt(items, now)
  expect(out.map(({ recordId }) => recordId)).toEqual([1])
  expect(nextAt).toBe(Date.parse('2026-03-05T17:00:00Z'))
  expect(itemsPublishedAt(items, nextAt ?? 0)).toMatchObject({
    items: [{ recordId: 2 }, { recordId: 1 }],
    nextAt: undefined,
  })
})

test('at most 50 items are shown', () => {
  const items = itemsOf(...Array.from({ length: 60 }, () => ({})))
  expect(itemsPublishedAt(items, Date.parse('2026-04-01')).items).toHaveLength(50)
})

import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import { itemsFromAnnouncements } from '../../src/syndication/announcement-items.ts'
import { itemDefaults } from '../../src/syndication/feed-item.ts'
import { firstSeenAt, itemSource } from './item-source.ts'

const announcement = {
  id: 7,
  headline: 'Burn ban &amp; more',
  text: '<p>No open <b>burning</b>.</p>',
  status: 2,
  expires: '2026-03-08 18:00:00',
  created: '2026-03-01 09:00:00',
  createdBy: 'Robin Vale',
}

function itemsOf(...changes: readonly object[]) {
  const items = changes.map((change, index) => ({ ...announcement, id: index + 1, ...change }))
  return itemsFromAnnouncements(readRecords('announce', items).records, itemSource).map((draft) =>
    draft.make(),
  )
}

test('shows when an announcement ends, and expires it then', () => {
  expect(itemsOf({ id: 7 })).toEqual([
    {
      ...itemDefaults,
      id: 'tag:cedarhollow.example,2026:announcement-7',
      recordId: 7,
      url: 'https://feeds.cedarhollow.example/items/7',
      title: 'Burn ban & more',
      summary: 'No open burning. Until Sunday, March 8, 2026, 6:00 PM.',
      contentHtml: '<p>No open <b>burning</b>.</p><p>Until Sunday, March 8, 2026, 6:00 PM.</p>',
      publishedAt: Date.parse('2026-03-01T14:00:00Z'),
      updatedAt: firstSeenAt,
      expiresAt: Date.parse('2026-03-08T22:00:00Z'),
    },
  ])
})

test('never expires an announcement without an end, and supplies missing text and dates', () => {
  const [item] = itemsOf({ text: '', expires: '', created: '', headline: 'Fire & smoke' })
  expect(item).toMatchObject({
    contentHtml: '<p>Fire &amp; smoke</p>',
    publishedAt: firstSeenAt,
    expiresAt: Infinity,
  })
})

test('includes only Online announcements', () => {
  const items = itemsOf({ status: 0 }, { status: 1 }, { status: 2 })
  expect(items.map(({ recordId }) => recordId)).toEqual([3])
})

test('reads a date without a time as the end of that day', () => {
  expect(itemsOf({ expires: '2026-03-08' })[0]?.expiresAt).toBe(Date.parse('2026-03-09T03:59:59Z'))
})

test('appends the end to a summary that lacks punctuation', () => {
  expect(itemsOf({ text: 'No burning' })[0]?.summary).toBe(
    'No burning. Until Sunday, March 8, 2026, 6:00 PM.',
  )
  expect(itemsOf({ text: '' })[0]?.summary).toBe('Until Sunday, March 8, 2026, 6:00 PM.')
})

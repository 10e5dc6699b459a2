import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { collectionAfter, feedWith, itemsOf, renderFeed } from '../support/feed-text.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const sample = sampleDatasetOn('2026-03-05')

/*
 * Subscribers' phones, calendars and feed readers store these ids. If an id changes, apps show the
 * entry twice, or delete it and create a new entry that is unread and has no reminders. Ids must
 * therefore never change, even if titles, dates, URLs, options, or versions of Feedhouse and its
 * libraries change. If this test fails, fix the code, not the test.
 */
const idHost = 'cedarhollow.example'
const entries: readonly (readonly [feed: string, id: number])[] = [
  ['calendar', 2025095],
  ['events', 2026031],
  ['rental', 29041],
  ['signup', 2025121],
  ['training', 2025005],
]
const items: readonly (readonly [feed: string, id: number, name?: string])[] = [
  ['news', 2930],
  ['announcements', 2928, 'announcement-2928'],
  ['events', 2026031],
  ['minutes', 2026021],
  ['guestbook', 2928],
  ['forum', 2925],
  ['documents', 2],
  ['presentations', 2],
  ['quizzes', 2],
  ['training', 2025005, 'training-2025-07-14-2025005'],
]
const ids = [
  ...entries.map(([feed, id]) => ({ feed, id, line: `UID:${feed}-${id}@${idHost}\r\n` })),
  ...items.flatMap(([feed, id, name = `${feed}-${id}`]) => {
    const tag = `tag:${idHost},2026:${name}`
    return [
      { feed, id, format: 'rss' as const, line: `<guid isPermaLink="false">${tag}</guid>` },
      { feed, id, format: 'atom' as const, line: `<id>${tag}</id>` },
      { feed, id, format: 'json' as const, line: `"id":"${tag}"` },
    ]
  }),
  ...items.map(([feed]) => {
    const line = `<id>tag:${idHost},2026:${feed}</id>`
    return { feed, id: undefined, format: 'atom' as const, line }
  }),
]

test.for(ids)('never changes the id $line', async ({ line, ...of }) => {
  const { resource } = feedWith(of.feed)
  const format = 'format' in of ? of.format : 'ics'
  const records = itemsOf(sample, resource)
  const record = records.find((item) => (item as { readonly id: number }).id === of.id)
  if (of.id !== undefined && !record) throw new Error(`the sample has no record ${of.id}`)
  const others = record === undefined ? records : [record]
  const collection = await collectionAfter(resource, [others], now)
  const options = { now, format, profile: 'full' } as const
  const moved = { ...(record as object), title: 'Another title', name: 'Another name' }
  const later = await collectionAfter(resource, [others, [moved]], now)
  expect(renderFeed(of.feed, collection, options).text).toContain(line)
  const changed = record === undefined ? collection : later
  expect(renderFeed(of.feed, changed, options).text).toContain(line)
})

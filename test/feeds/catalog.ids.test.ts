import { expect, test } from 'vitest'
import { feeds } from '../../src/feeds/catalog.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { collectionAfter, itemsOf, renderFeed } from '../support/feed-text.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const sample = sampleDatasetOn('2026-03-05')

/*
 * Subscribers' phones, calendars and feed readers store these ids. If an id changes, apps show the
 * entry twice, or delete it and create a new entry that is unread and has no reminders. Ids must
 * therefore never change, even if titles, dates, URLs, options, or versions of Feedhouse and its
 * libraries change. If this test fails, fix the code, not the test.
 */
const ids = [
  { feed: 'calendar', id: 2025095, line: 'UID:calendar-2025095@cedarhollow.example\r\n' },
  { feed: 'events', id: 2026031, line: 'UID:events-2026031@cedarhollow.example\r\n' },
  { feed: 'rental', id: 29041, line: 'UID:rental-29041@cedarhollow.example\r\n' },
  { feed: 'signup', id: 2025121, line: 'UID:signup-2025121@cedarhollow.example\r\n' },
  { feed: 'training', id: 2025005, line: 'UID:training-2025005@cedarhollow.example\r\n' },
  ...[
    { feed: 'news', id: 2930, tag: 'tag:cedarhollow.example,2026:news-2930' },
    { feed: 'announcements', id: 2928, tag: 'tag:cedarhollow.example,2026:announcement-2928' },
    { feed: 'events', id: 2026031, tag: 'tag:cedarhollow.example,2026:events-2026031' },
    { feed: 'minutes', id: 2026021, tag: 'tag:cedarhollow.example,2026:minutes-2026021' },
    { feed: 'guestbook', id: 2928, tag: 'tag:cedarhollow.example,2026:guestbook-2928' },
    { feed: 'forum', id: 2925, tag: 'tag:cedarhollow.example,2026:forum-2925' },
    { feed: 'documents', id: 2, tag: 'tag:cedarhollow.example,2026:documents-2' },
    { feed: 'presentations', id: 2, tag: 'tag:cedarhollow.example,2026:presentations-2' },
    { feed: 'quizzes', id: 2, tag: 'tag:cedarhollow.example,2026:quizzes-2' },
    {
      feed: 'training',
      id: 2025005,
      tag: 'tag:cedarhollow.example,2026:training-2025-07-14-2025005',
    },
  ].flatMap(({ feed, id, tag }) => [
    { feed, id, format: 'rss' as const, line: `<guid isPermaLink="false">${tag}</guid>` },
    { feed, id, format: 'atom' as const, line: `<id>${tag}</id>` },
    { feed, id, format: 'json' as const, line: `"id":"${tag}"` },
  ]),
  ...[
    'news',
    'announcements',
    'events',
    'minutes',
    'documents',
    'guestbook',
    'forum',
    'training',
    'presentations',
    'quizzes',
  ].map((feed) => ({
    feed,
    id: undefined,
    format: 'atom' as const,
    line: `<id>tag:cedarhollow.example,2026:${feed}</id>`,
  })),
]

test.for(ids)('never changes the id $line', async ({ line, ...of }) => {
  const feed = feeds.find(({ id }) => id === of.feed)
  const format = 'format' in of ? of.format : 'ics'
  const records = itemsOf(sample, feed?.resource ?? 'news')
  const record = records.find((item) => (item as { readonly id: number }).id === of.id)
  if (of.id !== undefined && !record) throw new Error(`the sample has no record ${of.id}`)
  const others = record === undefined ? records : [record]
  const collection = await collectionAfter(feed?.resource ?? 'news', [others], now)
  const options = { now, format, profile: 'full' } as const
  const moved = { ...(record as object), title: 'Another title', name: 'Another name' }
  const later = await collectionAfter(feed?.resource ?? 'news', [others, [moved]], now)
  expect(renderFeed(of.feed, collection, options).text).toContain(line)
  const changed = record === undefined ? collection : later
  expect(renderFeed(of.feed, changed, options).text).toContain(line)
})

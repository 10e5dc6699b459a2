import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import { draftFromTopic, isTopicShown } from '../../src/syndication/forum-items.ts'
import { firstSeenAt, itemsWith } from './item-source.ts'

const topic = {
  id: 7,
  title: 'New radios: channel &amp; order?',
  status: 1,
  locked: 0,
  created: '2026-03-01 09:00:00',
  createdBy: 'Robin Vale',
  lastPost: '2026-03-03 21:14:00',
  replyCount: 12,
}

const itemOf = (change: object = {}) => itemsWith('discuss', topic, draftFromTopic)([change])[0]

test('dates a topic by its last post, and says how many replies it has', () => {
  expect(itemOf()).toMatchObject({
    id: 'tag:cedarhollow.example,2026:forum-7',
    title: 'New radios: channel & order?',
    summary: '12 replies, last post on Tuesday, March 3, 2026, 9:14 PM.',
    contentHtml: [
      '<p>12 replies, last post on Tuesday, March 3, 2026, 9:14 PM.</p>',
      '<p>Read the topic on the <a href="https://cedarhollow.example/items?page=1&amp;id=7" rel="noopener noreferrer nofollow">website</a>. To follow the replies, add ?topic=7 to the address of the forum’s feed.</p>',
    ].join('\n'),
    author: 'Robin Vale',
    publishedAt: Date.parse('2026-03-04T02:14:00Z'),
  })
})

test.for([
  [{ replyCount: 0 }, 'No replies yet, last post on'],
  [{ replyCount: 1 }, '1 reply, last post on'],
  [{ replyCount: '' }, 'Last post on'],
  [{ locked: 1 }, 'The topic is locked.'],
  [{ status: 3 }, 'The topic is locked.'],
] as const)('describes a topic with %j', ([change, text]) => {
  expect(itemOf(change)?.summary).toContain(text)
})

test('dates a topic without posts by its creation, or else by when it was first seen', () => {
  const created = Date.parse('2026-03-01T14:00:00Z')
  expect(itemOf({ lastPost: '' })?.publishedAt).toBe(created)
  expect(itemOf({ lastPost: '', created: '' })?.publishedAt).toBe(firstSeenAt)
})

test('is never public, and leaves out topics that are offline', () => {
  const topics = [1, 2, 3].map((status) => ({ ...topic, id: status, status }))
  const { records } = readRecords('discuss', topics)
  const profiles = ['public', 'members', 'full'] as const
  const shown = profiles.map((profile) =>
    records.filter((each) => isTopicShown(each, profile)).map(({ id }) => id),
  )
  expect(shown).toEqual([[], [1, 3], [1, 3]])
})

import { expect, test } from 'vitest'
import { draftFromAnnouncement } from '../../src/syndication/announcement-items.ts'
import { firstSeenAt, itemSource, itemsWith } from './item-source.ts'

const announcement = {
  id: 7,
  headline: 'Burn ban &amp; more',
  text: '<p>No open <b>burning</b>.</p>',
  status: 2,
  expires: '2026-03-08 18:00:00',
  created: '2026-03-01 09:00:00',
  createdBy: 'Robin Vale',
}

const itemOf = (change: object = {}) =>
  itemsWith('announce', announcement, draftFromAnnouncement)([change])[0]

test('shows when an announcement ends, and expires it then', () => {
  expect(itemOf()).toMatchObject({
    title: 'Burn ban & more',
    summary: 'No open burning.\nUntil Sunday, March 8, 2026, 6:00 PM.',
    contentHtml: '<p>No open <b>burning</b>.</p><p>Until Sunday, March 8, 2026, 6:00 PM.</p>',
    publishedAt: Date.parse('2026-03-01T14:00:00Z'),
    expiresAt: Date.parse('2026-03-08T22:00:00Z'),
  })
})

test('never expires an announcement without an end, and supplies missing text and dates', () => {
  const change = { text: '', expires: '', created: '', headline: 'Fire & smoke' }
  expect(itemOf(change)).toMatchObject({
    contentHtml: '<p>Fire &amp; smoke</p>',
    publishedAt: firstSeenAt,
    expiresAt: Infinity,
  })
})

test('reads a date without a time as the end of that day', () => {
  expect(itemOf({ expires: '2026-03-08' })?.expiresAt).toBe(Date.parse('2026-03-09T03:59:59Z'))
})

test('appends the end to a summary that lacks punctuation', () => {
  expect(itemOf({ text: 'No burning' })?.summary).toBe(
    'No burning.\nUntil Sunday, March 8, 2026, 6:00 PM.',
  )
  expect(itemOf({ text: '' })?.summary).toBe('Until Sunday, March 8, 2026, 6:00 PM.')
})

test('is dated when it appeared, and never in the future', () => {
  const created = '2026-03-05 16:00:00'
  expect(itemOf({ created })?.publishedAt).toBe(firstSeenAt)
  const appearedAt = firstSeenAt + 60_000
  const knownOf = () => ({ ...itemSource.knownOf(7), appearedAt })
  const [item] = itemsWith('announce', announcement, draftFromAnnouncement)([{}], { knownOf })
  expect(item).toMatchObject({ publishedAt: appearedAt, updatedAt: appearedAt })
})

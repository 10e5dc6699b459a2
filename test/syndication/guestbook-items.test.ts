import { expect, test } from 'vitest'
import type { Profile } from '../../src/records/profile.ts'
import { readRecords } from '../../src/records/read-records.ts'
import {
  draftFromGuestbookEntry,
  isGuestbookEntryShown,
} from '../../src/syndication/guestbook-items.ts'
import { itemsWith } from './item-source.ts'

const entry = {
  id: 7,
  created: '2026-03-01 09:00:00',
  status: 2,
  name: 'Marisol Quint',
  email: 'marisol@example.org',
  rank: 'Captain',
  location: 'Fox Run, NY',
  website: 'https://foxrun.example/?a=1&b=2',
  text: 'Great site!\n\nStay <i>safe</i>.',
}

const itemOf = (change: object = {}, profile: Profile = 'public') =>
  itemsWith('guestbook', entry, draftFromGuestbookEntry)([change], { profile })[0]

test('shows the authors of guestbook entries, and links to their websites', () => {
  expect(itemOf()).toMatchObject({
    id: 'tag:cedarhollow.example,2026:guestbook-7',
    title: 'Marisol Quint, Captain, Fox Run, NY',
    summary: 'Great site! Stay safe.',
    publishedAt: Date.parse('2026-03-01T14:00:00Z'),
  })
  expect(itemOf()?.contentHtml).toContain(
    '<p>Website: <a href="https://foxrun.example/?a=1&amp;b=2" rel="noopener noreferrer nofollow">https://foxrun.example/?a=1&amp;b=2</a></p>',
  )
})

test('never links to anything but websites', () => {
  for (const website of ['javascript:alert(1)', 'foxrun.example', 'https://[']) {
    expect(itemOf({ website })?.contentHtml).toContain(`<p>Website: ${website}</p>`)
  }
})

test('shows email addresses only to moderators', () => {
  for (const profile of ['public', 'members'] as const) {
    expect(JSON.stringify(itemOf({}, profile))).not.toContain('marisol@')
  }
  expect(itemOf({}, 'full')?.contentHtml).toContain('<p>Email: marisol@example.org</p>')
})

test('shows entries that are not Online only to moderators, with their status', () => {
  const { records } = readRecords('guestbook', [{ ...entry, status: 0 }])
  const isShownTo = (profile: Profile) =>
    records.every((each) => isGuestbookEntryShown(each, profile))
  expect([isShownTo('public'), isShownTo('members'), isShownTo('full')]).toEqual([
    false,
    false,
    true,
  ])
  expect(itemOf({ status: 0 }, 'full')).toMatchObject({
    title: 'Pending: Marisol Quint, Captain, Fox Run, NY',
    contentHtml: expect.stringContaining('<p>Status: Pending</p>'),
  })
  expect(itemOf({ status: 1, name: '', rank: '', location: '' }, 'full')?.title).toBe(
    'Offline: Untitled',
  )
})

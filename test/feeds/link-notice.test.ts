import { expect, test } from 'vitest'
import { linkNotice, privateNotice } from '../../src/feeds/link-notice.ts'
import type { FeedLink } from '../../src/links/feed-link.ts'
import { testSite } from '../support/site.ts'

const link: FeedLink = { id: 'a', keyHash: '', label: 'Crew', profile: 'members', createdAt: 0 }

test.for([
  ['expired', { expiresAt: Date.parse('2026-03-08T04:30:00Z') }],
  ['was revoked', { revokedAt: Date.parse('2026-03-08T04:30:00Z') }],
] as const)('says on which day at the site a link %s', ([verb, end]) => {
  const { text, screenText } = linkNotice({ ...link, ...end }, testSite, Date.UTC(2026, 2, 9))
  expect(text).toContain(`${verb} on March 7, 2026`)
  expect(screenText).toContain(`${verb} on March 7, 2026`)
})

test('says for two weeks on which day a feed became private', () => {
  const since = Date.parse('2026-03-08T04:30:00Z')
  const at = (now: number) => privateNotice('news', since, testSite, now)
  const until = since + 14 * 24 * 60 * 60 * 1000
  expect(at(since)?.text).toContain('made this feed private on March 7, 2026')
  expect(at(until - 1)).toEqual(at(since))
  expect(at(until)).toBeUndefined()
})

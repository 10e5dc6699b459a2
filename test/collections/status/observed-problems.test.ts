import { expect, test } from 'vitest'
import { dayMs, minuteMs } from '../../../src/clock.ts'
import type { Observations } from '../../../src/collections/status/observed-problems.ts'
import type { Problem } from '../../../src/collections/status/problem.ts'
import { problemsFrom } from '../../../src/collections/status/problems.ts'
import { healthy, keysOf, linkOf, now } from './healthy-status.ts'

const failedFor = (ms: number) => ({
  followMail: { mailFailure: { since: now - ms, reason: 'the mail server does not respond' } },
})

const reported = (followMail: Observations['followMail']) => problemsFrom(healthy, { followMail })

const unread = (ms: number) => ({
  bounceFailure: { since: now - ms, reason: 'the mailbox cannot be opened' },
})

const refusedFor = (ms: number) => ({
  refusedDevices: [
    {
      service: 'Apple',
      since: now - ms,
      refused: 3,
      devices: 4,
      reason: 'the push service of Apple responded with status 403',
    },
    { service: 'Mozilla', since: now - ms + 1, refused: 1, devices: 1 },
  ],
})

test('reports that emails to followers have failed for an hour', () => {
  expect(keysOf({}, failedFor(60 * minuteMs - 1))).toEqual([])
  expect(keysOf({}, failedFor(60 * minuteMs))).toEqual(['follow-mail-failing'])
  const [problem] = problemsFrom(healthy, failedFor(60 * minuteMs)).open
  expect(problem?.sentence).toContain('the mail server does not respond. They are tried again')
})

test('reports that many emails are refused, and that bounces cannot be read', () => {
  const [refused] = reported({ refused: 12 }).open
  expect(refused?.key).toBe('follow-mail-refused')
  expect(refused?.sentence).toContain('servers of 12 followers refuse the emails')
  expect(reported(unread(60 * minuteMs - 1)).open).toEqual([])
  const [failing] = reported(unread(60 * minuteMs)).open
  expect(failing?.key).toBe('follow-bounces-failing')
  expect(failing?.sentence).toContain('an hour: the mailbox cannot be opened. Check MAIL_BOUNCES')
})

test('reports how many addresses of followers cannot be read', () => {
  expect(reported({ unreadable: 0 }).open).toEqual([])
  const [problem] = reported({ unreadable: 3 }).open
  expect(problem?.key).toBe('followers-unreadable')
  expect(problem?.sentence).toContain('3 followers get no messages')
})

test('reports push services that have refused most devices for an hour', () => {
  expect(reported(refusedFor(60 * minuteMs - 1)).open).toEqual([])
  const [refused] = reported(refusedFor(60 * minuteMs)).open
  expect(refused?.key).toBe('follow-push-refused')
  expect(refused?.sentence).toMatch(
    /^Apple: notifications to 3 of 4 devices have failed for over an hour \(the push service of Apple responded with status 403\)\. Feedhouse tries/,
  )
  expect(reported(refusedFor(61 * minuteMs)).open[0]?.sentence).toContain(
    'Mozilla: notifications to 1 of 1 devices have failed for over an hour. Feedhouse tries',
  )
})

test('names at most ten links', () => {
  const unused = { createdAt: 0, lastUsedAt: undefined, appsUsedAt: [] }
  const links = Array.from({ length: 12 }, (_, index) => ({ ...unused, id: `link${index}` }))
  const { open } = problemsFrom(healthy, { links })
  expect(open[0]?.sentence).toContain('link0, link1')
  expect(open[0]?.sentence).toContain('link9 and 2 more')
})

const megabyte = 1024 * 1024

const disk = (freeBytes: number, totalBytes: number): Observations => ({
  disk: { freeBytes, totalBytes },
})

/** A certificate that ends after a time, and was valid for a year or the given time. */
const certificate = (leftMs: number, validMs = 365 * dayMs): Observations => ({
  certificate: { validFrom: now + leftMs - validMs, validUntil: now + leftMs },
})

const tokenAged = (ageMs: number): Observations => ({
  refreshToken: { createdAt: now - ageMs, isEstimate: false },
})

/** Thresholds of alerts in docs/operation.md: the last value that is reported, and the next one. */
test.for<[name: string, key: string, reported: Observations, tooEarly: Observations]>([
  [
    'a disk with less than 200 MB',
    'disk-nearly-full',
    disk(200 * megabyte - 1, 1e12),
    disk(200 * megabyte, 1e12),
  ],
  [
    'a small disk with less than a tenth',
    'disk-nearly-full',
    disk(99_999_999, 1e9),
    disk(100_000_000, 1e9),
  ],
  [
    'a certificate that ends in 14 days',
    'certificate-ending',
    certificate(14 * dayMs),
    certificate(14 * dayMs + 1),
  ],
  [
    'a certificate in the last quarter of its validity',
    'certificate-ending',
    certificate(2 * dayMs, 8 * dayMs),
    certificate(2 * dayMs + 1, 8 * dayMs),
  ],
  [
    'a refresh token that ends in 30 days',
    'refresh-token-ending',
    tokenAged(335 * dayMs),
    tokenAged(335 * dayMs - 1),
  ],
  [
    'a link that has not been used for 60 days',
    'links-unused',
    linkOf({ lastUsedAt: now - 60 * dayMs }),
    linkOf({ lastUsedAt: now - 60 * dayMs + 1 }),
  ],
  [
    'a link that has never been used in 60 days',
    'links-unused',
    linkOf({ createdAt: now - 60 * dayMs, lastUsedAt: undefined }),
    linkOf({ createdAt: now - 60 * dayMs + 1, lastUsedAt: undefined }),
  ],
  [
    'a link that five kinds of apps have read within 30 days',
    'links-shared',
    linkOf({ appsUsedAt: [now, now, now, now, now - 30 * dayMs + 1] }),
    linkOf({ appsUsedAt: [now, now, now, now, now - 30 * dayMs] }),
  ],
])('reports %s, and nothing before', ([, key, reported, tooEarly]) => {
  expect(keysOf({}, reported)).toEqual([key])
  expect(keysOf({}, tooEarly)).toEqual([])
})

test.for<[name: string, Observations, Observations, Problem['urgency'], Problem['urgency']]>([
  ['3 days', certificate(3 * dayMs + 1), certificate(3 * dayMs), 'normal', 'urgent'],
  ['14 days', tokenAged(351 * dayMs - 1), tokenAged(351 * dayMs), 'note', 'normal'],
])('becomes more urgent %s before the end', ([, before, after, ...expected]) => {
  const urgencies = [before, after].map((each) => problemsFrom(healthy, each).open[0]?.urgency)
  expect(urgencies).toEqual(expected)
})

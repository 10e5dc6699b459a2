import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { findChangeItems } from '../../src/delivery/notifications/change-webhooks.ts'
import { changeInWords } from '../../src/calendar/change-in-words.ts'
import { eventsRecipe } from '../../src/calendar/record-recipes.ts'
import { hashOf, ledgerAfter } from '../../src/collections/copy/ledger.ts'
import { expectedToLeave } from '../../src/collections/copy/loss-guard.ts'
import { linkNotice } from '../../src/feeds/link-notice.ts'
import { endOfOverlap } from '../../src/features/admin/link-form.ts'
import { errorHandler } from '../../src/web/error-handler.ts'
import { TooManyRequests } from '../../src/web/errors.ts'
import { hasEnded, isOpen, stateOf, type FeedLink } from '../../src/links/feed-link.ts'
import { isRetained } from '../../src/links/stored-links.ts'
import { createLogger } from '../../src/log.ts'
import { isLong } from '../../src/records/date-words.ts'
import type { RecordOf } from '../../src/records/read-records.ts'
import { daysAfter, siteTimeAt } from '../../src/records/site-time.ts'
import { createThrottle } from '../../src/upstream/throttle.ts'
import { inSteps } from '../../src/steps.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testSite } from '../support/site.ts'

/*
 * Periods include their start and exclude their end, to the millisecond, and days at the site end at
 * midnight there, also when clocks change.
 */

const dayMs = 24 * 60 * 60_000

const timeZone = 'America/New_York'
const start = Date.parse('2026-03-05T15:00:00Z')

const link: FeedLink = {
  id: 'a',
  keyHash: '',
  label: 'Crew',
  profile: 'members',
  feedIds: undefined,
  createdAt: 0,
  expiresAt: start,
  revokedAt: undefined,
}

const facts = (title: string) => ({
  title,
  place: '',
  startDate: '2026-03-05',
  startTime: '09:00:00',
  endTime: '10:00:00',
})

const changeAt = (at: number) =>
  changeInWords(
    { revision: 1, since: at, at, before: facts('Drill'), after: facts('Meeting') },
    eventsRecipe,
    { timeZone, language: 'en-US' },
  )?.text

/** Returns the revision of a record that was lost with most others, and returns later. */
function revisionAfter(lostMs: number): number | undefined {
  const hashes = new Map([[1, hashOf('a')]])
  const read = (ledger: ReturnType<typeof ledgerAfter>, isThere: boolean, now: number) =>
    ledgerAfter(ledger, isThere ? hashes : new Map(), {
      unreadIds: new Set(),
      isLeftOut: () => false,
      lostIds: new Set([1]),
      isOnline: () => true,
      onlineBefore: new Map(),
      saidAt: new Map(),
      now,
    })
  const lost = read(read(new Map(), true, 0), false, 1_000)
  return read(lost, true, 1_000 + lostMs).get(1)?.revision
}

const announcement = { id: 1, expires: '2026-03-05T10:00:00' } as RecordOf['announce']
const event = { id: 1, startDate: '2026-03-05' } as RecordOf['events']

const mayLeave = (resource: 'announce' | 'events', now: number) =>
  expectedToLeave(resource, [resource === 'announce' ? announcement : event] as never, {
    days: undefined,
    siteNow: siteTimeAt(now, timeZone),
  })(1)

/** Returns the number of news items that are found, of one that is published for a day. */
async function newsFound(now: number): Promise<number> {
  const draft = { recordId: 1, publishedAt: start, expiresAt: start + dayMs, order: 0 }
  const feed = { id: 'news', resource: 'news', newsItems: () => inSteps([draft], (each) => each) }
  const { items } = await findChangeItems(
    {
      site: testSite,
      publicFeeds: [feed as never],
      collections: { copyOf: () => ({}) as never },
      duplicatesFor: () => Promise.resolve([]),
    },
    now,
  )
  return items.length
}

/**
 * The value at a time before or after the boundary, which is at 0; the values before and after; and
 * the step, which is 1,000 ms for times at the site, which have whole seconds.
 */
type Boundary = readonly [
  name: string,
  at: (ms: number) => unknown,
  before: unknown,
  after: unknown,
  step?: number,
]

const noticeChangedAt = (now: number) =>
  linkNotice({ ...link, expiresAt: undefined, pausedAt: start }, testSite, now).changedAt
const change = 'New title: Meeting, Thu, Mar 5, 9 AM (was Drill)'
const weekMs = 7 * dayMs
const midnight = Date.parse('2026-03-06T05:00:00Z')
const longUntil = (days: number) =>
  isLong({ allDay: true, start: '2026-02-20', end: daysAfter('2026-03-07', days) })

test.for<Boundary>([
  ['the last day of a link', (ms) => isOpen(link, start + ms), true, false],
  ['the end of a link', (ms) => hasEnded(link, start + ms), false, true],
  ['the notice of an ended link', (ms) => stateOf(link, start + 2 * weekMs + ms), 'ended', 'gone'],
  [
    'the week after which the notice of a paused link changes',
    (ms) => noticeChangedAt(start + weekMs + ms),
    start,
    start + weekMs,
  ],
  [
    'the retention of an ended link',
    (ms) => isRetained(link, start + 400 * dayMs + ms),
    true,
    false,
  ],
  ['the end of an entry that is changed', (ms) => changeAt(start + ms), change, undefined, 1_000],
  [
    'the last moment at which a lost record can return unchanged',
    (ms) => revisionAfter(14 * dayMs + 1 + ms),
    0,
    1,
  ],
  [
    'an announcement that may leave after it has expired',
    (ms) => mayLeave('announce', start + 1_000 + ms),
    false,
    true,
    1_000,
  ],
  [
    'an event that may leave after its last day',
    (ms) => mayLeave('events', midnight + ms),
    false,
    true,
  ],
  ['the time at which news is published', (ms) => newsFound(start + ms), 0, 1],
  ['the time at which news expires', (ms) => newsFound(start + dayMs + ms), 1, 0],
  ['the length of an entry that is listed after others', longUntil, false, true],
])('%s is exact', async ([, at, before, after, step = 1]) => {
  const values = await Promise.all([-step, 0, step].map(at))
  expect(values).toEqual([before, after, after])
})

test.for([
  // Half an hour before and after midnight, a week before and after clocks change.
  ['2026-03-06T04:30:00Z', '2026-03-13T03:59:59.999Z'],
  ['2026-03-05T05:30:00Z', '2026-03-13T03:59:59.999Z'],
  ['2026-10-30T04:30:00Z', '2026-11-07T04:59:59.999Z'],
  ['2026-10-30T03:30:00Z', '2026-11-06T04:59:59.999Z'],
  // The end of a month and of a year.
  ['2026-02-24T17:00:00Z', '2026-03-04T04:59:59.999Z'],
  ['2026-12-28T17:00:00Z', '2027-01-05T04:59:59.999Z'],
])('an address replaced at %s works for the whole of the 7th day', ([now = '', end = '']) => {
  const until = endOfOverlap('7', { timeZone, now: Date.parse(now) })
  expect(new Date(until).toISOString()).toBe(end)
})

test.for([
  [0, '1'],
  [1, '1'],
  [1_000, '1'],
  [1_001, '2'],
  [59_999, '60'],
] as const)('a client that has to wait %d ms is asked to wait %s s', async ([ms, seconds]) => {
  const application = express()
  application.use(() => {
    throw new TooManyRequests('too many variants', ms)
  })
  application.use(errorHandler(createLogger('silent'), () => undefined))
  const { headers } = await supertest(application).get('/')
  expect(headers['retry-after']).toBe(seconds)
})

test.for([
  { waitMs: 120_000, isSent: true },
  { waitMs: 120_001, isSent: false },
])('a call that has to wait $waitMs ms is sent: $isSent', async ({ waitMs, isSent }) => {
  const clock = createFakeClock()
  const roomAt = clock.now() + waitMs
  const throttle = createThrottle({
    callsPerMinute: 30,
    callsPerDay: 5_000,
    clock,
    window: {
      take: async () => {
        const retryAfterMs = roomAt - clock.now()
        return retryAfterMs > 0 ? { ok: false, retryAfterMs } : { ok: true, id: 'a', used: [] }
      },
      release: async () => undefined,
      add: async () => undefined,
      count: async () => 0,
    },
  })
  const outcome = throttle
    .reserve(() => 'person')
    .then(
      () => true,
      () => false,
    )
  await clock.advance(waitMs)
  expect(await outcome).toBe(isSent)
})

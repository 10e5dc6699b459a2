import { describe, expect, test } from 'vitest'
import {
  detailIntervalMs,
  intervalFactorOf,
  readingIntervalMs,
  type Load,
  intervalSentence,
} from '../../../src/collections/schedule/reading-interval.ts'
import { feedResources, type FeedResource } from '../../../src/records/resources.ts'
import { statusFrom } from '../../../src/collections/status/status.ts'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

const dayMs = 24 * 60 * minuteMs

const load: Load = {
  freshMs: 5 * minuteMs,
  callsPerDay: 5000,
  usedToday: 0,
  callsPerRound: 6,
  details: 0,
}

const minutes = (ms: number) => ms / minuteMs

test.for([
  { callsPerRound: 1, details: 0, every: 5 },
  { callsPerRound: 6, details: 0, every: 5 },
  { callsPerRound: 14, details: 0, every: 5 },
  { callsPerRound: 6, details: 100, every: 5 },
  { callsPerRound: 20, details: 0, every: 6.78 },
  { callsPerRound: 20, details: 100, every: 9.6 },
  { callsPerRound: 40, details: 0, every: 13.55 },
])(
  'reads collections that need $callsPerRound calls and $details details every $every minutes',
  ({ every, ...changes }) => {
    expect(minutes(readingIntervalMs({ ...load, ...changes }, false))).toBeCloseTo(every, 1)
  },
)

test('reads up to once a minute if the daily limit allows it', () => {
  const often = { ...load, freshMs: minuteMs, callsPerRound: 2 }
  expect(minutes(readingIntervalMs(often, false))).toBe(1)
})

test.for([
  { details: 0, every: 5 },
  { details: 4, every: 5 },
  { details: 10, every: 11.52 },
  { details: 100, every: 115.2 },
])('reads the details of $details sheets every $every minutes', ({ details, every }) => {
  expect(minutes(detailIntervalMs({ ...load, details }))).toBeCloseTo(every)
})

test.for([
  { used: 0, stretch: 1 },
  { used: 4250, stretch: 1 },
  { used: 4500, stretch: 2 },
  { used: 4650, stretch: 5 },
  { used: 4740, stretch: 20 },
  { used: 4750, stretch: 20 },
  { used: 5000, stretch: 20 },
])('multiplies intervals by $stretch when $used of 5000 calls are used', ({ used, stretch }) => {
  const intervalMs = readingIntervalMs({ ...load, usedToday: used }, false)
  expect(intervalMs / load.freshMs).toBeCloseTo(stretch)
})

test('reads unused collections only one twelfth as often', () => {
  expect(readingIntervalMs(load, true)).toBe(60 * minuteMs)
})

describe.for([
  { name: 'six pages', callsPerDay: 5000, pages: 6, foreign: 0 },
  { name: 'forty pages', callsPerDay: 5000, pages: 40, foreign: 0 },
  { name: 'a small budget', callsPerDay: 300, pages: 6, foreign: 0 },
  {
    name: 'other programs that use half of the budget',
    callsPerDay: 5000,
    pages: 20,
    foreign: 2500,
  },
])('with $name', ({ callsPerDay, pages, foreign }) => {
  test('leaves at least 5 percent of the daily calls unused', () => {
    const sentAt: number[] = []
    const usedAt = (now: number) =>
      sentAt.filter((at) => at > now - dayMs).length + Math.min(foreign, (now / dayMs) * foreign)
    let readAt = -Infinity
    for (let now = 0; now < 3 * dayMs; now += minuteMs) {
      const usedToday = usedAt(now)
      const present = { ...load, callsPerDay, usedToday, callsPerRound: pages }
      const intervalMs = readingIntervalMs(present, false)
      // The throttle rejects calls beyond this share of the daily limit.
      const isRefused = usedToday + pages > callsPerDay * 0.9
      if (now - readAt < intervalMs || isRefused) continue
      for (let page = 0; page < pages; page += 1) sentAt.push(now)
      readAt = now
      expect(usedAt(now)).toBeLessThanOrEqual(callsPerDay * 0.95)
    }
    expect(sentAt.length).toBeGreaterThan(0)
  })
})

/** The documented intervals, as multiples of the usual one; 1 for all others. */
const factors: Readonly<Partial<Record<FeedResource, number>>> = {
  minutes: 6,
  documents: 6,
  guestbook: 6,
  discuss: 6,
  'training/membercerts': 12,
  'training/presentations': 12,
  'training/quizzes': 12,
  'members/contacts': 12,
  'databases/1': 12,
}

test.for<FeedResource>([...feedResources, 'databases/1'])(
  'reads %s as often as documented',
  (resource) => {
    expect(intervalFactorOf(resource)).toBe(factors[resource] ?? 1)
  },
)

const often = { ...load, freshMs: minuteMs, callsPerRound: 8.7, details: 5 }

test('names the real interval, the reason and the remedy', () => {
  expect(intervalSentence(often)).toBe(
    'Feedhouse reads the website every 251 seconds instead of every 60 (FRESH_SECONDS), because reading it more often would use up the 5000 API calls per day (CALLS_PER_DAY). To read it more often, offer fewer feeds, or raise CALLS_PER_DAY if it is below 5000; otherwise, set FRESH_SECONDS=251.',
  )
})

test('does not report the suggested interval, or a small difference', () => {
  expect(intervalSentence({ ...often, freshMs: 251_000 })).toBeUndefined()
  expect(intervalSentence({ ...often, freshMs: 235_000 })).toBeUndefined()
})

test('does not report an interval that only grows while few calls are left', () => {
  const few = { ...often, freshMs: 10 * minuteMs, usedToday: 4900 }
  expect(intervalSentence(few)).toBeUndefined()
})

/** Starts collections that take two calls per round, and returns them with their status. */
async function started(callsPerDay: number) {
  const parts = collectionsOf({ resources: ['events', 'news'], freshMs: minuteMs, callsPerDay })
  const { collections, clock } = parts
  collections.start()
  await clock.advance(0)
  const statusAfter = (used: number) => statusFrom(parts.statusOptions(used))
  const logged = () => parts.lines.filter((line) => line.includes('FRESH_SECONDS')).length
  return { clock, statusAfter, logged }
}

test('the status and one log line report the interval, which is not a fault', async () => {
  const { clock, statusAfter, logged } = await started(1000)
  await clock.advance(10 * minuteMs)
  const { ok, sentences } = statusAfter(0)
  expect(ok).toBe(true)
  expect(sentences).toEqual([
    'Everything has been read and is up to date.',
    expect.stringContaining('every 204 seconds instead of every 60 (FRESH_SECONDS)'),
  ])
  expect(logged()).toBe(1)
  // The other sentence then names the interval.
  expect(statusAfter(900).sentences.join()).not.toContain('FRESH_SECONDS')
})

test('the status reports the calls that are used from the share at which the intervals grow', async () => {
  const { clock, statusAfter } = await started(1000)
  await clock.advance(10 * minuteMs)
  expect(statusAfter(849)).toMatchObject({ ok: true })
  expect(statusAfter(850)).toMatchObject({
    ok: false,
    sentences: [
      '850 of 1000 API calls have been used within 24 hours. To make the rest last, Feedhouse reads the website every 3 minutes.',
    ],
  })
})

test('the status and the log do not mention an interval as configured', async () => {
  const { clock, statusAfter, logged } = await started(5000)
  await clock.advance(10 * minuteMs)
  expect(statusAfter(0).sentences).toHaveLength(1)
  expect(logged()).toBe(0)
})

import { expect, test } from 'vitest'
import { intervalSentence } from '../../../src/collections/schedule/reading-interval.ts'
import { statusFrom } from '../../../src/collections/status/status.ts'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

const load = { freshMs: minuteMs, callsPerDay: 5000, usedToday: 0, callsPerRound: 8.7, details: 5 }

test('names the real interval, the reason and the remedy', () => {
  expect(intervalSentence(load)).toBe(
    'Feedhouse reads the website every 251 seconds instead of every 60 (FRESH_SECONDS), because reading it more often would use up the 5000 API calls per day (CALLS_PER_DAY). To read it more often, offer fewer feeds, or raise CALLS_PER_DAY if it is below 5000; otherwise, set FRESH_SECONDS=251.',
  )
})

test('does not report the suggested interval, or a small difference', () => {
  expect(intervalSentence({ ...load, freshMs: 251_000 })).toBeUndefined()
  expect(intervalSentence({ ...load, freshMs: 235_000 })).toBeUndefined()
})

test('does not report an interval that only grows while few calls are left', () => {
  const fresh = { ...load, freshMs: 10 * minuteMs }
  expect(intervalSentence({ ...fresh, usedToday: 4900 })).toBeUndefined()
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

import { expect, test } from 'vitest'
import { upcomingEntries } from '../../src/calendar/upcoming.ts'
import { collectionAfter } from '../support/feed-text.ts'

const timeZone = 'America/New_York'
/** Ten in the morning at the site. */
const now = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 60 * 60 * 1000

const event = (id: number, change: object) => ({
  ...{ id, status: 2, calendarId: 1, title: `Event ${id}` },
  ...{ startDate: '2026-03-05', endDate: '2026-03-05' },
  ...change,
})

const timed = (id: number, startTime: string, endTime: string, change: object = {}) =>
  event(id, { allDay: 0, startTime, endTime, ...change })

async function upcoming(
  events: readonly object[],
  at = now,
  profile: 'public' | 'full' = 'public',
) {
  const collection = await collectionAfter('calendar', [events], now)
  const reader = { profile, siteUrl: 'https://cedarhollow.example' }
  const options = { reader, timeZone, now: at, most: 3 }
  const { entries, validUntil } = upcomingEntries('calendar', collection, options)
  return { ids: entries.map(({ record }) => record.id), entries, validUntil }
}

test('what is under way or to come, the soonest first, at most so many', async () => {
  const { ids, entries, validUntil } = await upcoming([
    timed(1, '08:00:00', '10:00:00'),
    timed(2, '09:00:00', '10:00:01'),
    event(3, { allDay: 1 }),
    event(4, { allDay: 1, startDate: '2026-03-04', endDate: '2026-03-04' }),
    timed(5, '19:00:00', '21:00:00', { startDate: '2026-03-07', endDate: '2026-03-07' }),
    event(6, { allDay: 1, startDate: '2026-03-06', endDate: '2026-03-06' }),
  ])
  expect(ids).toEqual([3, 2, 6])
  expect(entries.map(({ when }) => when)).toEqual([
    'Thursday, March 5, 2026',
    'Thursday, March 5, 2026, 9:00 AM – 10:00 AM',
    'Friday, March 6, 2026',
  ])
  expect(validUntil).toBe(now + 1000)
})

test('the clock makes it another when the first of them is over', async () => {
  const events = [timed(1, '09:00:00', '11:00:00'), timed(2, '12:00:00', '13:00:00')]
  const { validUntil } = await upcoming(events)
  expect(validUntil).toBe(now + hourMs)
  expect((await upcoming(events, validUntil - 1000)).ids).toEqual([1, 2])
  expect((await upcoming(events, validUntil)).ids).toEqual([2])
})

test('nothing to come never becomes another by the clock', async () => {
  expect(await upcoming([timed(1, '08:00:00', '09:00:00')])).toMatchObject({
    ids: [],
    validUntil: Infinity,
  })
})

test('what a profile does not see is none of it', async () => {
  const events = [event(1, { allDay: 1, status: 0 }), event(2, { allDay: 1, status: 1 })]
  expect((await upcoming(events)).ids).toEqual([])
  expect((await upcoming(events, now, 'full')).ids).toEqual([1])
})

import { expect, test } from 'vitest'
import { calendarRecipe } from '../../src/calendar/record-recipes.ts'
import { noCalendarOptions, type CalendarOptions } from '../../src/calendar/calendar-options.ts'
import { upcomingEntries } from '../../src/calendar/upcoming.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

/** 10 AM in the site’s time zone. */
const now = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 60 * 60 * 1000

const event = (id: number, change: object) => ({
  id,
  status: 2,
  calendarId: 1,
  title: `Event ${id}`,
  startDate: '2026-03-05',
  endDate: '2026-03-05',
  ...change,
})

const timed = (id: number, startTime: string, endTime: string, change: object = {}) =>
  event(id, { allDay: 0, startTime, endTime, ...change })

async function upcoming(
  events: readonly object[],
  at = now,
  profile: 'public' | 'full' = 'public',
  chosen: Partial<CalendarOptions> = {},
) {
  const collection = await collectionAfter('calendar', [events], now)
  const options = { ...noCalendarOptions, ...chosen }
  const context = { site: testSite, profile, now: at, most: 3, options }
  const { entries, validUntil } = upcomingEntries(calendarRecipe, collection, context)
  return { ids: entries.map(({ record }) => record.id), entries, validUntil }
}

test('returns current and upcoming entries, soonest first, up to the limit', async () => {
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

test('returns a list that is valid until its first entry ends', async () => {
  const events = [timed(1, '09:00:00', '11:00:00'), timed(2, '12:00:00', '13:00:00')]
  const { validUntil } = await upcoming(events)
  expect(validUntil).toBe(now + hourMs)
  expect((await upcoming(events, validUntil - 1000)).ids).toEqual([1, 2])
  expect((await upcoming(events, validUntil)).ids).toEqual([2])
})

test('returns an empty list that never expires', async () => {
  expect(await upcoming([timed(1, '08:00:00', '09:00:00')])).toMatchObject({
    ids: [],
    validUntil: Infinity,
  })
})

test('hides entries that the profile is not allowed to see', async () => {
  const events = [event(1, { allDay: 1, status: 0 }), event(2, { allDay: 1, status: 1 })]
  expect((await upcoming(events)).ids).toEqual([])
  expect((await upcoming(events, now, 'full')).ids).toEqual([1])
})

test('applies options before it limits the number of entries', async () => {
  const days = ['2026-03-01', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-20']
  const events = days.map((startDate, index) =>
    event(index + 1, { allDay: 1, startDate, endDate: startDate, calendarId: (index % 2) + 1 }),
  )
  const idsWith = async (chosen: Partial<CalendarOptions>) =>
    (await upcoming(events, now, 'public', chosen)).ids
  expect(await idsWith({})).toEqual([3, 4, 5])
  expect(await idsWith({ parts: [2] })).toEqual([4, 6])
  expect(await idsWith({ futureDays: 1 })).toEqual([3, 4])
  expect(await idsWith({ pastDays: 1, futureDays: 0 })).toEqual([2, 3])
  // If there are too many entries, the list shows only the ones nearest to today.
  expect(await idsWith({ pastDays: 30 })).toEqual([2, 3, 4])
})

test('moves a window of days forward at midnight', async () => {
  const midnight = Date.parse('2026-03-06T05:00:00Z')
  const events = [timed(1, '08:00:00', '09:00:00'), timed(2, '11:00:00', '12:00:00')]
  const at = (time: number) => upcoming(events, time, 'public', { pastDays: 0 })
  expect(await at(now)).toMatchObject({ ids: [1, 2], validUntil: midnight })
  expect(await at(midnight - 1)).toMatchObject({ ids: [1, 2], validUntil: midnight })
  expect((await at(midnight)).ids).toEqual([])
  const ahead = await upcoming(events, now, 'public', { futureDays: 3 })
  expect(ahead).toMatchObject({ ids: [2], validUntil: now + 2 * hourMs })
})

test('omits canceled entries', async () => {
  const [gone, stays] = [timed(1, '12:00:00', '13:00:00'), timed(2, '12:00:00', '13:00:00')]
  const collection = await collectionAfter('calendar', [[gone, stays], [stays]], now - hourMs)
  const { entries } = upcomingEntries(calendarRecipe, collection, {
    site: testSite,
    profile: 'public',
    now,
    most: 3,
    options: { ...noCalendarOptions, cancelled: 'mark' },
  })
  expect(entries.map(({ record }) => record.id)).toEqual([2])
})

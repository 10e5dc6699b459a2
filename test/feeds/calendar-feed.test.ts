import { expect, test } from 'vitest'
import { calendarRecipe } from '../../src/calendar/record-recipes.ts'
import { calendarFeed } from '../../src/feeds/calendar-feed.ts'
import { calendar } from '../../src/feeds/catalog/calendar-feeds.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

test('lists calendars with visible entries, under their latest names', async () => {
  const rows = [
    [3, 'Drills', 2],
    [9, 'Apparatus', 2],
    [3, 'Training', 2],
    [4, '', 2],
    [8, 'Training', 2],
    [3, 'Hidden', 0],
    [5, 'Hidden', 1],
  ] as const
  const items = rows.map(([calendarId, name, status], index) => {
    const day = { startDate: '2026-03-10', allDay: 1 }
    return { id: index + 1, title: 'Drill', status, calendarId, calendar: name, ...day }
  })
  const collection = await collectionAfter('calendar', [items], now)
  const { parts } = calendar.overview(collection, { site: testSite, profile: 'public', now })
  const option = 'calendar'
  expect(parts).toEqual([
    { name: 'Apparatus', option, id: 9 },
    { name: 'Training', option, id: 3 },
    { name: 'Training', option, id: 8 },
  ])
  for (const query of ['', 'calendar=3', 'calendar=5']) {
    expect(renderFeed('calendar', collection, { now, query }).text).not.toContain('Hidden')
  }
})

test('puts entries that have been running for a long time last in its overview', async () => {
  const items = [
    { id: 1, title: 'Exhibition', startDate: '2026-01-10', endDate: '2026-06-30' },
    { id: 2, title: 'Drill', startDate: '2026-03-10' },
    { id: 3, title: 'Meeting', startDate: '2026-03-12' },
  ].map((item) => ({ ...item, status: 2, allDay: 1, calendarId: 3, calendar: 'Company' }))
  const collection = await collectionAfter('calendar', [items], now)
  const { entries } = calendar.overview(collection, { site: testSite, profile: 'public', now })
  expect(entries.map(({ title }) => title)).toEqual(['Drill', 'Meeting', 'Exhibition'])
})

test('creates the entry of a record only once for all lists', async () => {
  let count = 0
  const textFor: typeof calendarRecipe.textFor = (record, reader) => {
    count += 1
    return calendarRecipe.textFor(record, reader)
  }
  const counted = calendarFeed(calendar, { recipe: { ...calendarRecipe, textFor } })
  const item = { id: 1, title: 'Drill', startDate: '2026-03-10', allDay: 1 }
  const items = [{ ...item, status: 2, calendarId: 3, calendar: 'Company' }]
  const collection = await collectionAfter('calendar', [items], now)
  const listIn = (language: string) => {
    const context = { site: { ...testSite, language }, profile: 'public', now } as const
    const range = { from: '2026-03-01', to: '2026-03-31', parts: [] }
    return [...(counted.listed?.(collection, range, context) ?? [])]
  }
  const [first] = listIn('en-US')
  expect(first).toMatchObject({ title: 'Drill', category: 'Company' })
  expect(listIn('en-US')[0]).toBe(first)
  expect(count).toBe(1)
  listIn('es')
  expect(count).toBe(2)
})

test('finds the next entries only once for all pages, until the first of them is over', async () => {
  let count = 0
  const timeOf: typeof calendarRecipe.timeOf = (record) => {
    count += 1
    return calendarRecipe.timeOf(record)
  }
  const counted = calendarFeed(calendar, { recipe: { ...calendarRecipe, timeOf } })
  const items = [10, 11, 12, 13, 14, 15].map((day, index) => {
    const item = { id: index + 1, title: `Drill ${day}`, startDate: `2026-03-${day}`, allDay: 1 }
    return { ...item, status: 2, calendarId: 3, calendar: 'Company' }
  })
  const collection = await collectionAfter('calendar', [items], now)
  const nextOn = (id: number, at = now) => {
    const context = { site: testSite, profile: 'public', now: at } as const
    const { page } = counted.page(collection, { id, url: `https://example.org/${id}` }, context)
    return page?.event?.next.map(({ title }) => title)
  }
  expect(nextOn(1)).toEqual(['Drill 11', 'Drill 12', 'Drill 13'])
  count = 0
  expect(nextOn(6)).toEqual(['Drill 10', 'Drill 11', 'Drill 12'])
  expect(count).toBe(1)
  expect(nextOn(6, now + 6 * 24 * 60 * 60 * 1000)).toEqual(['Drill 11', 'Drill 12', 'Drill 13'])
})

test('reads the times of records only once for all lists', async () => {
  let count = 0
  const timeOf: typeof calendarRecipe.timeOf = (record) => {
    count += 1
    return calendarRecipe.timeOf(record)
  }
  const counted = calendarFeed(calendar, { recipe: { ...calendarRecipe, timeOf } })
  const item = { title: 'Drill', startDate: '2026-03-10', allDay: 1, status: 2, calendarId: 3 }
  const items = [1, 2, 3].map((id) => ({ ...item, id, calendar: 'Company' }))
  const collection = await collectionAfter('calendar', [items], now)
  const context = { site: testSite, profile: 'public', now } as const
  for (const from of ['2026-03-01', '2026-03-02']) {
    const range = { from, to: '2026-03-31', parts: [] }
    expect(counted.listed?.(collection, range, context).toArray()).toHaveLength(3)
  }
  expect(count).toBe(3)
})

test('reads and sorts times once for all pages until the records change', async () => {
  let count = 0
  const timeOf: typeof calendarRecipe.timeOf = (record) => {
    count += 1
    return calendarRecipe.timeOf(record)
  }
  const counted = calendarFeed(calendar, { recipe: { ...calendarRecipe, timeOf } })
  const items = [12, 10, 11].map((day, index) => ({
    id: index + 1,
    title: 'Drill',
    startDate: `2026-03-${day}`,
    allDay: 1,
    status: 2,
    calendarId: 3,
    calendar: 'Company',
  }))
  const collection = await collectionAfter('calendar', [items], now)
  const context = { site: testSite, profile: 'public', now } as const
  const range = { from: '2026-03-01', to: '2026-03-31', parts: [] }
  for (const later of [0, 1000]) counted.overview(collection, { ...context, now: now + later })
  const listed = [...(counted.listed?.(collection, range, context) ?? [])]
  expect(listed.map(({ recordId }) => recordId)).toEqual([2, 3, 1])
  expect(count).toBe(items.length)
})

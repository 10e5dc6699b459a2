import { expect, test } from 'vitest'
import { applyReading } from '../../../src/collections/copy/collection-copy.ts'
import { agesByHour, agesUntil, keptHours } from '../../../src/collections/copy/hourly-ages.ts'

const minuteMs = 60_000
const at = (hour: number, minute = 0) => (hour * 60 + minute) * minuteMs

test.for([
  { when: 'read every ten minutes', ages: agesUntil(at(5, 30), at(5, 20)), known: { 5: 10 } },
  {
    when: 'read 100 seconds ago',
    ages: agesUntil(at(5, 30), at(5, 30) - 100_000),
    known: { 5: 2 },
  },
  { when: 'read 80 seconds ago', ages: agesUntil(at(5, 30), at(5, 30) - 80_000), known: { 5: 1 } },
  {
    when: 'not read for two hours',
    ages: agesUntil(at(5, 30), at(3, 40)),
    known: { 3: 20, 4: 80, 5: 110 },
  },
  {
    when: 'read again after an outage',
    ages: agesUntil(at(5, 40), at(5, 35), { 4: 80, 5: 95 }),
    known: { 4: 80, 5: 95 },
  },
  {
    when: 'read before the clock was set back',
    ages: agesUntil(at(5), at(7), { 4: 9 }),
    known: { 4: 9 },
  },
])('knows the greatest age in each hour of records that were $when', ({ ages, known }) => {
  expect(ages).toEqual(known)
})

test('forgets the ages of more than a day ago', () => {
  const ages = agesUntil(at(100, 30), at(10))
  expect(Object.keys(ages).map(Number)).toEqual(
    Array.from({ length: keptHours }, (_, index) => 77 + index),
  )
  expect(ages[100]).toBe(90 * 60 + 30)
})

test('lists the last hours, including hours without data', () => {
  const hours = agesByHour(at(100, 30), { 99: 7 })
  expect(hours).toHaveLength(keptHours)
  expect(hours.slice(-2)).toEqual([
    { at: at(99), minutes: 7 },
    { at: at(100), minutes: undefined },
  ])
})

test('is kept with the copy by every kind of reading except one that is held back', async () => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    title: 'Drill',
    status: 2,
    startDate: '2026-03-05',
    allDay: 1,
  }))
  const reading = (count: number) => ({
    items: async () => items.slice(0, count),
    calls: 1,
    days: undefined,
  })
  const first = await applyReading('events', undefined, reading(20), at(1))
  const same = await applyReading('events', first.kept, reading(20), at(1, 30))
  const other = await applyReading('events', same.kept, reading(19), at(1, 50))
  const held = await applyReading('events', other.kept, reading(1), at(2, 50))
  expect(first.kept.collection.ages).toBeUndefined()
  expect(same.kept.collection.ages).toEqual({ 1: 30 })
  expect(other.kept.collection.ages).toEqual({ 1: 30 })
  expect(held.kept.held).toBeDefined()
  expect(held.kept.collection.ages).toEqual({ 1: 30 })
})

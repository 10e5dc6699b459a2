import { expect, test } from 'vitest'
import { calendarQuery, readCalendarOptions } from '../../src/calendar/calendar-options.ts'

const none = {
  parts: [],
  pastDays: undefined,
  futureDays: undefined,
  alarmMinutes: undefined,
  cancelled: 'drop',
}

function read(query: string, partParameter?: 'calendar' | 'type') {
  return readCalendarOptions(new URLSearchParams(query), partParameter)
}

test.for([
  ['', none],
  ['utm_source=mail&fbclid=1', none],
  ['calendar=3,4', { ...none, parts: [3, 4] }],
  ['calendar=4&calendar=3,4', { ...none, parts: [3, 4] }],
  ['type=2', none],
  ['past=0&future=3650', { ...none, pastDays: 0, futureDays: 3650 }],
  ['alarm=0', { ...none, alarmMinutes: 0 }],
  ['cancelled=mark', { ...none, cancelled: 'mark' }],
] as const)('%s', ([query, options]) => {
  expect(read(query, 'calendar')).toEqual({ ok: true, options })
})

test('rental types are chosen by type', () => {
  expect(read('type=2', 'type')).toEqual({ ok: true, options: { ...none, parts: [2] } })
})

test('where there are no parts none can be chosen', () => {
  expect(read('calendar=x&type=x')).toEqual({ ok: true, options: none })
})

test.for<[query: string, reason: string]>([
  ['calendar=', 'calendar must be 1 to 20 numbers with commas between, like calendar=2,5.'],
  ['calendar=x', 'calendar must be 1 to 20 numbers with commas between, like calendar=2,5.'],
  ['calendar=0', 'calendar must be 1 to 20 numbers with commas between, like calendar=2,5.'],
  ['calendar=1,,2', 'calendar must be 1 to 20 numbers with commas between, like calendar=2,5.'],
  [
    `calendar=${Array.from({ length: 21 }, (_, index) => index + 1).join(',')}`,
    'calendar must be 1 to 20 numbers with commas between, like calendar=2,5.',
  ],
  ['past=-1', 'past must be a whole number from 0 to 3650.'],
  ['past=', 'past must be a whole number from 0 to 3650.'],
  ['past=1e2', 'past must be a whole number from 0 to 3650.'],
  ['future=3651', 'future must be a whole number from 0 to 3650.'],
  ['alarm=40321', 'alarm must be a whole number from 0 to 40320.'],
  ['alarm=5&alarm=10', 'alarm is given more than once.'],
  ['cancelled=yes', 'cancelled must be mark or drop.'],
])('%s cannot be', ([query, reason]) => {
  expect(read(query, 'calendar')).toEqual({ ok: false, reason })
})

test.for<[query: string, canonical: string]>([
  ['', ''],
  ['cancelled=drop&x=1', ''],
  [
    'cancelled=mark&alarm=030&future=7&past=1&calendar=4,3',
    'calendar=3,4&past=1&future=7&alarm=30&cancelled=mark',
  ],
])('all that mean the same have one query string: %s', ([query, canonical]) => {
  const reading = read(query, 'calendar')
  expect(reading.ok && calendarQuery(reading.options, 'calendar')).toBe(canonical)
})

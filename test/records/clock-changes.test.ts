import { expect, test } from 'vitest'
import { clockChangesIn, siteOffsetsAt } from '../../src/records/clock-changes.ts'
import { offsetsIn } from '../../src/records/site-time.ts'

const utc = (text: string) => Date.parse(`${text}Z`)

test('finds the clock changes of a year', () => {
  const year = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2027, 0, 1) }
  expect(clockChangesIn('America/New_York', year)).toEqual([
    { before: -300, after: -240, instant: utc('2026-03-08T07:00') },
    { before: -240, after: -300, instant: utc('2026-11-01T06:00') },
  ])
  expect(clockChangesIn('America/Phoenix', year)).toEqual([])
})

test('returns the offsets of the past year and the next two years', () => {
  const now = utc('2026-11-29T12:34')
  expect(siteOffsetsAt(now, 'Europe/Berlin')).toEqual([
    [utc('2025-11-28T00:00'), 60],
    [utc('2026-03-29T01:00'), 120],
    [utc('2026-10-25T01:00'), 60],
    [utc('2027-03-28T01:00'), 120],
    [utc('2027-10-31T01:00'), 60],
    [utc('2028-03-26T01:00'), 120],
    [utc('2028-10-29T01:00'), 60],
  ])
})

test.for([
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Chatham',
  'Europe/Dublin',
  'Asia/Kolkata',
])('agrees with the rules of %s at any time', (timeZone) => {
  const now = utc('2026-11-29T12:34')
  const offsets = siteOffsetsAt(now, timeZone)
  const offsetAt = offsetsIn(timeZone)
  for (let hour = 0; hour < 2 * 366 * 24; hour += 5) {
    const instant = now + hour * 3_600_000
    const [, offset] = offsets.findLast(([from]) => from <= instant) ?? []
    expect(offset).toBe(offsetAt(instant))
  }
})

import { expect, test } from 'vitest'
import { nextChange } from '../../../src/signage/picture/next-change.ts'
import { item } from '../../support/board-items.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const midnight = Date.parse('2026-03-06T05:00:00Z')
const instantOf = (siteTime: string) => Date.parse(`${siteTime}-05:00`)

test.for([
  ['at midnight without entries', [], '2026-03-06T00:00:00'],
  ['when an entry ends', [item({})], '2026-03-05T21:00:00'],
  [
    'at midnight if an entry ends later',
    [item({ end: '2026-03-07T12:00:00' })],
    '2026-03-06T00:00:00',
  ],
  ['when a crew’s duty begins', [item({ role: 'duty' })], '2026-03-05T19:00:00'],
  [
    'by the exact time, which the site’s clock may show twice',
    [item({ endAt: '2026-03-05T18:30:00-05:00' })],
    '2026-03-05T18:30:00',
  ],
  [
    'a day after an entry changed',
    [item({ changedAt: '2026-03-04T11:00:00' })],
    '2026-03-05T11:00:00',
  ],
  ['not in the past', [item({ end: '2026-03-05T09:00:00' })], '2026-03-06T00:00:00'],
  [
    'at midnight if an entry lasts all day',
    [item({ start: '2026-03-05', end: '2026-03-06', allDay: true })],
    '2026-03-06T00:00:00',
  ],
] as const)('a picture changes %s', ([, items, expected]) => {
  expect(nextChange(items, now, midnight, instantOf)).toBe(instantOf(expected))
})

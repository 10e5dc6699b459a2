import { expect, test } from 'vitest'
import { readOptions } from '../../src/options/option.ts'
import { combinedFeed } from '../support/combined-calendar.ts'

const known = 'a list of the feeds calendar, events, rental, signup and training, and'
const once = 'a list that names each feed once, and it names'
const numbered = 'a list like calendar:3,events, with numbers after a colon, and'
const many = Array.from({ length: 40 }, (_, id) => `f${id}`).join(',')

const manyEntries = Array.from({ length: 51 }, (_, id) => `events-${id + 1}`).join(',')

const faults = [
  ['show=', `${known} "" is not one of them`],
  ['show=events,news', `${known} "news" is not one of them`],
  [`show=${'x'.repeat(200)}`, `${known} "${'x'.repeat(30)}…" is not one of them`],
  ['show=events&show=rental,events', `${once} events more than once`],
  ['show=calendar:3,calendar:4', `${once} calendar more than once`],
  ['show=events:3', 'a list without numbers after events, which has no parts to choose'],
  ['show=calendar:x', `${numbered} "calendar:x" has no valid numbers`],
  ['show=calendar:', `${numbered} "calendar:" has no valid numbers`],
  [`show=${many}`, 'a list of at most 20 feeds'],
  ['ids=events-0', '1 to 50 entries, like ids=events-12,signup-3'],
  ['ids=', '1 to 50 entries, like ids=events-12,signup-3'],
  ['ids=news-3', '1 to 50 entries, like ids=events-12,signup-3'],
  [`ids=${manyEntries}`, '1 to 50 entries, like ids=events-12,signup-3'],
  ['dedupe=yes', '0 or 1'],
  ['prefix=2', '1 or emoji'],
  [
    'alarm=calendar:x',
    'at most 5 whole numbers from 0 to 40320, and at most as many after each of calendar, events, rental, signup and training, like alarm=60,calendar:30.1440',
  ],
] as const

test.for(faults)('explains the error in %s', ([query, sentence]) => {
  const [name = ''] = query.split('=')
  expect(readOptions(combinedFeed('all').options('ics'), new URLSearchParams(query))).toEqual({
    ok: false,
    reason: `${name} must be ${sentence}.`,
  })
})

test.for([
  ['show=rental:2,calendar:4.3.4', 'show=calendar:3.4,rental:2'],
  ['show=events&show=calendar', 'show=calendar,events'],
  ['alarm=calendar:60.30,1440', 'alarm=1440,calendar:30.60'],
  ['ids=signup-3,events-12&ids=events-4,events-12', 'ids=events-4,events-12,signup-3'],
  ['dedupe=1&prefix=1', 'prefix=1'],
  ['dedupe=0', 'dedupe=0'],
  ['alarm=60,rental:none', 'alarm=60,rental:none'],
] as const)('treats %s like %s', ([query, canonical]) => {
  const reading = readOptions(combinedFeed('all').options('ics'), new URLSearchParams(query))
  expect(reading).toMatchObject({ ok: true, chosen: { query: canonical } })
})

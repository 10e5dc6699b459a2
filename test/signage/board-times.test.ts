import { expect, test } from 'vitest'
import {
  activeTime,
  amberAfterMs,
  asOf,
  clockTime,
  countdown,
  dateName,
  lastDayOf,
  loudAfterMs,
  timesOf,
} from '../../src/signage/board-times.ts'
import { siteOffsetsAt } from '../../src/records/clock-changes.ts'
import { boardMessages } from '../../src/signage/messages.ts'
import { item } from '../support/board-items.ts'

const english = { lang: 'en-US', words: boardMessages('en-US') }

test.for([
  ['en-US', '7:05 PM', 'Sunday, March 8', 'Today'],
  ['en-GB', '19:05', 'Sunday 8 March', 'Today'],
  ['de', '19:05', 'Sonntag, 8. März', 'Heute'],
  ['es-MX', '7:05 p.m.', 'domingo, 8 de marzo', 'Hoy'],
  ['fr', '19:05', 'dimanche 8 mars', 'Aujourd’hui'],
  ['nl', '19:05', 'zondag 8 maart', 'Today'],
] as const)('writes dates, times and words in the language %s', ([lang, time, day, today]) => {
  expect(clockTime('2026-03-08T19:05:00', lang).replace(/\s/g, ' ')).toBe(time)
  expect(dateName('2026-03-08', lang)).toBe(day)
  expect(boardMessages(lang).today).toBe(today)
})

const plain = (text: string) => text.replace(/\s/g, ' ')

/** The times in a list on March 5, and the last day. */
function timesOnMarch5(start: string, end: string | null, lang = 'en-US') {
  const span = { start, end, allDay: start.length === 10 }
  const instant = Date.parse('2026-03-04T15:00:00Z')
  const options = { now: '2026-03-04T10:00:00', instant, lang, words: boardMessages(lang) }
  const { from, until } = timesOf(span, '2026-03-05', options)
  return [from, until, lastDayOf(span, '2026-03-05', options)].map(plain)
}

test.for([
  ['2026-03-05T19:00:00', '2026-03-05T20:30:00', ['7 PM', '– 8:30 PM', '']],
  ['2026-03-05T19:05:00', null, ['7:05 PM', '', '']],
  ['2026-03-05T19:05:00', '2026-03-05T19:05:00', ['7:05 PM', '', '']],
  ['2026-03-05T19:00:00', '2026-03-06T00:00:00', ['7 PM', '– 12 AM', '']],
  ['2026-03-05T19:00:00', '2026-03-06T06:00:00', ['7 PM', 'until 6 AM', '']],
  ['2026-03-05T19:00:00', '2026-03-06T18:00:00', ['7 PM', '', 'until Fri, Mar 6, 6 PM']],
  ['2026-03-05T19:00:00', '2026-03-08T00:00:00', ['7 PM', '', 'until Sat, Mar 7']],
  ['2026-03-04T19:00:00', '2026-03-05T06:00:00', ['', 'until 6 AM', '']],
  ['2026-03-02T19:00:00', '2026-03-08T14:00:00', ['', '', 'until Sun, Mar 8, 2 PM']],
  ['2026-03-05', '2026-03-06', ['', '', '']],
  ['2026-03-05', '2026-03-08', ['', '', 'until Sat, Mar 7']],
  ['2026-03-02', '2026-03-07', ['', '', 'until Fri, Mar 6']],
  ['2026-03-02', '2026-03-06', ['', '', '']],
] as const)('shows on March 5 what lasts from %s to %s', ([start, end, times]) => {
  expect(timesOnMarch5(start, end)).toEqual(times)
})

test.for([
  ['de-DE', '06:00:00', 'bis 6 Uhr', 'bis Sa., 7. März'],
  ['de-DE', '06:30:00', 'bis 6:30 Uhr', 'bis Sa., 7. März'],
  ['es-US', '06:00:00', 'hasta las 6 a.m.', 'hasta el sáb, 7 de mar'],
  ['es-US', '01:00:00', 'hasta la 1 a.m.', 'hasta el sáb, 7 de mar'],
  ['es-ES', '01:30:00', 'hasta la 1:30', 'hasta el sáb, 7 mar'],
  ['fr-CA', '06:00:00', 'jusqu’à 6 h', 'jusqu’au sam. 7 mars'],
  ['en-GB', '06:00:00', 'until 6:00', 'until Sat 7 Mar'],
] as const)('says in %s when a night until %s and several days end', ([lang, end, until, last]) => {
  expect(timesOnMarch5('2026-03-05T19:00:00', `2026-03-06T${end}`, lang)[1]).toBe(until)
  expect(timesOnMarch5('2026-03-05', '2026-03-08', lang)[2]).toBe(last)
})

test.for([
  ['2026-03-05T06:00:00', '2026-03-05T18:00:00', 'until 6 PM'],
  ['2026-03-05T06:00:00', '2026-03-06T06:00:00', 'until 6 AM'],
  ['2026-03-05T06:00:00', '2026-03-06T18:00:00', 'until tomorrow 6 PM'],
  ['2026-03-05T06:00:00', '2026-03-08T18:00:00', 'until Sun, Mar 8, 6 PM'],
  ['2026-03-05', '2026-03-06', ''],
  ['2026-03-02', '2026-03-09', 'until Sun, Mar 8'],
  ['2026-03-05T18:00:00', '2026-03-06T06:00:00', 'from 6 PM'],
] as const)('says when duty from %s to %s starts or ends', ([start, end, text]) => {
  const instant = Date.parse('2026-03-05T15:00:00Z')
  const options = { now: '2026-03-05T10:00:00', instant, ...english }
  const times = { start, startAt: null, end, allDay: start.length === 10 }
  const time = activeTime(times, options)
  expect(time.replace(/\s/g, ' ')).toBe(text)
})

test.for([
  ['2026-03-08T01:30:00-05:00', 'in 30 min'],
  // Clocks skip from 2 AM to 3 AM.
  ['2026-03-08T03:30:00-04:00', 'in 1 h 30 min'],
  ['2026-03-08T04:00:00-04:00', 'in 2 h'],
  // A partial minute counts.
  ['2026-03-08T01:00:00.001-05:00', 'in 1 min'],
  ['2026-03-08T01:29:00.001-05:00', 'in 30 min'],
  ['2026-03-08T03:59:00.001-04:00', 'in 2 h'],
  ['2026-03-08T04:00:00.001-04:00', ''],
  ['2026-03-08T01:00:00-05:00', ''],
] as const)('counts down at 1 AM to an entry at %s', ([startAt, text]) => {
  const instant = Date.parse('2026-03-08T06:00:00Z')
  const options = { now: '2026-03-08T01:00:00', instant, ...english }
  expect(countdown(item({ startAt }), options)).toBe(text)
})

const dayMs = 86_400_000
const offsets = siteOffsetsAt(Date.parse('2026-03-05T15:00:00Z'), 'America/New_York')
const ageOptions = { offsets, ...english, intervalMs: 5 * 60_000 }

test.for([
  [0, '', 'Website last read 10:00 AM'],
  [amberAfterMs - 1, '', 'Website last read 10:00 AM'],
  [amberAfterMs, 'amber', 'Website last read 10:00 AM'],
  [loudAfterMs - 1, 'amber', 'Website last read 10:00 AM'],
  [loudAfterMs, 'loud', 'No news since 10:00 AM'],
  [24 * 3_600_000, 'loud', 'No news since Thursday, March 5, 10:00 AM'],
] as const)('data that is %i ms old has the level "%s"', ([ageMs, level, text]) => {
  const readAt = Date.parse('2026-03-05T15:00:00Z')
  const shown = asOf(readAt, { ...ageOptions, now: readAt + ageMs })
  expect(shown).toEqual({ level, text })
})

test.for([
  [2 * dayMs - 1, ''],
  [2 * dayMs, 'amber'],
  [4 * dayMs - 1, 'amber'],
  [4 * dayMs, 'loud'],
] as const)('with daily reads, data that is %i ms old has the level "%s"', ([ageMs, level]) => {
  expect(asOf(0, { ...ageOptions, now: ageMs, intervalMs: dayMs })).toMatchObject({ level })
})

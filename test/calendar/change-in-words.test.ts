import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeInWords } from '../../src/calendar/change-in-words.ts'
import { eventsRecipe, rentalRecipe } from '../../src/calendar/record-recipes.ts'
import {
  isReported,
  type RecordedChange,
  type RecordFacts,
} from '../../src/records/recorded-change.ts'
import { daysAfter } from '../../src/records/site-time.ts'

const timeZone = 'America/Chicago'
const at = Date.parse('2026-02-20T15:00:00Z')

const drill: RecordFacts = {
  title: 'Drill',
  place: 'Station 1',
  startDate: '2026-03-03',
  startTime: '19:00:00',
}
const withEnd = { ...drill, endTime: '21:00:00' }
const openHouse: RecordFacts = { title: 'Open house', place: '', startDate: '2026-07-10' }
const sheet = (open?: number): RecordFacts => ({
  title: 'Pancake crew',
  startDate: '2026-03-14',
  ...(open === undefined ? {} : { open }),
})

const inWords = (
  change: Pick<RecordedChange, 'before' | 'after' | 'isBack'>,
  recipe: Parameters<typeof changeInWords>[1] = eventsRecipe,
) =>
  changeInWords({ revision: 1, since: at, at, ...change }, recipe, { timeZone, language: 'en-US' })

const on = (startDate: string) => ({ startDate })
const from = (startTime?: string, endTime?: string) => ({ startTime, endTime })
const until = (endDate: string, endTime?: string) => ({ endDate, endTime })

describe('describes', () => {
  const nightDrill = { title: 'Night drill' }
  const elsewhere = { place: 'Station 2' }

  test.for<[text: string, before: RecordFacts, change: Partial<RecordFacts>]>([
    ['Moved: Drill, now Wed, Mar 4, 7 PM (was Tue, Mar 3, 7 PM)', drill, on('2026-03-04')],
    ['Moved: Drill, now Tue, Mar 3, 7:30 PM (was Tue, Mar 3, 7 PM)', drill, from('19:30:00')],
    [
      'Moved: Drill, now Tue, Mar 3, 8 PM (was Tue, Mar 3, 7 PM)',
      withEnd,
      from('20:00:00', '22:00:00'),
    ],
    [
      'Moved: Drill, now Tue, Mar 3, 7 PM – 10 PM (was Tue, Mar 3, 7 PM – 9 PM)',
      withEnd,
      until('2026-03-03', '22:00:00'),
    ],
    [
      'Moved: Drill, now Tue, Mar 3, 7 PM – midnight (was Tue, Mar 3, 7 PM – 9 PM)',
      withEnd,
      until('2026-03-04', '00:00:00'),
    ],
    [
      'Moved: Drill, now Tue, Mar 3, 7 PM – Wed, Mar 4, 2 AM (was Tue, Mar 3, 7 PM – 9 PM)',
      withEnd,
      until('2026-03-04', '02:00:00'),
    ],
    ['Moved: Drill, now Tue, Mar 3 (was Tue, Mar 3, 7 PM)', drill, from()],
    [
      'Moved: Open house, now Fri, July 10 – Sun, July 12 (was Fri, July 10)',
      openHouse,
      until('2026-07-12'),
    ],
    ['Moved: Open house, now Sat, June 5, 2027 (was Fri, July 10)', openHouse, on('2027-06-05')],
    [
      'Moved: Drill, now Wed, Mar 4, 7 PM, Station 2 (was Tue, Mar 3, 7 PM, Station 1)',
      drill,
      { ...on('2026-03-04'), ...elsewhere },
    ],
    [
      'Moved: Night drill (formerly Drill), now Wed, Mar 4, 7 PM (was Tue, Mar 3, 7 PM)',
      drill,
      { ...on('2026-03-04'), ...nightDrill },
    ],
    ['New place: Drill, Tue, Mar 3, 7 PM, now Station 2 (was Station 1)', drill, elsewhere],
    ['New place: Drill, Tue, Mar 3, 7 PM, now Station 1', { ...drill, place: '' }, drill],
    [
      'New place: Night drill (formerly Drill), Tue, Mar 3, 7 PM, now Station 2 (was Station 1)',
      drill,
      { ...nightDrill, ...elsewhere },
    ],
    ['Place removed: Drill, Tue, Mar 3, 7 PM (was Station 1)', drill, { place: '' }],
    ['New title: Night drill, Tue, Mar 3, 7 PM (was Drill)', drill, nightDrill],
    ['2 places left: Pancake crew, Sat, Mar 14', sheet(3), sheet(2)],
    ['1 place left: Pancake crew, Sat, Mar 14', sheet(2), sheet(1)],
    ['Full: Pancake crew, Sat, Mar 14', sheet(1), sheet(0)],
    ['5 places open again: Pancake crew, Sat, Mar 14', sheet(0), sheet(5)],
    [
      'Moved: Pancake crew, now Sun, Mar 15 (was Sat, Mar 14); 2 places left',
      sheet(3),
      { ...sheet(2), ...on('2026-03-15') },
    ],
    [
      'Moved: Pancake crew, now Sat, Mar 14, 6 AM (was Sat, Mar 14)',
      sheet(),
      { eventDate: '6 AM' },
    ],
  ])('%s', ([text, before, change]) => {
    expect(inWords({ before, after: { ...before, ...change } })?.text).toBe(text)
  })

  test.for<readonly [string, Pick<RecordedChange, 'before' | 'after' | 'isBack'>]>([
    ['Canceled: Open house, Fri, July 10', { before: openHouse }],
    ['Canceled: Drill, Tue, Mar 3, 7 PM', { before: withEnd }],
    ['Back on: Drill, Tue, Mar 3, 7 PM, Station 1', { after: drill, isBack: true }],
    ['New: Drill, Tue, Mar 3, 7 PM, Station 1', { after: drill }],
    ['New: Untitled, Tue, Mar 3, 7 PM, Station 1', { after: { ...drill, title: '' } }],
  ])('%s', ([text, change]) => {
    expect(inWords(change)?.text).toBe(text)
  })
})

test('gives the full times and places as details', () => {
  expect(
    inWords({ before: withEnd, after: { ...withEnd, startDate: '2026-03-04' } }),
  ).toMatchObject({
    kind: 'changed',
    text: 'Moved: Drill, now Wed, Mar 4, 7 PM (was Tue, Mar 3, 7 PM)',
    details: [
      'Now: Wednesday, March 4, 2026, 7:00 PM – 9:00 PM, Station 1',
      'Before: Tuesday, March 3, 2026, 7:00 PM – 9:00 PM, Station 1',
    ],
  })
})

test.for([
  ['Hall', 'Canceled: Hall rental, Fri, July 10'],
  ['Pavilion Rentals', 'Canceled: Pavilion Rentals, Fri, July 10'],
  ['', 'Canceled: Rental, Fri, July 10'],
])('calls a booking of the type "%s" by its type', ([title = '', text]) => {
  expect(inWords({ before: { ...openHouse, title } }, rentalRecipe)?.text).toBe(text)
})

describe('says nothing about', () => {
  const past = { ...withEnd, startDate: '2026-02-19' }

  test.for<readonly [string, Pick<RecordedChange, 'before' | 'after' | 'isBack'>]>([
    ['the removal of an entry that was over', { before: past }],
    ['a new entry that is over', { after: past }],
    [
      'a correction of an entry that was over',
      { before: past, after: { ...past, endTime: '22:00:00' } },
    ],
    [
      'an end that the calendar ignores',
      { before: withEnd, after: { ...withEnd, endDate: '2026-03-03' } },
    ],
    ['free text without a time', { before: sheet(), after: { ...sheet(), eventDate: 'Saturday' } }],
    ['a sign-up for a sheet with many places', { before: sheet(9), after: sheet(8) }],
  ])('%s', ([, change]) => {
    expect(inWords(change)).toBeUndefined()
  })
})

test('reports a move of an entry from the past to the future, and one that is under way', () => {
  const before = { ...withEnd, startDate: '2026-02-19' }
  expect(inWords({ before, after: withEnd })?.text).toMatch(/^Moved: Drill, now Tue, Mar 3/)
  const current = { ...drill, startDate: '2026-02-20', startTime: '08:00:00' }
  expect(inWords({ before: current })?.text).toBe('Canceled: Drill, Fri, Feb 20, 8 AM')
})

const factsOf = fc.record(
  {
    title: fc.constantFrom('', 'Drill', 'Open house (members)', '🎣 Derby', 'A, B; C'),
    place: fc.constantFrom('', 'Station 1', 'Town hall, room 2'),
    startDate: fc.integer({ min: 0, max: 800 }).map((days) => daysAfter('2026-02-21', days)),
    startTime: fc.constantFrom('00:00:00', '09:15:00', '12:00:00', '19:00:00'),
    endTime: fc.constantFrom('00:00:00', '10:00:00', '21:00:00'),
    open: fc.integer({ min: 0, max: 5 }),
  },
  { requiredKeys: ['title', 'startDate'] },
)

const weekday =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?:Jan|Feb|Mar|Apr|May|June|July|Aug|Sep|Oct|Nov|Dec) \d/

test('always names the weekday, on a single line, without empty parts', () => {
  fc.assert(
    fc.property(fc.option(factsOf), fc.option(factsOf), (before, after) => {
      const words = inWords({ ...(before && { before }), ...(after && { after }) })
      const text = words?.text ?? 'Nothing, Mon, Jan 1'
      expect(text).toMatch(weekday)
      expect(text).not.toMatch(/\n|undefined|null|NaN|, ,|,$|\(was \)|\s{2}|Invalid/)
      expect(text).toMatch(/^[A-Z\d]/)
    }),
  )
})

test('says nothing only if no reported fact has changed, and never that a thing moved to itself', () => {
  fc.assert(
    fc.property(factsOf, factsOf, (before, after) => {
      const words = inWords({ before, after })
      expect(words === undefined || isReported(before, after)).toBe(true)
      expect(inWords({ before, after: before })).toBeUndefined()
      const [, now, was] = /now (.*) \(was (.*?)\)/.exec(words?.text ?? '') ?? [undefined, 'a', 'b']
      expect(now).not.toBe(was)
    }),
  )
})

test('describes the same change the same in every time zone of the server', () => {
  const before = process.env['TZ']
  const texts = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'].map((zone) => {
    process.env['TZ'] = zone
    return inWords({ before: withEnd, after: { ...withEnd, startDate: '2026-03-04' } })
  })
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
  expect(texts).toEqual([texts[0], texts[0], texts[0]])
})

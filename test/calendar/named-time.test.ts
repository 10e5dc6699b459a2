import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimePhrase } from '../../src/calendar/named-time.ts'

/** A Saturday. */
const date = '2026-03-14'

test.for([
  ['7 PM', '19:00'],
  ['7pm', '19:00'],
  ['7:15 p.m.', '19:15'],
  ['noon', '12:00'],
  ['Drill starts at 22:00', '22:00'],
  ['Meeting 7 PM, Station 1', '19:00'],
  ['7pm at the fire house', '19:00'],
  ['Room 12, 7 PM', '19:00'],
  ['12 noon', '12:00'],
  ['12:00 noon', '12:00'],
  ['14 March, 19:00', '19:00'],
  ['March 14th at 7 PM', '19:00'],
  ['7 PM on the 14th of March, 2026', '19:00'],
  ['06:30', '06:30'],
  ['1900 hrs', '19:00'],
  ['0630 hours', '06:30'],
  ['2026-03-14 19:00:00', '19:00'],
  ['Saturday, March 14, 6:30 AM', '06:30'],
  ['Sat 3/14/2026 18:00', '18:00'],
  ['6:30 AM to noon', '06:30', '12:00'],
  ['6:30 AM - 11:45 AM', '06:30', '11:45'],
  ['6-8 pm', '18:00', '20:00'],
  ['Sat, 6-8 pm', '18:00', '20:00'],
  ['5 through 7 PM', '17:00', '19:00'],
  ['March 14 - 7 PM', '19:00'],
  ['Saturday, March 14 - 6:30 PM', '18:30'],
  ['from 9 to 5 PM', '09:00', '17:00'],
  ['1630-1800 hrs', '16:30', '18:00'],
  ['18:00 to midnight', '18:00', '00:00+1'],
  ['noon - 16:00', '12:00', '16:00'],
  ['6:30–8:30 PM', '18:30', '20:30'],
  ['11-1 PM', '11:00', '13:00'],
  ['18:30 - 21:00', '18:30', '21:00'],
  ['5pm til 8pm', '17:00', '20:00'],
  ["5pm 'til 8pm", '17:00', '20:00'],
  ['7 pm thru 9 pm', '19:00', '21:00'],
  ['8 am - 12 noon', '08:00', '12:00'],
  ['6 AM to 8 PM', '06:00', '20:00'],
  ['10:00 to 14:00', '10:00', '14:00'],
  ['09:00 until 11:00', '09:00', '11:00'],
  ['7 PM to midnight', '19:00', '00:00+1'],
  ['22:00-06:00', '22:00', '06:00+1'],
] as const)('%s', ([text, start, end]) => {
  const [, time, nextDay] = /^(.{5})(\+1)?$/.exec(end ?? '') ?? []
  expect(parseTimePhrase(text, date)).toEqual({
    start: `${date}T${start}:00`,
    end: time === undefined ? undefined : `${nextDay ? '2026-03-15' : date}T${time}:00`,
  })
})

test.for([
  ['nothing', ''],
  ['no time', 'to be announced'],
  ['a number', 'Engine 7, bay 12'],
  ['a name', 'Noonan Park'],
  ['a name', 'Afternoon'],
  ['a phone number', '555-0123'],
  ['no time of day', '25:00'],
  ['no time of day', '13 PM'],
  ['the morning or the evening', '6:30'],
  ['the morning or the evening', '10:00 - 12:00'],
  ['the morning or the evening', 'noon - 4:00'],
  ['the morning or the evening', '8:00 to midnight'],
  ['the morning or the evening', '06:30 - 09:00 PM'],
  ['the night before or after', 'midnight'],
  ['the night before or after', '12 AM'],
  ['several times', '9:00 AM, doors 8:30 AM'],
  ['several ranges', '5-7 PM and 8-9 PM'],
  ['a range and a time', '5-7 PM, set-up 4 PM'],
  ['a choice', '6 or 7 PM'],
  ['an end', 'until 9 PM'],
  ['an end', '- 9 PM'],
  ['a night of two days', 'midnight to 2 AM'],
  ['days or hours', 'March 14-7 PM'],
  ['another zone', '7 PM PST'],
  ['another zone', '19:00Z'],
  ['not sure', '7 PM?'],
  ['not sure', 'around 7 PM'],
  ['not so', 'not at 7 PM'],
  ['not so', 'Cancelled - 7 PM'],
  ['not so', 'moved from 7 PM'],
  ['a deadline', 'Sign-up due 5 PM'],
  ['an amount', 'Log 1500 hours'],
  ['an amount', '1500 hours of training'],
  ['many days', 'daily 7 PM'],
  ['another day', '7 PM the following day'],
  ['another year', 'March 14, 2025, 7 PM'],
  ['another year', '3/14/25 7 PM'],
  ['an end', 'Ends at 9 PM'],
  ['a deadline', 'RSVP by 5 PM'],
  ['a span', 'between 5 and 7 PM'],
  ['a span', '5 & 7 PM'],
  ['an amount', '2000 hours of service'],
  ['a place', 'Station 5 - 7 PM'],
  ['too long', '9-9 PM'],
  ['too long', '9 to 6 PM'],
  ['too long', '5 AM to 8 PM'],
  ['too long', '1 - 12 PM'],
  ['too long', '8 PM - 8 PM'],
  ['too long', '9 AM - 8 AM'],
  ['another weekday', 'Sunday 7 PM'],
  ['another date', 'March 15, 7 PM'],
  ['another date', 'March 15th at 7 PM'],
  ['another date', '15 March at 19:00'],
  ['another date', 'the 15th at 7 PM'],
  ['another date', '3/15 7 PM'],
  ['another date', '2026-03-15 19:00'],
  ['another date', '15.03.2026, 19:00'],
  ['another date', 'Tomorrow 7 PM'],
  ['several dates', '3/14-3/15 7 PM'],
  ['a text', `7 PM${' and more'.repeat(30)}`],
] as const)('finds no time in %s: %s', ([, text]) => {
  expect(parseTimePhrase(text, date)).toBeUndefined()
})

const weekdays =
  'Sun Sunday Mon Mon. Monday Tue Tues Tuesday Wed Weds Wednesday Thu Thur Thurs Thurs. Thursday Fri Friday Sat Saturday'

test.for(weekdays.split(' '))('the time in %s applies only to the date it names', (name) => {
  // Dates, starting on a Sunday.
  const days = ['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-03-${day}`)
  const own = days.filter((day) => parseTimePhrase(`${name} 7 PM`, day) !== undefined)
  const index = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(name.slice(0, 3))
  expect(own).toEqual([days[index]])
})

test('ignores words that begin with the name of a month or day', () => {
  expect(parseTimePhrase('Training, 7 PM', '2026-03-14')?.start).toBe('2026-03-14T19:00:00')
  expect(parseTimePhrase('Decorating 7 PM', '2026-03-14')).toBeUndefined()
})

test('always returns a start on the given date and an end after the start', () => {
  const word = fc.constantFrom('7', ':', '30', ' ', 'pm', 'a.m.', '-', 'to', 'noon', '22:00', 'x')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const named = parseTimePhrase(words.join(''), date)
      if (!named) return
      expect(named.start).toMatch(/^2026-03-14T([01]\d|2[0-3]):[0-5]\d:\d\d$/)
      expect(named.end === undefined || named.end > named.start).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

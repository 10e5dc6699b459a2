import { expect, test } from 'vitest'
import { entryFilterIn } from '../../../src/features/dav/calendar-filter.ts'
import { entryIn } from '../../../src/features/dav/property-filter.ts'
import { parseXml } from '../../../src/features/dav/xml.ts'
import { calendarItemsIn } from './calendar-text.ts'

const { timed, allDay } = calendarItemsIn()

/** Returns a filter of VCALENDAR, or undefined if it is not supported. */
async function filterFrom(content: string, calendar = 'VCALENDAR', timeZone = 'America/New_York') {
  const query = await parseXml(
    `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav"><C:filter><C:comp-filter name="${calendar}">${content}</C:comp-filter></C:filter></C:calendar-query>`,
  )
  return query && entryFilterIn(query, { timeZone })
}

/** Returns which entries a filter of VCALENDAR finds, or undefined if it is not supported. */
async function found(content: string, calendar?: string): Promise<readonly string[] | undefined> {
  const isMatch = await filterFrom(content, calendar)
  return (
    isMatch && [
      ...(isMatch(entryIn(timed)) ? ['timed'] : []),
      ...(isMatch(entryIn(allDay)) ? ['all-day'] : []),
    ]
  )
}

const events = (content: string) => `<C:comp-filter name="VEVENT">${content}</C:comp-filter>`
const range = (start: string, end: string) =>
  events(
    `<C:time-range ${start === '' ? '' : `start="${start}"`} ${end === '' ? '' : `end="${end}"`}/>`,
  )
const property = (name: string, content = '') =>
  events(`<C:prop-filter name="${name}">${content}</C:prop-filter>`)
const text = (value: string, attributes = '') =>
  `<C:text-match ${attributes}>${value}</C:text-match>`

test.each([
  ['', ['timed', 'all-day']],
  [events(''), ['timed', 'all-day']],
  ['<C:comp-filter name="VTODO"/>', []],
  ['<C:comp-filter name="VTODO"><C:is-not-defined/></C:comp-filter>', ['timed', 'all-day']],
  [events('<C:is-not-defined/>'), []],
  [events('<C:comp-filter name="VALARM"/>'), []],
  [
    events('<C:comp-filter name="VALARM"><C:is-not-defined/></C:comp-filter>'),
    ['timed', 'all-day'],
  ],
  // 7:30 PM to 9:30 PM in New York.
  [range('20260507T233000Z', '20260507T233001Z'), ['timed']],
  [range('20260508T012959Z', '20260508T013000Z'), ['timed']],
  [range('20260508T013000Z', '20260508T013001Z'), []],
  [range('20260507T233000Z', ''), ['timed', 'all-day']],
  [range('', '20260507T233000Z'), []],
  // The day in New York.
  [range('20260508T035959Z', '20260508T040000Z'), []],
  [range('20260508T035959Z', '20260508T040001Z'), ['all-day']],
  [range('20260509T035959Z', '20260509T040000Z'), ['all-day']],
  [range('20260509T040000Z', ''), []],
  [property('summary', text('drill')), ['timed']],
  [property('SUMMARY', text('parade, with')), ['all-day']],
  [property('SUMMARY', text('drill', 'negate-condition="yes"')), ['all-day']],
  [property('DESCRIPTION', text('that is folded')), ['timed']],
  [property('DESCRIPTION'), ['timed']],
  [property('DESCRIPTION', '<C:is-not-defined/>'), ['all-day']],
  [property('UID', text('events-2@www.example.org')), ['all-day']],
])('finds entries by %s', async (content, expected) => {
  expect(await found(content)).toEqual(expected)
})

test.each([
  [range('20260507', '')],
  [range('20260508T000000Z', '20260507T000000Z')],
  [property('DTSTART', '<C:param-filter name="TZID"/>')],
  [events('<C:unknown/>')],
  [events('<C:comp-filter name="VALARM"><C:time-range start="20260507T000000Z"/></C:comp-filter>')],
  [events('<C:prop-filter name="SUMMARY"/>'.repeat(30))],
  ['<C:prop-filter name="VERSION"/>'],
])('does not support %s', async (content) => {
  expect(await found(content)).toBeUndefined()
})

test('an entry keeps its own time zone if the query has another one', async () => {
  const isMatch = await filterFrom(
    range('20260507T233000Z', '20260507T233001Z'),
    'VCALENDAR',
    'Asia/Tokyo',
  )
  expect(isMatch?.(entryIn(timed))).toBe(true)
})

test('filters by reminders, but not by their text', async () => {
  const reminder = 'BEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT'
  const withReminder = entryIn(allDay.replace('END:VEVENT', reminder))
  const cases = [
    ['<C:comp-filter name="VALARM"/>', true],
    ['<C:comp-filter name="VALARM"><C:is-not-defined/></C:comp-filter>', false],
    ['<C:comp-filter name="VJOURNAL"/>', false],
    ['<C:prop-filter name="DESCRIPTION"/>', false],
    ['<C:prop-filter name="SUMMARY"/>', true],
  ] as const
  for (const [content, isFound] of cases) {
    expect([content, (await filterFrom(events(content)))?.(withReminder)]).toEqual([
      content,
      isFound,
    ])
  }
})

test('an entry without an end has no duration', async () => {
  const entry = entryIn(timed.replace(/DTEND.*\r\n/, ''))
  expect((await filterFrom(range('20260507T233000Z', '20260507T233001Z')))?.(entry)).toBe(true)
  expect((await filterFrom(range('20260507T233001Z', '')))?.(entry)).toBe(false)
})

test('requires a filter on VCALENDAR', async () => {
  expect(await found('', 'VEVENT')).toBeUndefined()
})

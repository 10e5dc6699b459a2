import { expect, test } from 'vitest'
import { calendarItemsIn } from './calendar-text.ts'
import { itemsOfCalendar } from '../../../src/http/dav/calendar-items.ts'

test('splits a calendar into one valid file for each entry', () => {
  const { calendar, timed, allDay } = calendarItemsIn()
  const [first, second, ...others] = itemsOfCalendar(calendar)
  expect(others).toEqual([])
  expect(first).toMatchObject({ name: 'events-1.ics', body: timed })
  expect(second).toMatchObject({ name: 'events-2.ics', body: allDay })
})

test('an entry keeps its tag until it changes', () => {
  const { calendar } = calendarItemsIn()
  const tags = itemsOfCalendar(calendar).map(({ etag }) => etag)
  expect(tags).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), expect.any(String)])
  const renamed = calendar.replace('NAME:Events', 'NAME:All events')
  expect(itemsOfCalendar(renamed).map(({ etag }) => etag)).toEqual(tags)
  const changed = itemsOfCalendar(calendar.replace('SUMMARY:Drill', 'SUMMARY:Parade'))
  expect(changed.map(({ etag }) => tags.includes(etag))).toEqual([false, true])
})

test('an empty calendar has no files', () => {
  expect(itemsOfCalendar('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n')).toEqual([])
})

test('names of files have no characters that URLs or file systems treat specially', () => {
  const { calendar } = calendarItemsIn()
  const [first] = itemsOfCalendar(calendar.replace('UID:events-1@', 'UID:../a b/ü?#@'))
  expect(first?.name).toBe('.._a_b____.ics')
})

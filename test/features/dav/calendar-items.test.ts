import { expect, test } from 'vitest'
import { calendarItemsIn } from './calendar-text.ts'
import { itemsOfCalendar } from '../../../src/features/dav/calendar-items.ts'

const itemsIn = (calendar: string) => itemsOfCalendar({ bytes: Buffer.from(calendar) })

test('splits a calendar into one valid file for each entry', () => {
  const { calendar, timed, allDay } = calendarItemsIn()
  const [first, second, ...others] = itemsIn(calendar)
  expect(others).toEqual([])
  expect([first?.name, first?.body()]).toEqual(['events-1.ics', timed])
  expect([second?.name, second?.body()]).toEqual(['events-2.ics', allDay])
})

test('an entry keeps its tag until it changes', () => {
  const { calendar } = calendarItemsIn()
  const tags = itemsIn(calendar).map(({ etag }) => etag)
  expect(tags).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), expect.any(String)])
  const renamed = calendar.replace('NAME:Events', 'NAME:All events')
  expect(itemsIn(renamed).map(({ etag }) => etag)).toEqual(tags)
  const changed = itemsIn(calendar.replace('SUMMARY:Drill', 'SUMMARY:Parade'))
  expect(changed.map(({ etag }) => tags.includes(etag))).toEqual([false, true])
})

test('finds entries after multibyte characters', () => {
  const { calendar, allDay } = calendarItemsIn()
  const [, second] = itemsIn(calendar.replace('SUMMARY:Drill', 'SUMMARY:Übung 🚒'))
  expect(second?.body()).toBe(allDay)
})

test('keeps only the position of an entry, and reads its text from the calendar', () => {
  const calendar = Buffer.from(calendarItemsIn().calendar)
  let reads = 0
  const items = itemsOfCalendar({
    get bytes() {
      reads += 1
      return calendar
    },
  })
  expect(items.map((item) => item.body())).toHaveLength(2)
  expect(reads).toBe(3)
})

test('an empty calendar has no files', () => {
  expect(itemsIn('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n')).toEqual([])
})

test('names of files have no characters that URLs or file systems treat specially', () => {
  const { calendar } = calendarItemsIn()
  const [first] = itemsIn(calendar.replace('UID:events-1@', 'UID:../a b/ü?#@'))
  expect(first?.name).toBe('.._a_b____.ics')
})

import { expect, test } from 'vitest'
import {
  entriesFromCalendarEvents,
  entriesFromPublicEvents,
} from '../../src/calendar/entries-from-records.ts'
import { readRecords } from '../../src/records/read-records.ts'

const siteUrl = 'https://www.cedarhollow.example'
const event = { id: 7, title: 'Drill', status: 2, startDate: '2026-03-10', allDay: 1 }

function publicEntries(...changes: readonly object[]) {
  const items = changes.map((change, index) => ({ ...event, id: index + 1, ...change }))
  return entriesFromPublicEvents(readRecords('events', items).records, siteUrl)
}

test('the uid is of resource, record and website alone', () => {
  const [entry] = publicEntries({ id: 7 })
  expect(entry?.uid).toBe('events-7@www.cedarhollow.example')
})

test('only what is online is shown', () => {
  const entries = publicEntries({ status: 0 }, { status: 1 }, { status: 2 })
  expect(entries.map(({ uid }) => uid)).toEqual(['events-3@www.cedarhollow.example'])
})

test('HTML becomes readable text everywhere', () => {
  const [entry] = publicEntries({
    title: 'Drill &amp;\n<b>dinner</b>',
    location: 'Station&nbsp;1',
    text: '<p>Bring gear.</p><p><a href="/map">Map</a></p>',
    contact: 'Dana',
  })
  expect(entry).toMatchObject({
    summary: 'Drill & dinner',
    location: 'Station 1',
    description: 'Bring gear.\n\nMap https://www.cedarhollow.example/map\n\nContact: Dana',
  })
})

test('an event without a title has a name all the same', () => {
  expect(publicEntries({ title: ' ' })[0]?.summary).toBe('Untitled')
})

test('a calendar event has its calendar as category and keeps its contact to the members', () => {
  const item = { ...event, calendarId: 3, calendar: 'Training', contact: 'Dana, 555-0142' }
  const [entry] = entriesFromCalendarEvents(readRecords('calendar', [item]).records, siteUrl)
  expect(entry?.categories).toEqual(['Training'])
  expect(JSON.stringify(entry)).not.toContain('555-0142')
})

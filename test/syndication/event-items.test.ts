import { expect, test } from 'vitest'
import { readEntryTime } from '../../src/calendar/calendar-entry.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { draftFromEvent } from '../../src/syndication/event-items.ts'
import { itemsShownAt } from '../../src/syndication/feed-item.ts'
import { firstSeenAt, itemSource } from './item-source.ts'

const { timeZone } = itemSource

const event = {
  id: 7,
  title: 'Pancake <b>breakfast</b>',
  status: 2,
  location: 'Station 1 & hall',
  contact: 'Auxiliary, 555-0160',
  text: '<p>All you can eat.</p>',
  startDate: '2026-03-08',
  endDate: '2026-03-08',
  allDay: 0,
  startTime: '08:00:00',
  endTime: '11:30:00',
  created: '2026-02-01 09:00:00',
}

function draftsOf(...changes: readonly object[]) {
  const items = changes.map((change, index) => ({ ...event, id: index + 1, ...change }))
  const { records } = readRecords('events', items)
  return records.map((record) => draftFromEvent(record, itemSource, readEntryTime(record).time))
}

test('shows the day of an event in its title, and expires it when it ends', () => {
  expect(draftsOf({ id: 7 })[0]?.make()).toMatchObject({
    title: 'Mar 8, 2026: Pancake breakfast',
    summary: 'Sunday, March 8, 2026, 8:00 AM – 11:30 AM. Station 1 & hall. All you can eat.',
    contentHtml:
      '<p>Sunday, March 8, 2026, 8:00 AM – 11:30 AM</p>\n<p>Station 1 &amp; hall</p>\n' +
      '<p>All you can eat.</p>\n<p>Contact: Auxiliary, 555-0160</p>',
    publishedAt: Date.parse('2026-02-01T14:00:00Z'),
    event: {
      start: '2026-03-08T08:00:00-04:00',
      end: '2026-03-08T11:30:00-04:00',
      allDay: false,
      timeZone,
      place: 'Station 1 & hall',
    },
    expiresAt: Date.parse('2026-03-08T15:30:00Z'),
  })
})

test.for([
  ['all-day, after its last day', { allDay: 1, endDate: '2026-03-09' }, '2026-03-10T04:00:00Z'],
  ['one without an end, when its day is over', { endTime: '' }, '2026-03-09T04:00:00Z'],
] as const)('%s', ([, change, instant]) => {
  expect(draftsOf(change)[0]?.expiresAt).toBe(Date.parse(instant))
})

test('gives programs the dates of all-day events, and leaves out a missing end', () => {
  const [festival, open] = draftsOf(
    { allDay: 1, startDate: '2026-03-08', endDate: '2026-03-09' },
    { endDate: '', endTime: '' },
  )
  expect(festival?.make().event).toMatchObject({
    start: '2026-03-08',
    end: '2026-03-10',
    allDay: true,
  })
  expect(open?.make().event?.end).toBeUndefined()
})

test('sorts events soonest first, and omits past events', () => {
  const drafts = draftsOf(
    { startDate: '2026-04-01', endDate: '' },
    { startDate: '2026-03-20', endDate: '' },
    { startDate: '2026-03-04', endDate: '' },
  )
  const now = Date.parse('2026-03-05T15:00:00Z')
  const ids = (limit: number) =>
    itemsShownAt(drafts, { now, limit }).items.map(({ recordId }) => recordId)
  expect(ids(50)).toEqual([2, 1])
  expect(ids(1)).toEqual([2])
})

test('publishes an event immediately even if its creation date is in the future', () => {
  expect(draftsOf({ created: '2027-01-01 00:00:00' })[0]?.publishedAt).toBe(firstSeenAt)
  expect(draftsOf({ created: '' })[0]?.publishedAt).toBe(firstSeenAt)
})

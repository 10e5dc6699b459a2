import { expect, test } from 'vitest'
import { renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter } from '../support/feed-text.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const event = {
  title: 'Open house',
  status: 2,
  startDate: '2026-03-07',
  startTime: '10:00:00',
  endTime: '12:00:00',
  allDay: 0,
}
const company = { ...event, calendarId: 3, calendar: 'Company' }
const moved = { startDate: '2026-03-08' }

test('says what has changed in an entry of one feed or of several', async () => {
  const before = now - 86_400_000
  const openHouse = { ...company, id: 1 }
  const drill = { ...company, id: 2, title: 'Drill' }
  const other = { ...company, id: 9, title: 'Other' }
  const announced = { ...event, id: 8, text: 'For everyone' }
  const collections = await Promise.all([
    collectionAfter(
      'calendar',
      [
        [openHouse, drill, other],
        [{ ...openHouse, ...moved }, { ...drill, ...moved }, other],
      ],
      before,
    ),
    collectionAfter(
      'events',
      [
        [announced, other],
        [{ ...announced, ...moved }, other],
      ],
      before,
    ),
  ])
  const descriptions = (query: string) =>
    renderCombined(collections, { now, query }).events.map(({ description }) => description)
  expect(descriptions('')).toEqual(['', 'For everyone', ''])
  const times = 'now Sun, Mar 8, 10 AM (was Sat, Mar 7, 10 AM).'
  expect(descriptions('changes=note')).toEqual([
    '',
    `Moved: Open house, ${times}\n\nFor everyone`,
    `Moved: Drill, ${times}`,
  ])
})

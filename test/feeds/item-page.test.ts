import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { dayMs } from '../../src/clock.ts'
import { events } from '../../src/feeds/catalog/calendar-feeds.ts'
import { createRenderers, type FeedSource } from '../../src/feeds/feed.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const start = Date.parse('2026-03-01T15:00:00Z')

const fry = {
  id: 4,
  title: 'Fish fry',
  status: 2,
  location: 'Social Hall',
  startDate: '2026-03-10',
  startTime: '17:00:00',
  endTime: '20:00:00',
}
const others = [1, 2, 3, 5].map((id) => ({ ...fry, id, startDate: `2026-03-1${id}` }))

const after = (...readings: readonly (readonly object[])[]) =>
  collectionAfter('events', readings, start)

const pageOf = (source: FeedSource<'events'>, now = start + dayMs) =>
  events.page(source, { id: 4, url: '' }, { site: testSite, profile: 'public', now })

test('names the next three entries of the feed', async () => {
  const { page, validUntil } = pageOf(await after([fry, ...others]))
  expect(page?.event?.next.map(({ recordId }) => recordId)).toEqual([1, 2, 3])
  expect(validUntil).toBeLessThanOrEqual(Date.parse('2026-03-11T04:00:00Z'))
})

test('shows changes for 90 days, and gives search engines the previous start time', async () => {
  const source = await after([fry], [{ ...fry, startTime: '18:00:00', endTime: '21:00:00' }])
  const { page, validUntil } = pageOf(source)
  expect(page?.event?.changes.map(({ text }) => text)).toEqual([
    'Moved: Fish fry, now Tue, Mar 10, 6 PM (was Tue, Mar 10, 5 PM)',
  ])
  expect(page?.structuredData).toMatchObject({
    startDate: '2026-03-10T18:00:00-04:00',
    previousStartDate: ['2026-03-10T17:00:00-04:00'],
    eventStatus: 'https://schema.org/EventRescheduled',
    location: { '@type': 'Place', name: 'Social Hall', address: 'Social Hall' },
  })
  expect(validUntil).toBeGreaterThan(start)
  const later = pageOf(source, start + 92 * dayMs)
  expect(later.page?.event?.changes).toEqual([])
  expect(later.page?.structuredData).toMatchObject({
    eventStatus: 'https://schema.org/EventScheduled',
  })
})

test('does not call a new place or a new title a new date', async () => {
  const { page } = pageOf(await after([fry], [{ ...fry, location: 'Station 1' }]))
  expect(page?.event?.changes).toHaveLength(1)
  expect(page?.structuredData).not.toHaveProperty('previousStartDate')
})

test('gives search engines only the URL of an online meeting', async () => {
  const location = 'https://meet.example/j/123456, passcode 99'
  const { page } = pageOf(await after([{ ...fry, location }]))
  expect(page?.structuredData).toMatchObject({
    location: { '@type': 'VirtualLocation', url: 'https://meet.example/j/123456' },
  })
})

test('describes a canceled entry, and distinguishes used ids from unused ones', async () => {
  const source = await after([fry, ...others], others)
  const goneText = (id: number) => events.goneText(source, id, testSite)
  expect(pageOf(source).page).toBeUndefined()
  expect(goneText(4)).toBe('Canceled: Fish fry, Tue, Mar 10, 5 PM')
  expect(goneText(3)).toBe('')
  expect(goneText(6)).toBeUndefined()
})

test('describes each entry of a series that was moved or canceled together', async () => {
  const all = [fry, ...others]
  const moved = await after(
    all,
    all.map((each) => ({ ...each, location: 'Station 1' })),
  )
  expect(pageOf(moved).page?.event?.changes.map(({ text }) => text)).toEqual([
    'New place: Fish fry, Tue, Mar 10, 5 PM, now Station 1 (was Social Hall)',
  ])
  const canceled = await after(
    [...all, { ...fry, id: 6, title: 'Parade' }, { ...fry, id: 7 }],
    [
      { ...fry, id: 6, title: 'Parade' },
      { ...fry, id: 7 },
    ],
  )
  expect(events.goneText(canceled, 1, testSite)).toBe('Canceled: Fish fry, Wed, Mar 11, 5 PM')
  expect(events.goneText(canceled, 4, testSite)).toBe('Canceled: Fish fry, Tue, Mar 10, 5 PM')
})

const unfolded = (text: string) => text.replaceAll('\r\n ', '')

test('renders a copy of one entry, without the properties of a calendar, which says that it is one', async () => {
  const source = await after([fry, ...others])
  const renderers = createRenderers(testSite)
  const context = { profile: 'public', now: start + dayMs } as const
  const file = String(events.eventFile?.(source, { id: 4 }, context, renderers))
  const chosen = { values: {}, query: '' }
  const { body } = atOnce(
    events.renderSource(source, { format: 'ics', ...context, chosen }, renderers),
  )
  const [entry = ''] = /BEGIN:VEVENT\r\nUID:events-4@.*?END:VEVENT\r\n/s.exec(String(body)) ?? []
  expect(entry).not.toBe('')
  const note = 'This copy will not be updated. Follow the calendar to stay up to date.'
  const copied = unfolded(file).replace(new RegExp(`(?:\\\\n\\\\n)?${note}`), '')
  expect(copied).not.toBe(unfolded(file))
  expect(copied.replace('DESCRIPTION:\r\n', '')).toContain(unfolded(entry))
  expect(file.match(/BEGIN:VEVENT/g)).toHaveLength(1)
  expect(file).not.toMatch(/^(?:METHOD|NAME|X-WR-CALNAME|REFRESH-INTERVAL)/m)
  expect(events.eventFile?.(source, { id: 9 }, context, renderers)).toBeUndefined()
})

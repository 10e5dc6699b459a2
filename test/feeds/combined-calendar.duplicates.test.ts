import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { changesOf } from '../../src/feeds/changes.ts'
import { duplicatesIn } from '../../src/feeds/duplicates.ts'
import { openHouse, renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const start = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 3_600_000
const inCalendar = { ...openHouse, calendarId: 3, calendar: 'Company' }
const inEvents = { ...openHouse, text: 'For everyone', location: 'Station 1' }
/** Makes the guard accept that the other record disappears. */
const others = [7, 8, 9].map((id) => ({ ...inCalendar, id, title: `Drill ${id}` }))

type Reading = { readonly calendar?: object; readonly events?: object }

/** Renders a calendar after each reading, an hour apart, and returns what it shows of the open house. */
async function shown(readings: readonly Reading[], query = '') {
  const results = []
  for (const index of readings.keys()) {
    const until = readings.slice(0, index + 1)
    const of = (name: keyof Reading) =>
      until.map((reading) => [...listed(reading[name]), ...others])
    const collections = await Promise.all([
      collectionAfter('calendar', of('calendar'), start),
      collectionAfter('events', of('events'), start),
    ])
    const now = start + index * hourMs
    const rendered = renderCombined(collections, { now, query })
    const sources = feeds.flatMap((feed) => {
      const source = collections.find(({ resource }) => resource === feed.resource)
      return source ? [{ feed, source }] : []
    })
    results.push({
      events: rendered.events.filter(({ summary }) => !summary.includes('Drill')),
      revision: revisionIn(rendered.text),
      changes: changesOf(sources, testSite, rendered.duplicates).map(({ text }) => text),
    })
  }
  return results
}

/** Returns the SEQUENCE of the open house's first entry. */
const revisionIn = (text: string) =>
  Number(/^UID:(?:calendar|events)-1@.*\r\nSEQUENCE:(\d+)/m.exec(text)?.[1])

const listed = (record: object | undefined) => (record ? [record] : [])
const uid = `calendar-1@${testSite.idHost}`
const eventUid = `events-1@${testSite.idHost}`
const both = { calendar: inCalendar, events: inEvents }

test('keeps the UID of a group when one of its records is deleted, with a new revision', async () => {
  const [before, after] = await shown([both, { events: inEvents }])
  expect(before?.events).toMatchObject([{ uid }])
  expect(after?.events).toMatchObject([{ uid, description: 'For everyone' }])
  expect(after?.revision).toBeGreaterThan(before?.revision ?? 0)
})

test('keeps the UID of a group when a second record of it is added', async () => {
  const [before, , after] = await shown([{ events: inEvents }, { events: inEvents }, both])
  expect(before?.events).toMatchObject([{ uid: eventUid }])
  expect(after?.events).toMatchObject([{ uid: eventUid }])
})

test('gives an edit of the second record a new revision', async () => {
  const [before, after] = await shown([both, { ...both, events: { ...inEvents, text: 'New' } }])
  expect(after?.events).toMatchObject([{ uid, description: 'New' }])
  expect(after?.revision).toBeGreaterThan(before?.revision ?? 0)
})

test('never lowers a revision when the records of a group no longer match', async () => {
  const moved = { ...inEvents, startDate: '2026-03-08' }
  const [, merged, parted] = await shown([
    both,
    { ...both, events: { ...inEvents, text: 'New' } },
    { ...both, events: moved },
  ])
  expect(parted?.events.map((event) => event.uid)).toEqual([uid, eventUid])
  expect(parted?.revision).toBeGreaterThan(merged?.revision ?? 0)
})

test('does not show a group as canceled while one of its records is left', async () => {
  const deleted = await shown([both, { events: inEvents }], 'cancelled=mark')
  expect(deleted[1]?.events).toMatchObject([{ uid, summary: 'Open house' }])
  expect(deleted[1]?.changes).toEqual([])
  const canceled = await shown([both, { events: inEvents }, {}], 'cancelled=mark')
  expect(canceled[2]?.events).toMatchObject([
    { uid, summary: 'Canceled: Open house', status: 'CANCELLED' },
  ])
  expect(canceled[2]?.changes).toHaveLength(1)
})

test('reports a change to both records once', async () => {
  const later = { startTime: '11:00:00', endTime: '13:00:00' }
  const movedBoth = { calendar: { ...inCalendar, ...later }, events: { ...inEvents, ...later } }
  const [, moved] = await shown([both, movedBoth])
  expect(moved?.changes).toHaveLength(1)
  const first = { ...both, events: { ...inEvents, ...later } }
  const [, , second] = await shown([both, first, movedBoth])
  expect(second?.changes).toHaveLength(1)
  const [, added] = await shown([{}, both])
  expect(added?.changes).toHaveLength(1)
})

test('reports the rest of a series if another calendar has one of its dates', async () => {
  const dates = ['07', '08', '09', '10'].map((day, index) => ({
    ...inCalendar,
    id: 20 + index,
    startDate: `2026-03-${day}`,
  }))
  const sources = await Promise.all([
    collectionAfter('calendar', [others, [...others, ...dates]], start),
    collectionAfter('events', [[inEvents]], start),
  ])
  const withFeeds = sources.flatMap((source) => {
    const feed = feeds.find(({ resource }) => resource === source.resource)
    return feed ? [{ feed, source }] : []
  })
  const duplicates = atOnce(duplicatesIn(withFeeds, { site: testSite, profile: 'public' }))
  const [change, ...more] = changesOf(withFeeds, testSite, duplicates)
  expect(more).toEqual([])
  expect(change?.text).toContain('3 dates')
})

test('reports a new record of a known group as nothing new', async () => {
  const [, after] = await shown([{ events: inEvents }, both])
  expect(after?.changes).toEqual([])
  const [, first] = await shown([{}, { events: inEvents }])
  expect(first?.changes).toHaveLength(1)
})

test('applies the period of days to the group, so that its UID stays the same', async () => {
  const long = { ...inCalendar, allDay: 1, startTime: undefined, endTime: undefined }
  const readings = [
    {
      calendar: { ...long, startDate: '2026-03-04', endDate: '2026-03-04' },
      events: { ...inEvents, allDay: 1, startDate: '2026-03-04', endDate: '2026-03-06' },
    },
  ]
  const [entry] = await shown(readings, 'past=0')
  expect(entry?.events).toMatchObject([{ uid }])
})

test('shows only the chosen sources of a group', async () => {
  const [, after] = await shown([both, { events: inEvents }], 'show=events')
  expect(after?.events).toMatchObject([{ uid: eventUid }])
  const [, other] = await shown([both, { events: inEvents }], 'show=events,calendar:4')
  expect(other?.events).toMatchObject([{ uid: eventUid }])
})

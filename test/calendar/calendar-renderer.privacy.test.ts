import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeds } from '../../src/feeds/catalog.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { hostileText } from '../support/hostile-text.ts'
import { testSite } from '../support/site.ts'

/*
 * Every personal field contains a marker. If a marker appears in output that other people may read,
 * that is a leak.
 */

const now = Date.parse('2026-03-05T15:00:00Z')
const mark = 'zqxj'

const personal = fc
  .tuple(hostileText, hostileText, fc.constantFrom('text', 'html', 'list', 'object'))
  .map(([before, after, kind]): unknown => {
    const secret = `${before}${mark}${after}`
    switch (kind) {
      case 'html':
        return `<p>${secret}</p><a href="https://example.org/${mark}">${mark}</a>`
      case 'list':
        return [secret]
      case 'object':
        return { text: secret }
      default:
        return secret
    }
  })

const common = {
  id: fc.integer({ min: 1, max: 4 }),
  status: fc.constantFrom(0, 1, 2),
  createdBy: personal,
  modifiedBy: personal,
}

const schedule = {
  startDate: fc.constantFrom('2026-03-05', '2026-03-08'),
  endDate: fc.constantFrom('2026-03-05', '2026-03-09', ''),
  allDay: fc.constantFrom(0, 1),
  startTime: fc.constantFrom('', '19:00:00'),
  endTime: fc.constantFrom('', '02:00:00'),
}

const signedUp = fc.array(fc.record({ name: personal, note: personal, date: personal }), {
  maxLength: 3,
})
const slot = fc.record({
  id: fc.constant(1),
  number: fc.constantFrom(0, 1, 4),
  position: hostileText,
  signedUp,
})

const records: Readonly<Record<string, fc.Arbitrary<object>>> = {
  rental: fc.record({
    ...common,
    ...schedule,
    typeId: fc.constant(1),
    type: hostileText,
    renter: personal,
    renterPhone: personal,
    renterEmail: personal,
    details: personal,
  }),
  signup: fc.record({
    ...common,
    title: hostileText,
    date: schedule.startDate,
    eventDate: hostileText,
    details: fc.record({
      sheet: fc.record({ contact: personal }),
      groups: fc.array(
        fc.record({
          id: fc.constant(1),
          name: hostileText,
          slots: fc.array(slot, { maxLength: 3 }),
        }),
        { maxLength: 2 },
      ),
    }),
  }),
  calendar: fc.record({
    ...common,
    ...schedule,
    calendarId: fc.constant(1),
    calendar: hostileText,
  }),
  events: fc.record({ ...common, ...schedule, title: hostileText }),
}

const optionsOf = fc.constantFrom(
  '',
  'alarm=30',
  'cancelled=mark',
  'past=3&future=9&cancelled=mark',
)

test.for(Object.entries(records))(
  'hides personal data in %s from the public and members',
  { timeout: 60_000 },
  async ([resource, record]) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { maxLength: 4 }), { minLength: 1, maxLength: 2 }),
        fc.constantFrom('public', 'members'),
        optionsOf,
        async (readings, profile, query) => {
          const collection = await collectionAfter(resource as FeedResource, readings, now)
          const made = renderFeed(resource, collection, { now, profile, query })
          const feed = feeds.find(({ id }) => id === resource)
          const context = { site: testSite, profile, now } as const
          const pages = collection.records.map(({ id }) =>
            feed?.page(collection, { id, url: testSite.url }, context),
          )
          const overview = feed?.overview(collection, context)
          const told = feed?.diagnose?.(collection, now, createRenderers(testSite))
          const read = `${made.text.replaceAll('\r\n ', '')}${JSON.stringify([pages, overview, told])}`
          expect(read).not.toContain(mark)
        },
      ),
      { numRuns: 120 },
    )
  },
)

test('hides the contact for a members-only event from the public', async () => {
  const event = {
    id: 1,
    status: 2,
    startDate: '2026-03-06',
    allDay: 1,
    calendarId: 1,
    contact: mark,
  }
  const collection = await collectionAfter('calendar', [[event]], now)
  expect(renderFeed('calendar', collection, { now }).text).not.toContain(mark)
  expect(renderFeed('calendar', collection, { now, profile: 'members' }).text).toContain(mark)
})

test('hides the name of a calendar without visible entries', async () => {
  const event = { id: 1, startDate: '2026-03-06', allDay: 1, calendarId: 1, calendar: 'Open' }
  const hidden = [0, 1].map((status) => ({ ...event, id: 5 + status, status, calendar: mark }))
  const alone = hidden.map((item) => ({ ...item, calendarId: 2 }))
  const items = [
    { ...event, status: 2 },
    ...hidden,
    ...alone.map((item) => ({ ...item, id: item.id + 5 })),
  ]
  const collection = await collectionAfter('calendar', [items], now)
  const feed = feeds.find(({ id }) => id === 'calendar')
  const overview = feed?.overview(collection, { site: testSite, profile: 'public', now })
  expect(overview?.parts).toEqual([{ name: 'Open', option: 'calendar', id: 1 }])
  for (const query of ['', 'calendar=1', 'calendar=2']) {
    expect(renderFeed('calendar', collection, { now, query }).text).not.toContain(mark)
  }
})

test('shows personal data to the full profile, which proves that the markers can be detected', async () => {
  const booking = {
    id: 1,
    typeId: 1,
    type: 'Hall',
    startDate: '2026-03-06',
    allDay: 1,
    renter: mark,
  }
  const collection = await collectionAfter('rental', [[booking]], now)
  expect(renderFeed('rental', collection, { now, profile: 'full' }).text).toContain(mark)
})

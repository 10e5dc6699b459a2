import fc from 'fast-check'
import { expect, test } from 'vitest'
import { siteFrom } from '../../src/feeds/site.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { hostileText } from '../support/hostile-text.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const anything = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 1 }).filter((value) => !JSON.stringify(value).includes('\ufffd')),
)
/* If this mark appears in output that other people may read, personal data has leaked. */
const mark = 'zqxj'
const personal = anything.map((value) =>
  typeof value === 'string' ? `${mark}${value}` : { [mark]: [mark, value] },
)
const id = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.constantFrom('7', ' 8 ', '9\r\nX-EVIL:1', 2 ** 53, -1, 1.5, '', null),
)
const date = fc.oneof(
  fc.constantFrom('2026-03-08', '2026-11-01', '1900-01-01', '9998-12-31'),
  fc.constantFrom('2006-10-30', '2026-02-30'),
  fc
    .date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
)
const time = fc.oneof(
  fc.constantFrom('', '00:00', '02:30:00', '7:00 PM', '01:30'),
  fc.constantFrom('23:59:59', '24:00', 'noon'),
)
const dateTime = fc.oneof(
  fc.constantFrom('', '2026-01-02 09:00:00', '1900-01-01 00:00:00', '9998-12-31 23:59:59'),
  hostileText,
)

const record = fc.record({
  id,
  status: fc.constantFrom(0, 1, 2, '2'),
  title: anything,
  location: anything,
  contact: anything,
  text: anything,
  calendarId: id,
  calendar: anything,
  startDate: date,
  endDate: fc.oneof(date, fc.constant('')),
  allDay: fc.constantFrom(0, 1, '1'),
  startTime: time,
  endTime: time,
  created: dateTime,
  modified: dateTime,
  createdBy: personal,
  modifiedBy: personal,
  typeId: id,
  type: anything,
  renter: personal,
  renterPhone: personal,
  details: fc.oneof(personal, sheetDetails()),
  date,
  eventDate: anything,
})

function sheetDetails() {
  const person = fc.record({ name: personal, note: personal, date: personal })
  const slots = fc.array(
    fc.record({
      id,
      number: anything,
      position: anything,
      signedUp: fc.array(person, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  )
  const groups = fc.array(fc.record({ id, name: anything, slots }), { maxLength: 2 })
  return fc.record({ sheet: fc.record({ contact: personal }), groups })
}

const options = fc.record({
  profile: fc.constantFrom('public', 'members', 'full'),
  query: fc.constantFrom(
    '',
    'alarm=30&cancelled=mark',
    'past=30&future=400',
    'calendar=1,2&type=3',
  ),
  timeZone: fc.constantFrom('America/New_York', 'Africa/Cairo', 'Pacific/Kiritimati', 'Etc/UTC'),
  name: hostileText,
})

test.for<FeedResource>(['calendar', 'events', 'rental', 'signup'])(
  'renders any %s records as a valid calendar with the right entries and no personal data',
  { timeout: 120_000 },
  async (resource) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { maxLength: 5 }), { minLength: 1, maxLength: 2 }),
        options,
        async (readings, { name, timeZone, ...request }) => {
          const collection = await collectionAfter(resource, readings, now)
          const site = siteFrom({ ...testSite, name, timeZone }, testSite)
          const { text } = renderFeed(resource, collection, { ...request, now, site })
          expect(lintCalendar(Buffer.from(text))).toEqual([])
          const isPersonal = text.replaceAll('\r\n ', '').includes(mark)
          expect(isPersonal && request.profile !== 'full').toBe(false)
          const known = new Set(
            [...collection.ledger.keys()].map((key) => `${resource}-${key}@cedarhollow.example`),
          )
          const { events } = readCalendar(text)
          expect(events.filter(({ uid }) => !known.has(uid))).toEqual([])
          const isWhole = request.query === '' && request.profile === 'public'
          const online = collection.records.filter(
            (each) => !('status' in each) || each.status === 'online',
          )
          expect(events).toHaveLength(isWhole ? online.length : events.length)
        },
      ),
      { numRuns: 100 },
    )
  },
)

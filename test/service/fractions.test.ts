import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { revisionAt } from '../../src/calendar/revision.ts'
import { setCacheFields, markFromFront, readCacheFields } from '../../src/front/cache-fields.ts'
import { lastModifiedAt } from '../../src/front/conditional.ts'
import { lastChangeOf, wholeSeconds } from '../../src/records/recorded-change.ts'
import { siteDateAt, siteTimeAt, zonedTimeAt } from '../../src/records/site-time.ts'

/*
 * Feeds and HTTP dates have whole seconds. Instants and lifetimes are rounded down: a date in the future
 * would be ignored, and nothing may be fresh for longer than it is valid.
 */

const timeZone = 'America/New_York'

/** A time within the hour that occurs twice, so that all conversions also have to get the offset right. */
const second = Date.parse('2026-11-01T06:30:59Z')

/** Both ends of a second, and both sides of its middle. */
const fractions = [0, 1, 499, 500, 501, 999]

const history = { hash: '', firstSeenAt: 0, changedAt: 0 }
const noSiteTime = () => Infinity

/** The published value for an instant, and the value for any instant within `second`. */
const published: Readonly<Record<string, readonly [(instant: number) => unknown, unknown]>> = {
  'the time of an item in a list of changes': [wholeSeconds, second],
  'the first sight of a record': [
    (firstSeenAt) => lastChangeOf({ ...history, revision: 0, firstSeenAt }, noSiteTime),
    second,
  ],
  'a change of a record': [
    (changedAt) => lastChangeOf({ ...history, revision: 1, changedAt }, noSiteTime),
    second,
  ],
  'LAST-MODIFIED of an entry': [(instant) => revisionAt(instant).lastModified, second],
  'SEQUENCE of an entry': [
    (instant) => revisionAt(instant).sequence,
    (second - Date.UTC(2000, 0, 1)) / 1000,
  ],
  'a time with its offset': [
    (instant) => zonedTimeAt(instant, timeZone),
    '2026-11-01T01:30:59-05:00',
  ],
  'a time at the site': [(instant) => siteTimeAt(instant, timeZone), '2026-11-01T01:30:59'],
  'a date at the site': [(instant) => siteDateAt(instant, timeZone), '2026-11-01'],
}

test.for(Object.entries(published))('%s is rounded down', ([, [publish, expected]]) => {
  const values = fractions.map((fraction) => publish(second + fraction))
  expect(values).toEqual(fractions.map(() => expected))
})

test('the last second of a day at the site belongs to that day', () => {
  const midnight = Date.parse('2026-03-01T05:00:00Z')
  const dates = [-1000, -500, -1, 0, 1].map((ms) => siteDateAt(midnight + ms, timeZone))
  const [before, after] = ['2026-02-28', '2026-03-01']
  expect(dates).toEqual([before, before, before, after, after])
})

/** Returns the lifetimes that the front reads from a worker's response. */
function sentLifetimes(ms: number) {
  const request = new IncomingMessage(new Socket())
  markFromFront(request)
  const response = new ServerResponse(request)
  setCacheFields(response, {
    site: 'a',
    representation: 'b',
    tags: [],
    use: '[]',
    maxAgeMs: ms,
    staleWhileRevalidateMs: ms,
    staleIfErrorMs: ms,
  })
  return readCacheFields(response.getHeaders() as IncomingMessage['headers'])
}

test.for(fractions)('a lifetime of 5 seconds and %d ms is sent as 5 seconds', (fraction) => {
  expect(sentLifetimes(5_000 + fraction)).toMatchObject({
    maxAgeMs: 5_000,
    staleWhileRevalidateMs: 5_000,
    staleIfErrorMs: 5_000,
  })
})

test('a lifetime that is over is sent as 0', () => {
  expect(sentLifetimes(-1)).toMatchObject({ maxAgeMs: 0 })
})

test.for(fractions)(
  'after new content %d ms into a second, the URL was modified in that second',
  (fraction) => {
    const times = [-1_000, 0, 1_000].map((ms) => {
      const lastModified = new Date(second + ms).toUTCString()
      return Date.parse(lastModifiedAt(lastModified, second + fraction, second + 5_000)) - second
    })
    expect(times).toEqual([0, 0, 1_000])
  },
)

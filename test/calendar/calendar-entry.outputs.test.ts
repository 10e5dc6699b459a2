import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { events } from '../../src/feeds/catalog/calendar-feeds.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { rowsOf } from '../../src/signage/board-rows.ts'
import { viewOf } from '../../src/signage/board-view.ts'
import { boardMessages } from '../../src/signage/messages.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'

/* What each output shows of dates and times that websites really send. */

const now = Date.parse('2026-12-05T15:00:00Z')

const drill = {
  id: 4,
  title: 'Drill',
  status: 2,
  allDay: 0,
  startDate: '2026-12-05',
  endDate: '2026-12-05',
  startTime: '19:00:00',
  endTime: '21:00:00',
}

/** Returns the time of an event in each output. */
async function timesOf(change: object) {
  const source = await collectionAfter('events', [[{ ...drill, ...change }]], now)
  const textIn = (format: 'ics' | 'rss' | 'atom' | 'json') =>
    renderFeed('events', source, { now, format }).text
  const [entry] = readCalendar(textIn('ics')).events
  const [item] = (JSON.parse(textIn('json')) as { items: { content_html: string }[] }).items
  const [, feeds = ''] = /^<p>(.*?)<\/p>/.exec(item?.content_html ?? '') ?? []
  const context = { site: testSite, profile: 'public', now } as const
  const { page } = events.page(source, { id: 4, url: '' }, context)
  const { board } = events.overview(source, context)
  const words = boardMessages('en-US')
  const options = { now: '2026-12-05T10:00:00', instant: now, lang: 'en-US', words }
  const [row] = rowsOf(viewOf(board, options), options, false)
  const diagnosis = events.diagnose?.(source, now, createRenderers(testSite))
  const { repaired } = diagnosis ? atOnce(diagnosis) : {}
  expect(textIn('rss')).toContain(feeds)
  expect(textIn('atom')).toContain(feeds)
  return {
    ics: [entry?.start, entry?.end].join(' to '),
    description: entry?.description,
    feeds,
    page: page?.lines[0],
    board: [row?.from, row?.until, ...(row?.notes ?? []).map(({ text }) => text)].join('|'),
    repair: repaired?.[0]?.reason,
  }
}

const evening = {
  ics: '2026-12-05T19:00:00 to 2026-12-05T21:00:00',
  description: '',
  feeds: 'Saturday, December 5, 2026, 7:00 PM – 9:00 PM',
  page: 'Saturday, December 5, 2026, 7:00 PM – 9:00 PM',
  board: '7 PM|– 9 PM',
  repair: undefined,
}
const isSpelling = (change: object) => ({ change, expected: {} })

const untilMidnight = {
  ics: '2026-12-05T19:00:00 to 2026-12-06T00:00:00',
  feeds: 'Saturday, December 5, 2026, 7:00 PM – midnight',
  page: 'Saturday, December 5, 2026, 7:00 PM – midnight',
  board: '7 PM|– 12 AM',
}
const untilNight = {
  ics: '2026-12-05T22:00:00 to 2026-12-06T02:00:00',
  feeds: 'Saturday, December 5, 2026, 10:00 PM – Sunday, December 6, 2026, 2:00 AM',
  page: 'Saturday, December 5, 2026, 10:00 PM – Sunday, December 6, 2026, 2:00 AM',
  board: '10 PM|until 2 AM',
}
const wholeDay = {
  ics: '2026-12-05 to 2026-12-06',
  feeds: 'Saturday, December 5, 2026',
  page: 'Saturday, December 5, 2026',
  board: '|',
  repair: 'has midnight as its time',
}
const threeDays = {
  ...wholeDay,
  ics: '2026-12-05 to 2026-12-08',
  board: '||until Mon, Dec 7',
  feeds: 'Saturday, December 5, 2026 – Monday, December 7, 2026',
  page: 'Saturday, December 5, 2026 – Monday, December 7, 2026',
}

test.for<{
  name: string
  change: object
  expected: Partial<Omit<typeof evening, 'repair'>> & { repair?: string }
}>([
  {
    name: 'dates with midnight',
    ...isSpelling({ startDate: '2026-12-05 00:00:00', endDate: '2026-12-05T00:00:00' }),
  },
  {
    name: 'dates in UTC',
    ...isSpelling({ startDate: '2026-12-05T00:00:00.000Z', endDate: '2026-12-05T05:00:00Z' }),
  },
  {
    name: 'dates as ODBC literals',
    ...isSpelling({ startDate: "{ts '2026-12-05 00:00:00'}", endDate: "{d '2026-12-05'}" }),
  },
  {
    name: 'dates with names of months',
    ...isSpelling({
      startDate: 'December, 05 2026 00:00:00',
      endDate: 'December, 05 2026 00:00:00',
    }),
  },
  {
    name: 'times with dummy dates',
    ...isSpelling({ startTime: '1899-12-30T19:00:00.000Z', endTime: '1900-01-01 21:00:00' }),
  },
  { name: 'times with a zone', ...isSpelling({ startTime: '7:00 PM EST', endTime: '9 pm (ET)' }) },
  {
    name: 'times with periods and without colons',
    ...isSpelling({ startTime: '19.00', endTime: '2100' }),
  },
  { name: 'times as numbers', ...isSpelling({ startTime: 1900, endTime: 2100 }) },
  {
    name: 'ends at noon',
    change: { startTime: '0700', endTime: 'noon' },
    expected: {
      ics: '2026-12-05T07:00:00 to 2026-12-05T12:00:00',
      feeds: 'Saturday, December 5, 2026, 7:00 AM – 12:00 PM',
      page: 'Saturday, December 5, 2026, 7:00 AM – 12:00 PM',
      board: '7 AM|– 12 PM',
    },
  },
  { name: 'ends at 00:00', change: { endTime: '00:00:00' }, expected: untilMidnight },
  { name: 'ends at 24:00', change: { endTime: '24:00' }, expected: untilMidnight },
  { name: 'ends at 12:00 AM', change: { endTime: '12:00 AM' }, expected: untilMidnight },
  { name: 'ends at midnight', change: { endTime: 'midnight' }, expected: untilMidnight },
  {
    name: 'ends after midnight',
    change: { startTime: '22:00:00', endTime: '02:00:00' },
    expected: untilNight,
  },
  {
    name: 'starts and ends at midnight',
    change: { startTime: '00:00:00', endTime: '00:00:00' },
    expected: wholeDay,
  },
  {
    name: 'starts at midnight',
    change: { startTime: '12:00 AM', endTime: '' },
    expected: wholeDay,
  },
  {
    name: 'ends in the last minute',
    change: { startTime: '00:00:00', endTime: '23:59' },
    expected: wholeDay,
  },
  {
    name: 'has midnight on three days',
    change: { startTime: '00:00', endTime: '00:00', endDate: '2026-12-07' },
    expected: threeDays,
  },
  {
    name: 'has no end date (0000-00-00)',
    change: { endDate: '0000-00-00' },
    expected: { repair: 'has an invalid end date' },
  },
  {
    name: 'has no end date (9999-12-31)',
    change: { endDate: '9999-12-31' },
    expected: { repair: 'has an invalid end date' },
  },
  {
    name: 'has no end date (1899-12-30)',
    change: { endDate: '1899-12-30 00:00:00' },
    expected: { repair: 'has an invalid end date' },
  },
  {
    name: 'has no end date (1900-01-01)',
    change: { endDate: '1900-01-01' },
    expected: { repair: 'ends before it starts' },
  },
  {
    name: 'has no end date (1970-01-01)',
    change: { endDate: '1970-01-01' },
    expected: { repair: 'ends before it starts' },
  },
  {
    name: 'ends on the day before',
    change: { endDate: '2026-12-04' },
    expected: { repair: 'ends before it starts' },
  },
  {
    name: 'ends in a mistyped year',
    change: { allDay: 1, endDate: '2062-12-05' },
    expected: {
      ics: '2026-12-05 to 2062-12-06',
      feeds: 'Saturday, December 5, 2026 – Tuesday, December 5, 2062',
      page: 'Saturday, December 5, 2026 – Tuesday, December 5, 2062',
      board: '||until Dec 5, 2062',
      repair: 'ends a year or more after it starts',
    },
  },
  {
    name: 'starts at a time that cannot be read',
    change: { startTime: 'after dark' },
    expected: {
      ...wholeDay,
      description: 'Time: after dark – 21:00',
      feeds: 'Saturday, December 5, 2026, after dark – 21:00',
      page: 'Saturday, December 5, 2026, after dark – 21:00',
      board: '||after dark – 21:00',
      repair: 'has an invalid start time',
    },
  },
  {
    name: 'ends at a time that cannot be read',
    change: { endTime: '<i>late</i>' },
    expected: {
      ics: '2026-12-05T19:00:00 to ',
      description: 'Time: 7 PM – late',
      feeds: 'Saturday, December 5, 2026, 7:00 PM – late',
      page: 'Saturday, December 5, 2026, 7:00 PM – late',
      board: '7 PM||– late',
      repair: 'has an invalid end time',
    },
  },
])('shows the time of an event that $name', async ({ change, expected }) => {
  expect(await timesOf(change)).toEqual({ ...evening, ...expected })
})

import { describe, expect, test } from 'vitest'
import { siteOffsetsAt } from '../../src/records/clock-changes.ts'
import { boardOf, type BoardItem } from '../../src/signage/board-item.ts'
import { hasStarted, siteTimeAt, viewOf } from '../../src/signage/board-view.ts'
import { item } from '../support/board-items.ts'

const now = '2026-03-05T10:00:00'

const viewAt = (items: readonly BoardItem[], time: string) =>
  viewOf(items, { now: time, instant: Date.parse(`${time}-05:00`) })

const duty = (title: string, start: string, end: string) =>
  item({ role: 'duty', title, start, end })

const notice = (id: number, text: string) =>
  item({ id: `announcements-${id}`, role: 'announcement', title: 'Notice', text, end: null })

const story = (id: number) => item({ id: `news-${id}`, role: 'story', end: null })

const sectionsOf = (items: readonly BoardItem[], at = now) =>
  viewAt(items, at).sections.map(({ kind, day, items: shown }) => [
    kind === 'day' ? day : kind,
    ...shown.map(({ title }) => title),
  ])

describe('the agenda', () => {
  test('shows current and upcoming items by day, soonest first', () => {
    const items = [
      item({ title: 'Tomorrow', start: '2026-03-06', end: '2026-03-07', allDay: true }),
      item({ title: 'Evening' }),
      item({ title: 'All week', start: '2026-03-02', end: '2026-03-08', allDay: true }),
      item({ title: 'Over', start: '2026-03-05T08:00:00', end: '2026-03-05T10:00:00' }),
      item({ title: 'Yesterday', start: '2026-03-04T08:00:00', end: null }),
      item({ title: 'No end', kind: 'visits', start: '2026-03-05T09:00:00', end: null }),
      item({ title: 'In three weeks', start: '2026-03-26T09:00:00', end: null }),
    ]
    expect(sectionsOf(items)).toEqual([
      ['2026-03-05', 'All week', 'No end', 'Evening'],
      ['2026-03-06', 'Tomorrow'],
    ])
  })

  test('shows items of the next fourteen days', () => {
    const days = ['2026-03-18', '2026-03-19', '2026-03-20']
    const items = days.map((day) => item({ title: day, start: `${day}T09:00:00`, end: null }))
    expect(sectionsOf(items).map(([day]) => day)).toEqual(['2026-03-18', '2026-03-19'])
  })

  test('changes with the clock, even without new data', () => {
    const items = [
      item({ title: 'Evening' }),
      item({ title: 'Night', start: '2026-03-06T01:00:00', end: null }),
    ]
    expect(sectionsOf(items, '2026-03-05T20:59:59')).toEqual([
      ['2026-03-05', 'Evening'],
      ['2026-03-06', 'Night'],
    ])
    expect(sectionsOf(items, '2026-03-05T21:00:00')).toEqual([['2026-03-06', 'Night']])
    expect(sectionsOf(items, '2026-03-07T00:00:00')).toEqual([])
  })
})

test('lists bookings by room after today, and sign-ups and changes after the agenda', () => {
  const items = [
    item({ role: 'changes', title: 'Moved: Drill', start: '2026-03-04T19:00:00' }),
    item({ role: 'volunteers', title: 'Pancakes', open: 3, places: 8, start: '2026-03-08' }),
    item({ role: 'volunteers', title: 'Full', open: 0, places: 8 }),
    item({ role: 'bookings', title: 'Evening', room: 'Hall B' }),
    item({ role: 'bookings', title: 'Night', room: 'Hall A', start: '2026-03-05T22:00:00' }),
    item({ role: 'bookings', title: 'Day', room: 'Hall A', start: '2026-03-05T12:00:00' }),
    item({ role: 'bookings', title: 'Not today', start: '2026-03-06T12:00:00' }),
    item({ title: 'Tomorrow', start: '2026-03-06T19:00:00', end: null }),
    item({ title: 'Today' }),
  ].map((each) => ({ ...each, end: each.role === 'bookings' ? null : each.end }))
  expect(sectionsOf(items)).toEqual([
    ['2026-03-05', 'Today'],
    ['bookings', 'Day', 'Night', 'Evening'],
    ['2026-03-06', 'Tomorrow'],
    ['volunteers', 'Pancakes'],
    ['changes', 'Moved: Drill'],
  ])
})

test('lists sign-ups by date', () => {
  const items = ['2026-03-15T08:00:00', '2026-03-08', '2026-03-13T18:00:00'].map((start) =>
    item({ role: 'volunteers', title: start, open: 3, start, end: null }),
  )
  expect(sectionsOf(items)).toEqual([
    ['volunteers', '2026-03-08', '2026-03-13T18:00:00', '2026-03-15T08:00:00'],
  ])
})

test('shows the current crew on duty, and the next one', () => {
  const items = [
    duty('Later', '2026-03-06T18:00:00', '2026-03-07T06:00:00'),
    duty('Tonight', '2026-03-05T18:00:00', '2026-03-06T06:00:00'),
    duty('Day', '2026-03-05T06:00:00', '2026-03-05T18:00:00'),
    { ...duty('Week', '2026-03-02', '2026-03-09'), allDay: true },
  ]
  const at = (time: string) => {
    const { onDuty, nextOnDuty } = viewAt(items, time)
    return [onDuty.map(({ title }) => title), nextOnDuty?.title]
  }
  expect(at(now)).toEqual([['Week', 'Day'], 'Tonight'])
  expect(at('2026-03-05T18:00:00')).toEqual([['Week', 'Tonight'], 'Later'])
  // A crew that is on duty only on weekends is shown all week.
  expect(at('2026-02-24T10:00:00')).toEqual([[], 'Week'])
  expect(at('2026-02-23T10:00:00')).toEqual([[], undefined])
  expect(at('2026-03-09T00:00:00')).toEqual([[], undefined])
})

test('shows the five latest posts after the stories', () => {
  const posts = [1, 2, 3, 4, 5, 6].map(
    (id) => ({ ...story(id), id: `p-${id}`, role: 'post' }) as const,
  )
  const { stories } = viewAt([...posts, story(1)], now)
  expect(stories.map(({ id }) => id)).toEqual(['news-1', 'p-1', 'p-2', 'p-3', 'p-4', 'p-5'])
})

test('shows announcements until they expire, and the five latest stories', () => {
  const items = [
    item({ role: 'announcement', title: 'Expired', end: '2026-03-05T10:00:00' }),
    item({ role: 'announcement', title: 'Notice', end: '2026-03-05T10:00:01' }),
    ...[1, 2, 3, 4, 5, 6].map(story),
  ]
  const { announcements, stories } = viewAt(items, now)
  expect(announcements.map(({ title }) => title)).toEqual(['Notice'])
  expect(stories.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((id) => `news-${id}`))
})

test('shows identical announcements once', () => {
  const items = [notice(1, 'Same'), notice(2, 'Different'), notice(3, 'Same')]
  const { announcements } = viewAt(items, now)
  expect(announcements.map(({ id }) => id)).toEqual(['announcements-1', 'announcements-2'])
})

test('shows an emergency until it ends', () => {
  const items = [item({ role: 'emergency', title: 'Gas leak', end: '2026-03-05T10:00:01' })]
  expect(viewAt(items, now).emergency?.title).toBe('Gas leak')
  expect(viewAt(items, '2026-03-05T10:00:01').emergency).toBeUndefined()
})

test('shows an emergency during the hour that occurs twice until its exact end', () => {
  const times = { start: '2026-11-01T01:50:00', startAt: '2026-11-01T01:50:00-04:00' }
  const end = { end: '2026-11-01T01:30:00', endAt: '2026-11-01T01:30:00-05:00' }
  const emergency = item({ role: 'emergency', title: 'Gas leak', ...times, ...end })
  const isShownAt = (instant: string) => {
    const at = Date.parse(instant)
    const options = { now: siteTimeAt(at, siteOffsetsAt(at, 'America/New_York')), instant: at }
    return [viewOf([emergency], options).emergency !== undefined, hasStarted(emergency, options)]
  }
  expect(isShownAt('2026-11-01T05:55:00Z')).toEqual([true, true])
  expect(isShownAt('2026-11-01T06:10:00Z')).toEqual([true, true])
  expect(isShownAt('2026-11-01T06:30:00Z')).toEqual([false, true])
})

test.for([
  ['2026-03-08T06:59:59Z', '2026-03-08T01:59:59'],
  ['2026-03-08T07:00:00Z', '2026-03-08T03:00:00'],
  ['2026-11-01T05:30:00Z', '2026-11-01T01:30:00'],
  ['2026-11-01T06:30:00Z', '2026-11-01T01:30:00'],
  ['2026-01-01T05:00:00Z', '2026-01-01T00:00:00'],
] as const)('converts the instant %s to the site’s local time %s', ([instant, siteTime]) => {
  const offsets = siteOffsetsAt(Date.parse('2026-06-01T12:00:00Z'), 'America/New_York')
  expect(siteTimeAt(Date.parse(instant), offsets)).toBe(siteTime)
})

test.for([
  ['before the first change', '2026-01-01T12:00:00Z', '2026-01-01T04:00:00'],
  ['after the change', '2026-12-15T12:00:00Z', '2026-12-15T05:00:00'],
] as const)(
  'uses the server’s offsets %s, whatever rules the browser has',
  ([, instant, siteTime]) => {
    // British Columbia from 2026, which browsers with older rules set back an hour in winter.
    const offsets = [
      [Date.parse('2026-02-01T00:00:00Z'), -480],
      [Date.parse('2026-03-08T10:00:00Z'), -420],
    ] as const
    expect(siteTimeAt(Date.parse(instant), offsets)).toBe(siteTime)
  },
)

test('shows an event once if a feed repeats it', () => {
  const items = [
    item({ id: 'events-1', title: 'Open House' }),
    item({ id: 'calendar-2', kind: 'calendar', title: 'open house' }),
    item({ id: 'calendar-3', kind: 'calendar', title: 'Open House', start: '2026-03-06T19:00:00' }),
  ]
  const shown = boardOf(items, [{ id: 'events' }, { id: 'calendar', repeats: 'events' }])
  expect(shown.map(({ id }) => id)).toEqual(['events-1', 'calendar-3'])
})

test('shortens long text at a word boundary', () => {
  const text = 'word '.repeat(100)
  expect(item({ text }).text).toMatch(/word…$/)
  expect(item({ text: 'x'.repeat(500) }).text).toHaveLength(401)
})

const expiring = (start: string) =>
  item({ role: 'agenda', kind: 'training', title: start, start, end: null, allDay: true })

test('certifications are listed by their day, 90 days ahead, in a section of their own', () => {
  const { sections } = viewOf(
    [expiring('2026-05-01'), expiring('2026-03-06'), expiring('2026-09-01')],
    { now: '2026-03-05T12:00:00', instant: Date.parse('2026-03-05T17:00:00Z') },
  )
  expect(sections.map(({ kind, items }) => [kind, ...items.map(({ title }) => title)])).toEqual([
    ['certifications', '2026-03-06', '2026-05-01'],
  ])
})

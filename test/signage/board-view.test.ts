import { describe, expect, test } from 'vitest'
import {
  agendaHtml,
  amberAfterMs,
  asOf,
  cardHtml,
  clockTime,
  dateName,
  loudAfterMs,
} from '../../src/signage/board-html.js'
import { boardItem, type BoardItem } from '../../src/signage/board-item.ts'
import { boardOf } from '../../src/signage/board.ts'
import { wordsOf } from '../../src/signage/board-language.js'
import { siteTimeAt, viewOf } from '../../src/signage/board-view.js'

const options = { now: '2026-03-05T10:00:00', rows: 7, lines: 21, lang: 'en-US' }

const item = (change: Partial<BoardItem>): BoardItem =>
  boardItem({
    id: 'events-1',
    kind: 'events',
    role: 'agenda',
    title: 'Drill',
    when: '',
    start: '2026-03-05T19:00:00',
    end: '2026-03-05T21:00:00',
    ...change,
  })

const agendaOf = (items: readonly BoardItem[], change: Partial<typeof options> = {}) =>
  viewOf(items, { ...options, ...change }).agenda.map(({ days }) =>
    days.map(({ day, items: shown }) => [day, shown.map(({ title }) => title)]),
  )

const change = (id: number, end: string) =>
  item({
    id: `changes-events-${id}`,
    kind: 'changes',
    role: 'changes',
    title: `Moved: Drill <${id}>`,
    start: '2026-03-04T19:00:00',
    end,
  })

test('lists changes on a card of their own, latest first, until they are a day old', () => {
  const items = [change(1, '2026-03-05T19:00:00'), change(2, '2026-03-05T09:00:00')]
  const { agenda, cards } = viewOf(items, options)
  expect(agenda).toEqual([])
  const [card, ...others] = cards.map((each) => cardHtml(each, options))
  expect(others).toEqual([])
  expect(card).toMatch(/^<h2>Changed in the last 24 hours<\/h2><ul><li><span class="time"><\/span>/)
  expect(card).toContain('<strong>Moved: Drill &#60;1&#62;</strong>')
  expect(card).not.toContain('Drill &#60;2')
})

describe('the agenda', () => {
  test('shows current and upcoming items by day, soonest first', () => {
    const items = [
      item({ title: 'Tomorrow', start: '2026-03-06', end: '2026-03-07', allDay: true }),
      item({ title: 'Evening' }),
      item({ title: 'All week', start: '2026-03-02', end: '2026-03-08', allDay: true }),
      item({ title: 'Over', start: '2026-03-05T08:00:00', end: '2026-03-05T10:00:00' }),
      item({ title: 'Yesterday', start: '2026-03-04T08:00:00', end: null }),
      item({ title: 'No end', kind: 'visits', start: '2026-03-05T09:00:00', end: null }),
    ]
    expect(agendaOf(items)).toEqual([
      [
        ['2026-03-05', ['All week', 'No end', 'Evening']],
        ['2026-03-06', ['Tomorrow']],
      ],
    ])
  })

  test('changes with the clock, even without new data', () => {
    const items = [
      item({ title: 'Evening' }),
      item({ title: 'Night', start: '2026-03-06T01:00:00', end: null }),
    ]
    expect(agendaOf(items, { now: '2026-03-05T20:59:59' })).toEqual([
      [
        ['2026-03-05', ['Evening']],
        ['2026-03-06', ['Night']],
      ],
    ])
    expect(agendaOf(items, { now: '2026-03-05T21:00:00' })).toEqual([[['2026-03-06', ['Night']]]])
    expect(agendaOf(items, { now: '2026-03-07T00:00:00' })).toEqual([])
  })

  test('fills each page up to the size of the screen or the limit on rows', () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      item({
        title: `E${index}`,
        start: `2026-03-06T${String(index).padStart(2, '0')}:00:00`,
        end: null,
      }),
    )
    const sizes = (change: Partial<typeof options>, items = many) =>
      viewOf(items, { ...options, ...change }).agenda.map(
        ({ days }) => days.flatMap((day) => day.items).length,
      )
    expect(sizes({})).toEqual([7, 7, 6])
    expect(sizes({ rows: 12 })).toEqual([12, 8])
    expect(sizes({ rows: 12, lines: 11 })).toEqual([7, 7, 6])
    const placed = many.map((one) => ({ ...one, location: 'Station 1' }))
    expect(sizes({ rows: 12, lines: 11 }, placed)).toEqual([4, 4, 4, 4, 4])
  })

  test('shows a message when it is empty', () => {
    expect(agendaHtml(undefined, options)).toBe('<p class="nothing">Nothing is planned</p>')
  })
})

describe('cards', () => {
  test("show announcements, today's bookings, open sign-ups and news", () => {
    const items = [
      item({
        role: 'story',
        title: 'Story',
        end: null,
        pictureUrl: 'https://feeds.example/board/images/a',
      }),
      item({ role: 'announcement', title: 'Expired', end: '2026-03-05T10:00:00' }),
      item({ role: 'announcement', title: 'Notice', end: '2026-03-05T10:00:01' }),
      item({ role: 'bookings', title: 'Reserved: Hall' }),
      item({
        role: 'bookings',
        title: 'Not today',
        start: '2026-03-06',
        end: '2026-03-07',
        allDay: true,
      }),
      item({
        role: 'volunteers',
        title: 'Pancakes',
        open: 3,
        places: 8,
        start: '2026-03-08',
        end: null,
        allDay: true,
      }),
      item({ role: 'volunteers', title: 'Full', open: 0, places: 8 }),
    ]
    const html = viewOf(items, options).cards.map((card) => cardHtml(card, options))
    expect(html).toEqual([
      '<h2>Announcement</h2><h3>Notice</h3><p></p>',
      expect.stringMatching(/^<h2>In use today<\/h2>.*Reserved: Hall/),
      expect.stringMatching(
        /^<h2>Can you help\?<\/h2>.*Pancakes.*Sunday, March 8.*3 of 8 places open/,
      ),
      expect.stringMatching(
        /^<h2>News<\/h2><img src="https:&#47;|^<h2>News<\/h2><img src="https:\/\/feeds/,
      ),
    ])
    expect(html.join()).not.toMatch(/Expired|Not today|Full/)
  })

  test('escape text', () => {
    const html = cardHtml(
      { role: 'story', item: item({ role: 'story', title: '<img onerror="x">', text: "a'b&c" }) },
      options,
    )
    expect(html).not.toContain('<img')
    expect(html).toContain('a&#39;b&#38;c')
  })
})

test.for([
  ['2026-03-08T06:59:59Z', '2026-03-08T01:59:59'],
  ['2026-03-08T07:00:00Z', '2026-03-08T03:00:00'],
  ['2026-11-01T05:30:00Z', '2026-11-01T01:30:00'],
  ['2026-11-01T06:30:00Z', '2026-11-01T01:30:00'],
  ['2026-01-01T05:00:00Z', '2026-01-01T00:00:00'],
] as const)('converts the instant %s to the site’s local time %s', ([instant, siteTime]) => {
  expect(siteTimeAt(Date.parse(instant), 'America/New_York')).toBe(siteTime)
})

test.for([
  ['en-US', '7:05 PM', 'Sunday, March 8', 'Today'],
  ['en-GB', '19:05', 'Sunday 8 March', 'Today'],
  ['de', '19:05', 'Sonntag, 8. März', 'Heute'],
  ['es-MX', '7:05 p.m.', 'domingo, 8 de marzo', 'Hoy'],
  ['fr', '19:05', 'dimanche 8 mars', 'Aujourd’hui'],
  ['nl', '19:05', 'zondag 8 maart', 'Today'],
] as const)('writes dates, times and words in the language %s', ([lang, time, day, today]) => {
  expect(clockTime('2026-03-08T19:05:00', lang).replace(/\s/g, ' ')).toBe(time)
  expect(dateName('2026-03-08', lang)).toBe(day)
  expect(wordsOf(lang).today).toBe(today)
})

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

const dayMs = 86_400_000
const ageOptions = { timeZone: 'America/New_York', lang: 'en-US', intervalMs: 5 * 60_000 }

test.for([
  [0, '', 'as of 10:00 AM'],
  [amberAfterMs - 1, '', 'as of 10:00 AM'],
  [amberAfterMs, 'amber', 'as of 10:00 AM'],
  [loudAfterMs - 1, 'amber', 'as of 10:00 AM'],
  [loudAfterMs, 'loud', 'No news since 10:00 AM'],
  [24 * 3_600_000, 'loud', 'No news since Thursday, March 5, 10:00 AM'],
] as const)('data that is %i ms old has the level "%s"', ([ageMs, level, text]) => {
  const readAt = Date.parse('2026-03-05T15:00:00Z')
  const shown = asOf(readAt, { ...ageOptions, now: readAt + ageMs })
  expect(shown).toEqual({ level, text })
})

test.for([
  [2 * dayMs - 1, ''],
  [2 * dayMs, 'amber'],
  [4 * dayMs - 1, 'amber'],
  [4 * dayMs, 'loud'],
] as const)('with daily reads, data that is %i ms old has the level "%s"', ([ageMs, level]) => {
  expect(asOf(0, { ...ageOptions, now: ageMs, intervalMs: dayMs })).toMatchObject({ level })
})

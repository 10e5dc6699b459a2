import { describe, expect, test } from 'vitest'
import { createCalendarRenderer } from '../../src/calendar/calendar-renderer.ts'
import { readCalendarOptions } from '../../src/calendar/calendar-options.ts'
import type { CalendarSource } from '../../src/calendar/shown-records.ts'
import type { Profile } from '../../src/records/profile.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { readCalendar } from '../support/read-calendar.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const now = Date.parse('2026-03-05T15:00:00Z')
const site = { url: 'https://cedarhollow.example', timeZone: 'America/New_York' }

const noOptions = {
  parts: [],
  pastDays: undefined,
  futureDays: undefined,
  alarmMinutes: undefined,
  cancelled: 'drop',
} as const

function eventOn(startDate: string, id: number, change: object = {}) {
  return { id, title: `Event ${id}`, status: 2, startDate, allDay: 1, calendarId: 1, ...change }
}

/** Events on the days from a day on, one a day. */
function eventsFrom(start: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.parse(start) + index * dayMs).toISOString().slice(0, 10)
    return eventOn(date, index + 1)
  })
}

type Options = {
  readonly query?: string
  readonly profile?: Profile
  readonly now?: number
}

function rendererOf(maxEntries?: number, rendered: number[] = []) {
  const urlOf = (_resource: string, id: number) => {
    rendered.push(id)
    return undefined
  }
  const { render } = createCalendarRenderer({
    ...site,
    urlOf,
    ...(maxEntries ? { maxEntries } : {}),
  })
  return (source: CalendarSource<'calendar'>, options: Options = {}) => {
    const reading = readCalendarOptions(new URLSearchParams(options.query), 'calendar')
    if (!reading.ok) throw new TypeError(reading.reason)
    const made = render('calendar', source, {
      ...{ name: 'Calendar', description: 'All', url: undefined, options: reading.options },
      ...{ profile: 'public', now, ...options },
    })
    const text = made.body.toString()
    expect(lintCalendar(made.body)).toEqual([])
    return { ...made, text, ...readCalendar(text) }
  }
}

/** After readings of the website that end now, an hour apart. */
function sourceAfter(...readings: readonly (readonly object[])[]) {
  return collectionAfter('calendar', readings, now - (readings.length - 1) * hourMs)
}

const sequenceOf = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1])

const idsOf = ({ events }: { readonly events: readonly { readonly uid: string }[] }) =>
  events.map(({ uid }) => uid.replace(/^calendar-|@.*$/g, ''))

describe('who sees what', () => {
  const items = [
    eventOn('2026-03-06', 1),
    eventOn('2026-03-07', 2, { status: 0 }),
    eventOn('2026-03-08', 3, { status: 1 }),
  ]

  test.for(['public', 'members'] as const)('%s sees what is Online', async (profile) => {
    const { events } = rendererOf()(await sourceAfter(items), { profile })
    expect(events).toMatchObject([
      { uid: 'calendar-1@cedarhollow.example', status: 'CONFIRMED', summary: 'Event 1' },
    ])
  })

  test('full sees also what is Pending, as tentative', async () => {
    const { events } = rendererOf()(await sourceAfter(items), { profile: 'full' })
    expect(events.map(({ status }) => status)).toEqual(['CONFIRMED', 'TENTATIVE'])
  })
})

test('entries come by start, then uid, whatever the order of their ids', async () => {
  const start = { allDay: 0, startTime: '19:00' }
  const items = [
    eventOn('2026-03-07', 1, start),
    eventOn('2026-03-06', 2),
    eventOn('2026-03-07', 3),
    eventOn('2026-03-07', 10, start),
  ]
  expect(idsOf(rendererOf()(await sourceAfter(items)))).toEqual(['2', '3', '10', '1'])
})

describe('what is taken away', () => {
  const [gone, offline, stays] = eventsFrom('2026-03-06', 3)
  if (!gone || !offline || !stays) throw new TypeError('not three')
  const before = [gone, offline, stays, eventOn('2026-03-06', 9, { status: 1 })]
  const after = [{ ...offline, status: 1, title: 'Secret plans' }, stays]

  test('at different times is no longer shown at different times', async () => {
    const source = await sourceAfter(before, [offline, stays], [stays])
    const marked = (at: number) => rendererOf()(source, { query: 'cancelled=mark', now: at })
    expect(marked(now).validUntil).toBe(now - hourMs + 14 * dayMs)
    expect(marked(now - hourMs + 14 * dayMs)).toMatchObject({
      validFrom: now - hourMs + 14 * dayMs,
      validUntil: now + 14 * dayMs,
    })
  })

  test('is dropped', async () => {
    expect(idsOf(rendererOf()(await sourceAfter(before, after)))).toEqual(['3'])
  })

  test('or marked, as it was last shown, for 14 days', async () => {
    const source = await sourceAfter(before, after)
    const render = rendererOf()
    const marked = (later: number) => render(source, { query: 'cancelled=mark', now: now + later })
    const first = marked(0)
    expect(first.events).toMatchObject([
      { uid: 'calendar-1@cedarhollow.example', status: 'CANCELLED', summary: 'Cancelled: Event 1' },
      { uid: 'calendar-2@cedarhollow.example', status: 'CANCELLED', summary: 'Cancelled: Event 2' },
      { uid: 'calendar-3@cedarhollow.example', status: 'CONFIRMED', summary: 'Event 3' },
    ])
    expect(first.validUntil).toBe(now + 14 * dayMs)
    expect(marked(14 * dayMs).validFrom).toBe(now + 14 * dayMs)
    expect(marked(14 * dayMs - 1).events).toHaveLength(3)
    expect(idsOf(marked(14 * dayMs))).toEqual(['3'])
    expect(first.text).not.toContain('Secret')
  })

  test('has a higher sequence and was modified when it went', async () => {
    const source = await sourceAfter(before, after)
    const { text } = rendererOf()(source, { query: 'cancelled=mark' })
    expect(text).toContain('LAST-MODIFIED:20260305T150000Z')
    const { text: earlier } = rendererOf()(
      await collectionAfter('calendar', [before], now - hourMs),
    )
    expect(sequenceOf(text)).toBeGreaterThan(sequenceOf(earlier))
  })

  test('and comes back is there as before, with a higher sequence still', async () => {
    const later = await sourceAfter(before, after, before)
    const { events, text } = rendererOf()(later, { query: 'cancelled=mark' })
    expect(events.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED'])
    const earlier = await collectionAfter('calendar', [before, after], now - 2 * hourMs)
    const { text: marked } = rendererOf()(earlier, { query: 'cancelled=mark' })
    expect(sequenceOf(text)).toBe(sequenceOf(marked) + 3600)
  })

  test('is cancelled for members when it becomes Pending, and tentative for who sees that', async () => {
    const source = await sourceAfter([gone, stays], [{ ...gone, status: 0 }, stays])
    const statuses = (profile: Profile) =>
      rendererOf()(source, { query: 'cancelled=mark', profile }).events.map(({ status }) => status)
    expect(statuses('members')).toEqual(['CANCELLED', 'CONFIRMED'])
    expect(statuses('full')).toEqual(['TENTATIVE', 'CONFIRMED'])
  })
})

describe('options', () => {
  test('choose calendars, also of what is cancelled', async () => {
    const items = [1, 2, 3].map((id) => eventOn('2026-03-06', id, { calendarId: id }))
    const source = await sourceAfter(items, items.slice(0, 2))
    const ids = (query: string) => idsOf(rendererOf()(source, { query }))
    expect(ids('calendar=2')).toEqual(['2'])
    expect(ids('calendar=1,3&cancelled=mark')).toEqual(['1', '3'])
    expect(ids('calendar=99')).toEqual([])
  })

  test('bound the days, and the calendar is another at midnight of the site', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 10))
    const { events, validUntil } = rendererOf()(source, { query: 'past=1&future=2' })
    expect(events.map(({ start }) => start)).toEqual([
      '2026-03-04',
      '2026-03-05',
      '2026-03-06',
      '2026-03-07',
    ])
    expect(validUntil).toBe(Date.parse('2026-03-06T05:00:00Z'))
  })

  test('count days by the clock of the site', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 10))
    const at = (instant: string) =>
      rendererOf()(source, { query: 'past=0&future=0', now: Date.parse(instant) })
    expect(at('2026-03-06T04:59:00Z').events).toMatchObject([{ start: '2026-03-05' }])
    expect(at('2026-03-06T05:00:00Z').events).toMatchObject([{ start: '2026-03-06' }])
  })

  test.for(['past=3', 'future=3'])('are of a day each: %s', async (query) => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 10))
    expect(rendererOf()(source, { query })).toMatchObject({
      validFrom: Date.parse('2026-03-05T05:00:00Z'),
      validUntil: Date.parse('2026-03-06T05:00:00Z'),
    })
  })

  test('end their day at midnight also where the clocks skip it', async () => {
    const cairo = { ...site, timeZone: 'Africa/Cairo', urlOf: () => undefined }
    const { validUntil } = createCalendarRenderer(cairo).render('calendar', await sourceAfter([]), {
      name: 'Calendar',
      description: 'All',
      url: undefined,
      options: { ...noOptions, pastDays: 0, futureDays: 0 },
      profile: 'public',
      now: Date.parse('2026-04-24T10:00:00Z'),
    })
    // The clocks go from 23:59 on the 23rd to 01:00 on the 24th.
    expect(new Date(validUntil).toISOString()).toBe('2026-04-24T21:00:00.000Z')
  })

  test('give an alarm to each entry', async () => {
    const { text } = rendererOf()(await sourceAfter(eventsFrom('2026-03-06', 3)), {
      query: 'alarm=30',
    })
    expect(text.match(/TRIGGER:-PT30M/g)).toHaveLength(3)
  })
})

test('without options a calendar is another at the new year, when the clock changes to come are', async () => {
  const { validUntil } = rendererOf()(await sourceAfter(eventsFrom('2026-03-06', 3)))
  expect(validUntil).toBe(Date.parse('2027-01-01T05:00:00Z'))
})

describe('more entries than a calendar shows', () => {
  test('are left out from far away, and an entry at the end says so', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 20))
    const { events, validUntil } = rendererOf(5)(source)
    expect(events.map(({ start }) => start)).toEqual([
      ...['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-07'],
    ])
    expect(events.at(-1)).toMatchObject({
      uid: 'calendar-omitted@cedarhollow.example',
      summary: '15 more entries are not shown',
    })
    expect(validUntil).toBe(Date.parse('2026-03-06T05:00:00Z'))
  })

  test('are told anew each day, as a change of that entry', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 20))
    const noticeAt = (at: number) =>
      rendererOf(5)(source, { query: 'past=0', now: at }).text.split('UID:calendar-omitted@')[1]
    const [today = '', tomorrow = ''] = [noticeAt(now), noticeAt(now + dayMs)]
    expect(today).toContain('SUMMARY:11 more entries')
    expect(tomorrow).toContain('SUMMARY:10 more entries')
    expect(today).toContain('LAST-MODIFIED:20260305T150000Z')
    expect(tomorrow).toContain('LAST-MODIFIED:20260306T050000Z')
    expect(sequenceOf(tomorrow)).toBeGreaterThan(sequenceOf(today))
  })

  test('are those beyond 2,000', async () => {
    const items = Array.from({ length: 2_003 }, (_, index) => eventOn('2026-03-06', index + 1))
    const { events } = rendererOf()(await sourceAfter(items))
    expect(events).toHaveLength(2_001)
    expect(events.at(-1)?.summary).toBe('3 more entries are not shown')
  })
})

test('of records that were repaired each is named, with what was wrong', async () => {
  const skipped = { allDay: 0, startTime: '02:30', endTime: '04:30' }
  const intoSkipped = { allDay: 0, startTime: '01:30', endTime: '02:30' }
  const items = [
    eventOn('2026-03-06', 1, { endDate: '2026-03-01' }),
    eventOn('2026-03-06', 2, { allDay: 0 }),
    eventOn('2026-03-08', 3, skipped),
    eventOn('2026-03-08', 4, intoSkipped),
    eventOn('2026-03-09', 5, skipped),
    eventOn('2026-03-06', 6, { endDate: '2026-03-01', status: 0 }),
    eventOn('2026-03-06', 7, { endDate: '2026-03-01', status: 1 }),
  ]
  const { review } = createCalendarRenderer({ ...site, urlOf: () => undefined, maxEntries: 3 })
  expect(review('calendar', await sourceAfter(items), now)).toEqual({
    repaired: [
      { id: 1, reason: 'ends before it starts' },
      { id: 2, reason: 'has no start time' },
      { id: 3, reason: 'has a time that the clocks skip that day' },
      { id: 4, reason: 'has a time that the clocks skip that day' },
      { id: 6, reason: 'ends before it starts' },
    ],
    omitted: 2,
  })
})

test('a record of stored items that the ledger does not know yet is shown as it is', async () => {
  const { records, changedAt } = await sourceAfter(eventsFrom('2026-03-06', 2))
  const render = rendererOf()
  const source = { records, changedAt, ledger: new Map() }
  expect(idsOf(render(source))).toEqual(['1', '2'])
  const changed = records.map((record) => ({ ...record, title: 'Moved' }))
  expect(render({ ...source, records: changed }).events).toMatchObject([
    { summary: 'Moved' },
    { summary: 'Moved' },
  ])
})

describe('rendering again', () => {
  const items = eventsFrom('2026-03-06', 50)
  const changed = items.map((item) => (item.id === 7 ? { ...item, title: 'Moved' } : item))

  test('renders the one entry that has changed, and the text is as if made anew', async () => {
    const rendered: number[] = []
    const render = rendererOf(undefined, rendered)
    render(await sourceAfter(items, items))
    expect(rendered).toHaveLength(50)
    rendered.length = 0
    const source = await sourceAfter(items, changed)
    const { text } = render(source)
    expect(rendered).toEqual([7])
    expect(text).toBe(rendererOf()(source).text)
  })

  test('for other profiles, options or years takes nothing from what was made', async () => {
    const timed = { contact: 'Dana', allDay: 0, startTime: '02:30' }
    const source = await sourceAfter([eventOn('2026-03-08', 1, timed), ...items.slice(1)])
    const render = rendererOf()
    for (const options of [
      { profile: 'members' },
      { profile: 'public' },
      { query: 'alarm=5' },
      { now: now + 366 * dayMs },
      {},
    ] as const) {
      expect(render(source, options).text).toBe(rendererOf()(source, options).text)
    }
  })

  test('in a year whose clock changes to come are others makes everything anew', async () => {
    const event = eventOn('2018-07-10', 1, { allDay: 0, startTime: '19:00' })
    const source = await sourceAfter([event])
    const saoPaulo = { ...site, timeZone: 'America/Sao_Paulo', urlOf: () => undefined }
    const { render } = createCalendarRenderer(saoPaulo)
    const startIn = (year: number) => {
      const body = render('calendar', source, {
        name: 'Calendar',
        description: 'All',
        url: undefined,
        options: noOptions,
        profile: 'public',
        now: Date.UTC(year, 5, 1),
      }).body.toString()
      return /DTSTART[^\r]*2018[^\r]*/.exec(body)?.[0]
    }
    // Until 2019 its daylight saving time had no rule that lasted; since then it has none.
    expect(startIn(2016)).toBe('DTSTART:20180710T220000Z')
    expect(startIn(2021)).toBe('DTSTART;TZID=America/Sao_Paulo:20180710T190000')
  })
})

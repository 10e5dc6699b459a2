import { describe, expect, test } from 'vitest'
import {
  dayMs,
  now,
  sequenceOf,
  idsOf,
  eventOn,
  eventsFrom,
  rendererOf,
  sourceAfter,
} from './rendered-calendar.ts'

describe('options', () => {
  test('select calendars, including their canceled entries', async () => {
    const items = [1, 2, 3].map((id) => eventOn('2026-03-06', id, { calendarId: id }))
    const source = await sourceAfter(items, items.slice(0, 2))
    const ids = (query: string) => idsOf(rendererOf()(source, { query }))
    expect(ids('calendar=2')).toEqual(['2'])
    expect(ids('calendar=1,3&cancelled=mark')).toEqual(['1', '3'])
    expect(ids('calendar=99')).toEqual([])
  })

  test('limit the calendar to a range of days that moves at midnight in the site’s time zone', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 10))
    const { events, validUntil } = rendererOf()(source, { query: 'past=1&future=2' })
    expect(events.map(({ start }) => start)).toEqual([4, 5, 6, 7].map((day) => `2026-03-0${day}`))
    expect(validUntil).toBe(Date.parse('2026-03-06T05:00:00Z'))
  })

  test('count days in the site’s time zone', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 10))
    const at = (instant: string) =>
      rendererOf()(source, { query: 'past=0&future=0', now: Date.parse(instant) })
    expect(at('2026-03-06T04:59:00Z').events).toMatchObject([{ start: '2026-03-05' }])
    expect(at('2026-03-06T05:00:00Z').events).toMatchObject([{ start: '2026-03-06' }])
  })

  test.for(['past=3', 'future=3'])('change the calendar once a day with %s', async (query) => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 10))
    expect(rendererOf()(source, { query })).toMatchObject({
      validFrom: Date.parse('2026-03-05T05:00:00Z'),
      validUntil: Date.parse('2026-03-06T05:00:00Z'),
    })
  })

  test('change the calendar at midnight even if the clocks skip midnight', async () => {
    const render = rendererOf({ timeZone: 'Africa/Cairo' })
    const cairo = { query: 'past=0&future=0', now: Date.parse('2026-04-24T10:00:00Z') }
    const { validUntil } = render(await sourceAfter([]), cairo)
    // The clocks jump from 23:59 on the 23rd to 01:00 on the 24th.
    expect(new Date(validUntil).toISOString()).toBe('2026-04-24T21:00:00.000Z')
  })

  test('mark every entry as busy or free, and canceled ones always as free', async () => {
    const items = [eventOn('2026-03-06', 1), eventOn('2026-03-07', 2)]
    const source = await sourceAfter(items, items.slice(0, 1))
    const busyWith = (query: string) => {
      const { text } = rendererOf()(source, { query: `cancelled=mark&${query}` })
      return text.match(/(?<=BUSYSTATUS:)\w+/g)
    }
    expect(busyWith('busy=1')).toEqual(['BUSY', 'FREE'])
    expect(busyWith('busy=0')).toEqual(['FREE', 'FREE'])
  })

  test('add an alarm to each entry', async () => {
    const { text } = rendererOf()(await sourceAfter(eventsFrom('2026-03-06', 3)), {
      query: 'alarm=30',
    })
    expect(text.match(/TRIGGER:-PT30M/g)).toHaveLength(3)
  })
})

describe('entries beyond the limit for a calendar', () => {
  test('are omitted if they are far from today, and counted in a final entry', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 20))
    const { events, validUntil } = rendererOf({ maxEntries: 5 })(source)
    expect(events.map(({ start }) => start)).toEqual(
      [3, 4, 5, 6, 7, 7].map((day) => `2026-03-0${day}`),
    )
    expect(events.at(-1)).toMatchObject({
      uid: 'calendar-omitted@cedarhollow.example',
      summary: '15 more entries are not shown',
    })
    expect(validUntil).toBe(Date.parse('2026-03-06T05:00:00Z'))
  })

  test('change the final entry every day', async () => {
    const source = await sourceAfter(eventsFrom('2026-03-01', 20))
    const noticeAt = (at: number) =>
      rendererOf({ maxEntries: 5 })(source, { query: 'past=0', now: at }).text.split(
        'UID:calendar-omitted@',
      )[1]
    const [today = '', tomorrow = ''] = [noticeAt(now), noticeAt(now + dayMs)]
    expect(today).toContain('SUMMARY:11 more entries')
    expect(tomorrow).toContain('SUMMARY:10 more entries')
    expect(today).toContain('LAST-MODIFIED:20260305T150000Z')
    expect(tomorrow).toContain('LAST-MODIFIED:20260306T050000Z')
    expect(sequenceOf(tomorrow)).toBeGreaterThan(sequenceOf(today))
  })

  test('are those beyond the first 2,000', async () => {
    const items = Array.from({ length: 2_003 }, (_, index) => eventOn('2026-03-06', index + 1))
    const { events } = rendererOf()(await sourceAfter(items))
    expect(events).toHaveLength(2_001)
    expect(events.at(-1)?.summary).toBe('3 more entries are not shown')
  })
})

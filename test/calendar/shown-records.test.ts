import { describe, expect, test } from 'vitest'
import {
  dayMs,
  eventOn,
  eventsFrom,
  hourMs,
  idsOf,
  now,
  rendererOf,
  sequenceOf,
  sourceAfter,
} from './rendered-calendar.ts'
import type { Profile } from '../../src/records/profile.ts'
import { collectionAfter } from '../support/feed-text.ts'

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

describe('a removed record', () => {
  const [gone, offline, stays] = eventsFrom('2026-03-06', 3)
  if (!gone || !offline || !stays) throw new TypeError('not three')
  const before = [gone, offline, stays, eventOn('2026-03-06', 9, { status: 1 })]
  const after = [{ ...offline, status: 1, title: 'Secret plans' }, stays]

  test('expires 14 days after its removal', async () => {
    const source = await sourceAfter(before, [offline, stays], [stays])
    const marked = (at: number) => rendererOf()(source, { query: 'cancelled=mark', now: at })
    expect(marked(now).validUntil).toBe(now - hourMs + 14 * dayMs)
    expect(marked(now - hourMs + 14 * dayMs)).toMatchObject({
      validFrom: now - hourMs + 14 * dayMs,
      validUntil: now + 14 * dayMs,
    })
  })

  test('is not shown by default', async () => {
    expect(idsOf(rendererOf()(await sourceAfter(before, after)))).toEqual(['3'])
  })

  test('is shown on request as canceled, with its last content, for 14 days', async () => {
    const source = await sourceAfter(before, after)
    const render = rendererOf()
    const marked = (later: number) => render(source, { query: 'cancelled=mark', now: now + later })
    const first = marked(0)
    expect(first.events).toMatchObject([
      { uid: 'calendar-1@cedarhollow.example', status: 'CANCELLED', summary: 'Canceled: Event 1' },
      { uid: 'calendar-2@cedarhollow.example', status: 'CANCELLED', summary: 'Canceled: Event 2' },
      { uid: 'calendar-3@cedarhollow.example', status: 'CONFIRMED', summary: 'Event 3' },
    ])
    expect(first.validUntil).toBe(now + 14 * dayMs)
    expect(marked(14 * dayMs).validFrom).toBe(now + 14 * dayMs)
    expect(marked(14 * dayMs - 1).events).toHaveLength(3)
    expect(idsOf(marked(14 * dayMs))).toEqual(['3'])
    expect(first.text).not.toContain('Secret')
  })

  test('has a higher sequence and is dated at its removal', async () => {
    const source = await sourceAfter(before, after)
    const { text } = rendererOf()(source, { query: 'cancelled=mark' })
    expect(text).toContain('LAST-MODIFIED:20260305T150000Z')
    const { text: earlier } = rendererOf()(
      await collectionAfter('calendar', [before], now - hourMs),
    )
    expect(sequenceOf(text)).toBeGreaterThan(sequenceOf(earlier))
  })

  test('has an even higher sequence when it comes back', async () => {
    const later = await sourceAfter(before, after, before)
    const { events, text } = rendererOf()(later, { query: 'cancelled=mark' })
    expect(events.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED'])
    const earlier = await collectionAfter('calendar', [before, after], now - 2 * hourMs)
    const { text: marked } = rendererOf()(earlier, { query: 'cancelled=mark' })
    expect(sequenceOf(text)).toBe(sequenceOf(marked) + 3600)
  })

  test('is shown as canceled to members, and as tentative to the full profile, if it becomes Pending', async () => {
    const source = await sourceAfter([gone, stays], [{ ...gone, status: 0 }, stays])
    const statuses = (profile: Profile) =>
      rendererOf()(source, { query: 'cancelled=mark', profile }).events.map(({ status }) => status)
    expect(statuses('members')).toEqual(['CANCELLED', 'CONFIRMED'])
    expect(statuses('full')).toEqual(['TENTATIVE', 'CONFIRMED'])
  })

  test('is shown as before, not as canceled, while it cannot be read', async () => {
    const unreadable = { ...gone, startDate: 'soon' }
    const query = 'cancelled=mark'
    const left = await sourceAfter([gone, stays], [unreadable, stays])
    const { events } = rendererOf()(left, { query })
    expect(events.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED'])
  })

  test('is not shown as canceled if it had already ended', async () => {
    const [past, today] = eventsFrom('2026-03-04', 2)
    if (!past || !today) throw new TypeError('not two')
    const source = await sourceAfter([past, today, { ...stays, id: 9 }], [{ ...stays, id: 9 }])
    expect(idsOf(rendererOf()(source, { query: 'cancelled=mark' }))).toEqual(['2', '9'])
  })
})

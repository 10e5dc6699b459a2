import { describe, expect, test } from 'vitest'
import type { Profile } from '../../src/records/profile.ts'
import { collectionAfter } from '../support/feed-text.ts'
import {
  hourMs,
  dayMs,
  now,
  sequenceOf,
  idsOf,
  eventOn,
  eventsFrom,
  rendererOf,
  sourceAfter,
} from './rendered-calendar.ts'

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

  test('is not shown as canceled because of a single unreadable response', async () => {
    const unreadable = { ...gone, startDate: 'soon' }
    const query = 'cancelled=mark'
    const left = await sourceAfter([gone, stays], [unreadable, stays])
    expect(idsOf(rendererOf()(left, { query }))).toEqual(['3'])
    const back = await sourceAfter([gone, stays], [unreadable, stays], [gone, stays])
    expect(idsOf(rendererOf()(back, { query }))).toEqual(['1', '3'])
  })

  test('is not shown as canceled if it had already ended', async () => {
    const [past, today] = eventsFrom('2026-03-04', 2)
    if (!past || !today) throw new TypeError('not two')
    const source = await sourceAfter([past, today, { ...stays, id: 9 }], [{ ...stays, id: 9 }])
    expect(idsOf(rendererOf()(source, { query: 'cancelled=mark' }))).toEqual(['2', '9'])
  })
})

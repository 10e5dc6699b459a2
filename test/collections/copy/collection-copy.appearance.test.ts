import { describe, expect, test } from 'vitest'
import { dayMs } from '../../../src/clock.ts'
import { applyReading, type CollectionCopy } from '../../../src/collections/copy/collection-copy.ts'

const event = (id: number, startDate: string) => {
  return { id, title: 'Drill', status: 2, startDate, allDay: 1 }
}

const reading = (...items: readonly object[]) => ({
  items: async () => items,
  calls: 1,
  days: undefined,
})

const announcement = (id: number, change: object = {}) => {
  const created = '2026-02-20 09:00:00'
  return { id, headline: 'Burn ban', text: '', status: 2, created, ...change }
}
const draft = announcement(1, { status: 1 })

/** Returns when each record appeared, after readings a second apart. */
async function appearedAfter(...readings: readonly (readonly object[])[]) {
  let kept: CollectionCopy<'announce'> | undefined
  for (const [index, items] of readings.entries()) {
    kept = (await applyReading('announce', kept, reading(...items), (index + 1) * 1000)).kept
  }
  return [...(kept?.collection.ledger ?? [])].map(([id, { appearedAt }]) => [id, appearedAt])
}

const minutes = (isPublic: number, change: object = {}) => {
  const created = '2026-02-20 09:00:00'
  const meetingDate = '2026-02-19'
  return {
    id: 1,
    title: 'Minutes',
    status: 2,
    public: isPublic,
    meetingDate,
    created,
    ...change,
  }
}
/** Returns when the minutes became public, after readings a second apart. */
async function publicAfter(...readings: readonly (readonly object[])[]) {
  let kept: CollectionCopy<'minutes'> | undefined
  for (const [index, items] of readings.entries()) {
    kept = (await applyReading('minutes', kept, reading(...items), (index + 1) * 1000)).kept
  }
  return kept?.collection.ledger.get(1)?.publicAt
}

describe('the time when a record appeared', () => {
  test('is unknown for the records of the first reading', async () => {
    expect(await appearedAfter([announcement(1)], [announcement(1)])).toEqual([[1, undefined]])
  })

  test('is that of the first reading that shows it, even if all others are older', async () => {
    expect(await appearedAfter([], [announcement(1)], [announcement(1)])).toEqual([[1, 2000]])
    expect(await appearedAfter([draft], [draft], [announcement(1)])).toEqual([[1, 3000]])
    expect(await appearedAfter([], [draft], [announcement(1)])).toEqual([[1, 3000]])
  })

  test('stays the same if the record changes, or is hidden or deleted for a while', async () => {
    const edited = announcement(1, { text: 'New' })
    const start = [[], [announcement(1)], [edited]]
    expect(await appearedAfter(...start)).toEqual([[1, 2000]])
    expect(await appearedAfter(...start, [draft], [edited])).toEqual([[1, 2000]])
    expect(await appearedAfter(...start, [], [edited])).toEqual([[1, 2000]])
    expect(await appearedAfter([announcement(1)], [draft], [edited])).toEqual([[1, undefined]])
  })

  test('is known for the public, too, and stays the same if the record is hidden for a while', async () => {
    const [hidden, shown] = [[minutes(0)], [minutes(1)]]
    expect(await publicAfter(hidden, hidden, shown)).toBe(3000)
    expect(await publicAfter(hidden, shown, hidden, shown)).toBe(2000)
    expect(await publicAfter(hidden, [minutes(1, { status: 1 })], shown)).toBe(3000)
    for (const other of [hidden, [minutes(1, { status: 1 })]]) {
      expect(await publicAfter(shown, other, shown)).toBe(0)
    }
    expect(await publicAfter(shown, shown)).toBeUndefined()
  })

  test('is unknown if the record was not requested before', async () => {
    const created = '2026-02-20 09:00:00'
    const items = [event(1, '2026-03-05'), { ...event(2, '2027-03-06'), created }]
    const readingUntil = (to: string, count: number) => ({
      items: async () => items.slice(0, count),
      calls: 1,
      days: { from: '2026-01-01', to },
      siteNow: '2026-03-06T09:00:00',
    })
    const { kept } = await applyReading('events', undefined, readingUntil('2027-03-05', 1), 1000)
    const later = readingUntil('2027-03-06', 2)
    const { ledger } = (await applyReading('events', kept, later, 1000 + dayMs)).kept.collection
    expect(ledger.get(2)?.appearedAt).toBeUndefined()
  })
})

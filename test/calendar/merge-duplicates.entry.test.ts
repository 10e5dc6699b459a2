import { describe, expect, test } from 'vitest'
import type { CalendarEntry } from '../../src/calendar/calendar-entry.ts'
import {
  mergedEntry as mergedEntryAt,
  type DuplicateGroup,
} from '../../src/calendar/merge-duplicates.ts'

const station = 'Station 1'

const mergedEntry = (entries: DuplicateGroup<CalendarEntry>, changedAt = 0) =>
  mergedEntryAt(entries, { uid: entries[0].uid, changedAt })

const plain: CalendarEntry = {
  uid: 'calendar-1@host',
  summary: 'Open house',
  location: '',
  description: '',
  categories: [],
  time: { allDay: false, start: '2026-03-05T19:00:00', end: undefined },
  status: 'confirmed',
  isBusy: false,
  url: undefined,
  revision: { sequence: 5, lastModified: 5000, created: 1000 },
}

describe('the entry for a group', () => {
  const rich: CalendarEntry = {
    ...plain,
    uid: 'events-1@host',
    summary: 'Annual open house',
    description: 'Come and see.',
    location: station,
    revision: { sequence: 9, lastModified: 9000, created: undefined },
  }

  test('has the content of the entry with more fields, and the latest revision', () => {
    expect(mergedEntry([plain, rich])).toMatchObject({
      uid: 'calendar-1@host',
      relatedUids: ['events-1@host'],
      summary: 'Annual open house',
      description: 'Come and see.',
      revision: { sequence: 9, lastModified: 9000, created: 1000 },
    })
    expect(
      mergedEntry([
        { ...rich, uid: 'a' },
        { ...plain, uid: 'b' },
      ]),
    ).toMatchObject({ uid: 'a', relatedUids: ['b'], summary: 'Annual open house' })
  })

  test('has a later revision after a change to an entry that it no longer has', () => {
    const changedAt = Date.UTC(2026, 2, 5)
    const { revision } = mergedEntry([plain], changedAt)
    expect(revision).toMatchObject({ lastModified: changedAt, created: 1000 })
    expect(revision.sequence).toBeGreaterThan(plain.revision.sequence)
  })

  test('has the content of the first entry if both have as many fields', () => {
    expect(mergedEntry([plain, { ...plain, summary: 'OPEN HOUSE' }]).summary).toBe('Open house')
  })

  test('gets fields that the other entry lacks', () => {
    const time = { allDay: false, start: plain.time.start, end: '2026-03-05T21:00:00' } as const
    const linked = {
      ...plain,
      url: 'https://host/calendar/1',
      time,
      isBusy: true,
      categories: ['A'],
    }
    expect(mergedEntry([{ ...rich, categories: ['B'] }, linked])).toMatchObject({
      summary: 'Annual open house',
      description: 'Come and see.',
      location: station,
      url: 'https://host/calendar/1',
      time,
      isBusy: true,
      categories: ['B', 'A'],
    })
  })

  test('is confirmed if one of them is', () => {
    expect(mergedEntry([{ ...plain, status: 'tentative' }, plain]).status).toBe('confirmed')
  })
})

import { expect, test } from 'vitest'
import { revisionAt, revisionOf } from '../../src/calendar/revision.ts'
import { createSiteZone } from '../../src/calendar/site-zone.ts'

const zone = createSiteZone('America/New_York', 2026)
const created = '2026-01-02T09:00:00'
const modified = '2026-01-02T09:01:30'
const firstSeenAt = Date.parse('2026-02-01T00:00:00.500Z')
const known = { hash: 'a', revision: 0, firstSeenAt, changedAt: firstSeenAt }

const secondsSince2000 = (instant: string) =>
  (Date.parse(instant) - Date.parse('2000-01-01T00:00:00Z')) / 1000

test('uses the record’s own time if no change was observed', () => {
  expect(revisionOf({ id: 1, created }, { ...known, saidAt: modified }, zone)).toEqual({
    sequence: secondsSince2000('2026-01-02T14:01:30Z'),
    lastModified: Date.parse('2026-01-02T14:01:30Z'),
    created: Date.parse('2026-01-02T14:00:00Z'),
  })
  expect(revisionOf({ id: 1, created }, { ...known, saidAt: created }, zone)).toMatchObject({
    sequence: secondsSince2000('2026-01-02T14:00:00Z'),
    lastModified: Date.parse('2026-01-02T14:00:00Z'),
  })
})

test('uses the time of the first observation for a record without a time', () => {
  expect(revisionOf({ id: 1 }, known, zone)).toEqual({
    sequence: secondsSince2000('2026-02-01T00:00:00Z'),
    lastModified: Date.parse('2026-02-01T00:00:00Z'),
    created: undefined,
  })
})

test('prefers the time when a change was observed over the record’s own time', () => {
  const changedAt = Date.parse('2026-02-03T00:00:00Z')
  const changed = { ...known, revision: 1, changedAt }
  const before = revisionOf({ id: 1, created }, { ...known, saidAt: modified }, zone)
  const after = revisionOf({ id: 1, created }, { ...changed, saidAt: '2026-03-01T00:00:00' }, zone)
  expect(after.lastModified).toBe(changedAt)
  expect(after.sequence).toBeGreaterThan(before.sequence)
})

test('uses the time of the first observation for a record whose time is in the future', () => {
  const future = '2030-01-01T00:00:00'
  expect(revisionOf({ id: 1, created: future }, { ...known, saidAt: future }, zone)).toEqual({
    sequence: secondsSince2000('2026-02-01T00:00:00Z'),
    lastModified: Date.parse('2026-02-01T00:00:00Z'),
    created: Date.parse('2026-02-01T00:00:00Z'),
  })
})

const at = (date: string) => Date.parse(`${date}T00:00:00Z`)

test('raises the sequence even after the ledger has been lost', () => {
  const before = { ...known, revision: 9, changedAt: at('2026-02-05') }
  const times = { firstSeenAt: at('2026-03-01'), changedAt: at('2026-03-02') }
  const anew = { ...known, revision: 1, ...times }
  const { sequence, lastModified } = revisionOf({ id: 1, created }, anew, zone)
  expect(sequence).toBeGreaterThan(revisionOf({ id: 1, created }, before, zone).sequence)
  expect(lastModified).toBeGreaterThan(revisionOf({ id: 1, created }, before, zone).lastModified)
})

test('raises the sequence for a change made at the time of creation', () => {
  const changed = { ...known, revision: 1, changedAt: firstSeenAt + 60_000 }
  const before = revisionOf({ id: 1, created }, known, zone)
  for (const now of ['2026-01-31T00:00:00', '2030-01-01T00:00:00', undefined]) {
    const after = revisionOf({ id: 1, created: now }, changed, zone)
    expect(after.sequence).toBeGreaterThan(before.sequence)
  }
})

test('keeps the sequence within a 32-bit integer', () => {
  expect(revisionAt(Date.parse('2100-01-01T00:00:00Z')).sequence).toBe(2 ** 31 - 1)
  expect(revisionAt(Date.parse('1999-01-01T00:00:00Z')).sequence).toBe(0)
})

import { expect, test } from 'vitest'
import { revisionAt, revisionOf } from '../../src/calendar/revision.ts'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'

const zone = siteZoneOf('America/New_York', 2026)
const created = '2026-01-02T09:00:00'
const modified = '2026-01-02T09:01:30'
const future = '2030-01-01T00:00:00'
const firstSeenAt = Date.parse('2026-02-01T00:00:00.500Z')
const known = { hash: 'a', revision: 0, firstSeenAt, changedAt: firstSeenAt }
const at = (date: string) => Date.parse(`${date}T00:00:00Z`)

const revisionWith = (change: Partial<typeof known> & { saidAt?: string }, from?: string) =>
  revisionOf({ id: 1, created: from }, { ...known, ...change }, zone)

test.for<[about: string, saidAt: string | undefined, from: string | undefined, expected: string[]]>(
  [
    ['its own time', modified, created, ['2026-01-02T14:01:30Z', '2026-01-02T14:00:00Z']],
    ['its creation time', created, created, ['2026-01-02T14:00:00Z', '2026-01-02T14:00:00Z']],
    ['the first observation, without a time', undefined, undefined, ['2026-02-01T00:00:00Z']],
    [
      'the first observation, for a time in the future',
      future,
      future,
      ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ],
  ],
)('uses %s until a change is observed', ([, saidAt, from, expected]) => {
  const [lastModified = NaN, createdAt] = expected.map((instant) => Date.parse(instant))
  const sequence = (lastModified - at('2000-01-01')) / 1000
  const revision = { sequence, lastModified, created: createdAt }
  expect(revisionWith(saidAt === undefined ? {} : { saidAt }, from)).toEqual(revision)
})

test('prefers the time when a change was observed over the record’s own time', () => {
  const changedAt = at('2026-02-03')
  const after = revisionWith({ revision: 1, changedAt, saidAt: '2026-03-01T00:00:00' }, created)
  expect(after.lastModified).toBe(changedAt)
  expect(after.sequence).toBeGreaterThan(revisionWith({ saidAt: modified }, created).sequence)
})

test('raises the sequence even after the ledger has been lost', () => {
  const before = revisionWith({ revision: 9, changedAt: at('2026-02-05') }, created)
  const times = { firstSeenAt: at('2026-03-01'), changedAt: at('2026-03-02') }
  const { sequence, lastModified } = revisionWith({ revision: 1, ...times }, created)
  expect(sequence).toBeGreaterThan(before.sequence)
  expect(lastModified).toBeGreaterThan(before.lastModified)
})

test.for(['2026-01-31T00:00:00', future, undefined])(
  'raises the sequence for a change soon after a creation at %s',
  (from) => {
    const { sequence } = revisionWith({ revision: 1, changedAt: firstSeenAt + 60_000 }, from)
    expect(sequence).toBeGreaterThan(revisionWith({}, created).sequence)
  },
)

test('keeps the sequence within a 32-bit integer', () => {
  expect(revisionAt(at('2100-01-01')).sequence).toBe(2 ** 31 - 1)
  expect(revisionAt(at('1999-01-01')).sequence).toBe(0)
})

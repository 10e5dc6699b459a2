import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hashOf,
  ledgerAfter,
  mergedLedger,
  prunedLedger,
} from '../../../src/collections/copy/ledger.ts'
import type { Ledger } from '../../../src/records/recorded-change.ts'

const dayMs = 24 * 60 * 60 * 1000

type Content = Readonly<Record<number, string>>

const isOnline = (text = '') => text !== '' && !text.startsWith('offline')

/**
 * Returns the ledger after a series of reads with the given contents, a second apart. Records whose
 * content starts with `offline` are not Online.
 */
function after(
  readings: readonly {
    readonly content: Content
    readonly unread?: readonly number[]
    readonly tooOld?: readonly number[]
  }[],
  start: { readonly ledger?: Ledger; readonly now?: number } = {},
): Ledger {
  let before: Content = {}
  return readings.reduce<Ledger>((ledger, { content, unread = [], tooOld = [] }, index) => {
    const hashes = new Map(
      Object.entries(content).map(([id, text]) => [Number(id), hashOf(text)] as const),
    )
    const onlineBefore = new Map(
      Object.entries(before).flatMap(([id, text]) => (isOnline(text) ? [[Number(id), text]] : [])),
    )
    before = content
    const now = (start.now ?? 0) + index * 1000
    return ledgerAfter(ledger, hashes, {
      unreadIds: new Set(unread),
      lostIds: new Set(),
      isLeftOut: (id) => tooOld.includes(id),
      isOnline: (id) => isOnline(content[id]),
      onlineBefore,
      saidAt: new Map(),
      now,
    })
  }, start.ledger ?? new Map())
}

test('gives a new record revision 0', () => {
  const entry = after([{ content: { 7: 'a' } }]).get(7)
  expect(entry).toEqual({ hash: hashOf('a'), revision: 0, firstSeenAt: 0, changedAt: 0 })
})

test('keeps the entry of an unchanged record', () => {
  expect(after([{ content: { 7: 'a' } }, { content: { 7: 'a' } }])).toEqual(
    after([{ content: { 7: 'a' } }]),
  )
})

test('counts each change as a revision, even a change back to earlier content', () => {
  const ledger = after(['a', 'b', 'a', 'a'].map((text) => ({ content: { 7: text } })))
  expect(ledger.get(7)).toEqual({ hash: hashOf('a'), revision: 2, firstSeenAt: 0, changedAt: 2000 })
})

describe('a removed record', () => {
  const gone = [{ content: { 7: 'a', 8: 'b' } }, { content: { 8: 'b' } }]

  test('keeps the last item that was read', () => {
    expect(after(gone).get(7)).toMatchObject({
      revision: 1,
      changedAt: 1000,
      removedAt: 1000,
      lastOnline: { until: 1000, item: 'a' },
    })
    expect(after([...gone, { content: { 8: 'c' } }]).get(7)).toEqual(after(gone).get(7))
  })

  test('gets the next revision when it returns', () => {
    const entry = after([...gone, { content: { 7: 'a', 8: 'b' } }]).get(7)
    expect(entry).toEqual({ hash: hashOf('a'), revision: 2, firstSeenAt: 0, changedAt: 2000 })
  })

  test('is dropped after 90 days', () => {
    const ledger = after(gone)
    const later = (now: number) => after([{ content: { 8: 'b' } }], { ledger, now }).has(7)
    expect([later(90 * dayMs + 999), later(90 * dayMs + 1000)]).toEqual([true, false])
  })

  test('is not treated as removed if it was present but unreadable', () => {
    const ledger = after([{ content: { 7: 'a' } }, { content: {}, unread: [7] }])
    expect(ledger).toEqual(after([{ content: { 7: 'a' } }]))
  })
})

describe('a record that is taken offline', () => {
  const offline = [{ content: { 7: 'a' } }, { content: { 7: 'offline' } }]

  test.for<[when: string, later: readonly { content: Content }[], entry: object]>([
    ['first', [], { revision: 1 }],
    ['after it is removed', [{ content: {} }], { removedAt: 2000 }],
    ['if it is edited while offline', [{ content: { 7: 'offline, edited' } }], { revision: 2 }],
  ])('keeps its last shown version %s', ([, later, entry]) => {
    const lastOnline = { until: 1000, item: 'a' }
    expect(after([...offline, ...later]).get(7)).toMatchObject({ ...entry, lastOnline })
  })

  test('no longer has a last shown version once it is back online', () => {
    const entry = after([...offline, { content: { 7: 'a' } }]).get(7)
    expect(entry).toEqual({ hash: hashOf('a'), revision: 2, firstSeenAt: 0, changedAt: 2000 })
  })

  test('keeps its content for 15 days and its ledger entry for 90 days', () => {
    const ledger = after(offline)
    const later = (now: number) => prunedLedger(ledger, now).get(7)?.lastOnline
    expect(prunedLedger(ledger, 15 * dayMs + 999)).toBe(ledger)
    expect(later(15 * dayMs + 1000)).toEqual({ until: 1000 })
    expect(later(90 * dayMs + 999)).toEqual({ until: 1000 })
    expect(later(90 * dayMs + 1000)).toBeUndefined()
    const without = prunedLedger(ledger, 20 * dayMs)
    expect(prunedLedger(without, 20 * dayMs)).toBe(without)
  })

  test('has no last shown version if it was never shown', () => {
    const ledger = after([{ content: { 7: 'offline' } }, { content: {} }])
    expect(ledger.get(7)).toMatchObject({ lastOnline: undefined })
  })
})

test('drops a record that has become too old instead of marking it as removed', () => {
  const ledger = after([{ content: { 7: 'a', 8: 'b' } }, { content: { 8: 'b' }, tooOld: [7] }])
  expect([...ledger.keys()]).toEqual([8])
})

test('drops records removed 90 days ago, even without a read', () => {
  const ledger = after([{ content: { 7: 'a', 8: 'b' } }, { content: { 8: 'b' } }])
  expect(new Set(prunedLedger(ledger, 90 * dayMs + 999).keys())).toEqual(new Set([7, 8]))
  expect([...prunedLedger(ledger, 90 * dayMs + 1000).keys()]).toEqual([8])
})

describe('two diverged ledgers', () => {
  const changedThrice = after(['a', 'b', 'a'].map((text) => ({ content: { 7: text, 8: 'x' } })))

  test('are merged into a combined history', () => {
    const theirs = after([{ content: { 7: 'a', 8: 'x', 9: 'y' } }], { now: 500 })
    const merged = mergedLedger(theirs, changedThrice)
    expect(merged.get(7)).toEqual(changedThrice.get(7))
    expect(merged.get(8)).toEqual({ ...theirs.get(8), firstSeenAt: 0 })
    expect(merged.get(9)).toEqual(theirs.get(9))
    expect(mergedLedger(merged, changedThrice)).toBe(merged)
    expect([...mergedLedger(changedThrice, theirs).keys()]).toEqual([7, 8, 9])
  })

  test('keep a last shown version that is in either of them', () => {
    const seen = after([{ content: { 7: 'a' } }, { content: { 7: 'offline' } }])
    const unseen = after([{ content: { 7: 'offline' } }])
    expect(mergedLedger(unseen, seen).get(7)).toMatchObject({
      lastOnline: { until: 1000, item: 'a' },
    })
    expect(mergedLedger(seen, unseen).get(7)).toEqual(seen.get(7))
    const online = after([{ content: { 7: 'b' } }])
    expect(mergedLedger(online, seen).get(7)).toMatchObject({ lastOnline: undefined })
  })

  test('assign a new revision to content that differs', () => {
    const theirs = after([{ content: { 7: 'c', 8: 'x' } }])
    expect(mergedLedger(theirs, changedThrice).get(7)).toMatchObject({
      hash: hashOf('c'),
      revision: 3,
      changedAt: 3000,
    })
  })
})

test('merges the times when a record appeared to the earliest one', () => {
  const entry = { hash: 'a', revision: 0, firstSeenAt: 1, changedAt: 1 }
  const merged = (...times: readonly (number | undefined)[]) => {
    const [one, other] = times.map((appearedAt) => new Map([[7, { ...entry, appearedAt }]]))
    return one && other && mergedLedger(one, other).get(7)?.appearedAt
  }
  expect([merged(3, 2), merged(2, 3), merged(undefined, 3), merged(3, undefined)]).toEqual([
    2, 2, 3, 3,
  ])
})

test('keeps the latest five thousand removed records', () => {
  const many = Object.fromEntries(Array.from({ length: 6000 }, (_, id) => [id + 1, 'x']))
  const ledger = after([{ content: { ...many, 9000: 'y' } }, { content: many }, { content: {} }])
  expect([ledger.size, ledger.has(9000)]).toEqual([5000, false])
})

test('dates a change at least a second after the previous change, even if the clock goes back', () => {
  const ledger = after([{ content: { 7: 'a', 8: 'b' } }], { now: 10_000 })
  const changed = after([{ content: { 7: 'c' } }], { ledger, now: 5_000 })
  expect([changed.get(7)?.changedAt, changed.get(8)?.changedAt]).toEqual([11_000, 11_000])
})

test('never decreases revisions or modification times, regardless of the records and the clock', () => {
  const contents = fc.dictionary(
    fc.constantFrom('1', '2', '3'),
    fc.constantFrom('a', 'b', 'c'),
  ) as fc.Arbitrary<Content>
  fc.assert(
    fc.property(fc.array(fc.tuple(contents, fc.integer({ min: 0, max: 1e6 }))), (readings) => {
      let ledger: Ledger = new Map()
      for (const [content, now] of readings) {
        const next = after([{ content }], { ledger, now })
        for (const [id, entry] of ledger) {
          expect(next.get(id)?.revision).toBeGreaterThanOrEqual(entry.revision)
          expect(next.get(id)?.changedAt).toBeGreaterThanOrEqual(entry.changedAt)
        }
        ledger = next
      }
    }),
  )
})

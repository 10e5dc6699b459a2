import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changeFrom,
  changesAfter,
  mergedChanges,
} from '../../../src/collections/copy/ledger-changes.ts'
import { isReported, type RecordedChange } from '../../../src/records/recorded-change.ts'

const minuteMs = 60_000

const onDay = (day: number) => ({ title: 'Drill', startDate: `2026-03-0${day}` })

/** A record's day at increasing times; undefined while the website does not show it. */
const histories = fc.array(
  fc.record({
    waitMinutes: fc.integer({ min: 1, max: 30 }),
    day: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  }),
  { maxLength: 12 },
)

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

/** Returns the changes recorded by a replica that misses the steps for which `sees` is false. */
function recorded(history: History, sees: (index: number) => boolean = () => true) {
  let changes: readonly RecordedChange[] = []
  let [now, revision, day] = [0, 0, 1 as number | undefined]
  for (const [index, step] of history.entries()) {
    now += step.waitMinutes * minuteMs
    if (!sees(index) || step.day === day) continue
    revision += 1
    const [before, after] = [day, step.day].map((shown) =>
      shown === undefined ? undefined : onDay(shown),
    )
    changes = changesAfter(changes, changeFrom({ revision, since: now, at: now, before, after }))
    day = step.day
  }
  return changes
}

test('changes of a record are at least ten minutes apart, and each is worth reporting', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const changes = recorded(history)
      for (const { since, at, before, after } of changes) {
        expect(isReported(before, after)).toBe(true)
        expect(at - since).toBeLessThan(10 * minuteMs)
      }
      const gaps = changes.slice(1).map(({ since }, index) => since - (changes[index]?.since ?? 0))
      expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(10 * minuteMs)
      expect(new Set(changes.map(({ revision }) => revision)).size).toBe(changes.length)
    }),
  )
})

describe('changes merged from two replicas', () => {
  const pairs = fc
    .tuple(histories, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }))
    .map(
      ([history, seen]) =>
        [recorded(history), recorded(history, (index) => seen[index] === true)] as const,
    )

  test('do not depend on their order', () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        expect(mergedChanges(one, other)).toEqual(mergedChanges(other, one))
      }),
    )
  })

  test('are the same after merging again', () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const merged = mergedChanges(one, other)
        expect(mergedChanges(merged, merged)).toBe(merged)
        expect(mergedChanges(one, one)).toBe(one)
      }),
    )
  })

  const change = (revision: number, minute: number, from: number, to: number) => {
    const at = minute * minuteMs
    return changeFrom({ revision, since: at, at, before: onDay(from), after: onDay(to) })
  }

  test.for<
    readonly [
      string,
      readonly RecordedChange[],
      readonly RecordedChange[],
      readonly RecordedChange[],
    ]
  >([
    [
      'one change that both saw, minutes apart',
      [change(5, 0, 1, 2)],
      [change(5, 3, 1, 2)],
      [{ ...change(5, 0, 1, 2), at: 3 * minuteMs }],
    ],
    [
      'one change that both saw, with different revisions',
      [change(5, 0, 1, 2)],
      [change(7, 0, 1, 2)],
      [change(5, 0, 1, 2)],
    ],
    [
      'two changes that the other replica saw as one',
      [change(5, 0, 1, 2), change(6, 60, 2, 3)],
      [change(5, 60, 1, 3)],
      [change(5, 0, 1, 2), change(6, 60, 2, 3)],
    ],
    ['a change that only one replica saw', [], [change(5, 0, 1, 2)], [change(5, 0, 1, 2)]],
  ])('%s', ([, one, other, merged]) => {
    expect(mergedChanges(one, other)).toEqual(merged)
    expect(mergedChanges(other, one)).toEqual(merged)
  })
})

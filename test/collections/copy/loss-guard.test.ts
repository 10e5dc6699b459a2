import { describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/clock.ts'
import {
  heldAfter,
  isConfirmed,
  lossFrom,
  needsHolding,
  mergedHeld,
  type Held,
  type LossReading,
} from '../../../src/collections/copy/loss-guard.ts'

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

const lossAfter = (
  before: readonly number[],
  after: readonly number[],
  expected: readonly number[] = [],
  alreadyLost: readonly number[] = [],
) =>
  lossFrom(before, {
    isPresent: (id) => after.includes(id),
    isEmpty: after.length === 0,
    isExpectedToLeave: (id) => expected.includes(id),
    alreadyLost,
  })

test.for<{
  name: string
  before: readonly number[]
  after: readonly number[]
  extent: LossReading['extent'] | undefined
}>([
  { name: 'no record of one', before: ids(1), after: [], extent: 'total' },
  { name: 'no record of nine', before: ids(9), after: [], extent: 'total' },
  { name: 'one of nine', before: ids(9), after: ids(1), extent: 'small' },
  { name: 'half of eight', before: ids(8), after: ids(4), extent: undefined },
  { name: 'one of three', before: ids(3), after: ids(1), extent: undefined },
  { name: 'the only record and a new one', before: ids(1), after: ids(1, 5), extent: undefined },
  { name: 'half of ten', before: ids(10), after: ids(5), extent: undefined },
  { name: 'less than half of ten', before: ids(10), after: ids(4), extent: 'partial' },
  { name: 'more than half of eleven', before: ids(11), after: ids(6), extent: undefined },
  { name: 'ten new records instead', before: ids(10), after: ids(10, 100), extent: 'total' },
  { name: 'no record of an empty collection', before: [], after: [], extent: undefined },
  { name: 'three in an empty collection', before: [], after: ids(3), extent: undefined },
  { name: 'more than before', before: ids(10), after: ids(30), extent: undefined },
])('the extent of the loss after a read with $name is $extent', ({ before, after, extent }) => {
  expect(lossAfter(before, after)?.extent).toBe(extent)
})

test.for<[string, number, number, readonly number[], LossReading['extent']?, ...number[]]>([
  ['both were expected to leave', 2, 0, ids(2)],
  ['one was expected to leave', 2, 0, [1], 'total', 2],
  [
    'ten were expected to leave, and six others are lost',
    20,
    4,
    ids(10, 11),
    'partial',
    ...ids(6, 5),
  ],
  ['ten were expected to leave, and four others are lost', 20, 6, ids(10, 11)],
])('%s, after which %i records become %i', ([, before, after, expected, extent, ...lostIds]) => {
  const loss = lossAfter(ids(before), ids(after), expected)
  expect(loss?.extent).toBe(extent)
  expect(loss?.lostIds ?? []).toEqual(lostIds)
})

test('the loss of records stays one, even if their removal is expected later', () => {
  expect(lossAfter(ids(2), [], ids(2), ids(2))?.extent).toBe('total')
})

const newVersion = { version: 'a', records: 4 }
const partial: LossReading = { extent: 'partial', lostIds: ids(8), ...newVersion }
const otherPartial: LossReading = { ...partial, lostIds: ids(9), version: 'b', records: 3 }
const total: LossReading = { ...partial, extent: 'total', lostIds: ids(12), records: 0 }

type Step = LossReading & { readonly at: number; readonly others?: readonly number[] }

/** Returns the time at which the reads are published, or undefined if they are never published. */
function publishedAt(steps: readonly Step[], start?: Held): number | undefined {
  let held = start
  for (const { at: now, others: otherLossesAt = [], ...reading } of steps) {
    held = heldAfter(held, reading, { otherLossesAt, now })
    if (isConfirmed(held, now)) return now
  }
  return undefined
}

const every = (ms: number, untilMs: number, step: (at: number) => Step) =>
  Array.from({ length: Math.floor(untilMs / ms) + 1 }, (_, index) => step(index * ms))

const hourly = (reading: LossReading, others?: readonly number[]) =>
  every(hourMs, 60 * dayMs, (at) => ({ ...reading, at, ...(others ? { others } : {}) }))

const requested = {
  ...heldAfter(undefined, partial, { otherLossesAt: [], now: 0 }),
  isHeldByRequest: true,
}

test.for([
  { name: 'without other losses', otherLossesAt: [], isHeld: false },
  { name: 'a day after another', otherLossesAt: [-dayMs], isHeld: true },
  { name: 'more than a day after another', otherLossesAt: [-dayMs - 1], isHeld: false },
])('decides whether to hold a small loss $name: $isHeld', ({ otherLossesAt, isHeld }) => {
  const context = { otherLossesAt, now: 0 }
  expect(needsHolding({ extent: 'small' }, undefined, context)).toBe(isHeld)
  expect(needsHolding({ extent: 'partial' }, undefined, context)).toBe(true)
})

describe('a held loss', () => {
  // `at` is the time of publication; undefined for reads that are never published.
  test.for<{ name: string; steps: readonly Step[]; start?: Held; at?: number }>([
    { name: 'single and partial, after a day', steps: hourly(partial), at: dayMs },
    { name: 'total, never', steps: hourly(total) },
    { name: 'partial at the same time as another, never', steps: hourly(partial, [0]) },
    { name: 'partial a day after another, never', steps: hourly(partial, [-dayMs]) },
    { name: 'partial a day before another, never', steps: hourly(partial, [dayMs]) },
    {
      name: 'partial more than a day after another, after a day',
      steps: hourly(partial, [-dayMs - 1]),
      at: dayMs,
    },
    {
      name: 'partial with another that is no longer known, never',
      steps: [{ ...partial, at: 0, others: [0] }, ...hourly(partial)],
    },
    {
      name: 'of different records after half a day, a day after that',
      steps: [
        ...every(hourMs, 0.5 * dayMs - 1, (at) => ({ ...partial, at })),
        ...every(hourMs, 2 * dayMs, (at) => ({ ...otherPartial, at: 0.5 * dayMs + at })),
      ],
      at: 1.5 * dayMs,
    },
    { name: 'total and then partial, never', steps: [{ ...total, at: 0 }, ...hourly(partial)] },
    {
      name: 'read every day, at the third reading',
      steps: every(dayMs, 9 * dayMs, (at) => ({ ...partial, at })),
      at: 2 * dayMs,
    },
    {
      name: 'recorded by a clock that was ahead, a day after it is corrected',
      steps: [{ ...partial, at: 400 * dayMs }, ...hourly(partial)],
      at: dayMs,
    },
    { name: 'held by operator request, never', steps: hourly(partial), start: requested },
    {
      name: 'held by operator request, then losing different records, never',
      steps: hourly(otherPartial),
      start: requested,
    },
  ])('is published at the right time: $name', ({ steps, at, start }) => {
    expect(publishedAt(steps, start)).toBe(at)
  })

  test('keeps its start time even if other records are lost', () => {
    const first = heldAfter(undefined, partial, { otherLossesAt: [], now: 0 })
    const second = heldAfter(first, otherPartial, { otherLossesAt: [], now: hourMs })
    expect(second).toMatchObject({ since: 0, firstReadAt: hourMs, readings: 1, records: 3 })
  })

  test('stays held if either of two diverged replicas requires that', () => {
    const plain = heldAfter(undefined, partial, { otherLossesAt: [], now: 0 })
    expect(mergedHeld(plain, requested)).toEqual(requested)
    expect(mergedHeld(plain, undefined)).toEqual(plain)
    expect(mergedHeld(undefined, requested)).toBeUndefined()
  })
})

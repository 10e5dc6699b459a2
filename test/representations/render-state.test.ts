import { expect, test } from 'vitest'
import {
  failRendering,
  finishRendering,
  freshnessOf,
  newState,
  reencode,
  startRendering,
  type Rendered,
  type RenderState,
} from '../../src/representations/render-state.ts'
import { representationOf } from '../../src/representations/representation.ts'

const minuteMs = 60_000
const records: Rendered['ledgers'] = [new Map()]
const changedRecords: Rendered['ledgers'] = [new Map()]
const task = { done: Promise.resolve(), prioritize: () => undefined }
const about = { format: 'rss', title: 'News', lastModified: 0 } as const
const representation = await representationOf(Buffer.from('a'), about)
const other = await representationOf(Buffer.from('b'), about)
const rendered: Rendered = { representation, ledgers: records, madeAt: 0, validUntil: 1000 }

/** Returns the state of a target whose rendering failed at the given times. */
function stateAfter(...failedAt: readonly number[]): RenderState {
  return failedAt.reduce(
    (before: RenderState, at) =>
      failRendering(startRendering(before, task), { at, ledgers: records }),
    newState,
  )
}

const cases: readonly {
  readonly name: string
  readonly state: RenderState
  readonly now?: number
  readonly ledgers?: Rendered['ledgers']
  readonly freshness: ReturnType<typeof freshnessOf>
}[] = [
  { name: 'a new target', state: newState, freshness: 'outdated' },
  { name: 'a pending target', state: startRendering(newState, task), freshness: 'pending' },
  { name: 'a rendered target', state: finishRendering(rendered), now: 999, freshness: 'fresh' },
  {
    name: 'a rendered target that has expired',
    state: finishRendering(rendered),
    now: 1000,
    freshness: 'outdated',
  },
  {
    name: 'a rendered target whose records have changed',
    state: finishRendering(rendered),
    ledgers: changedRecords,
    freshness: 'outdated',
  },
  {
    name: 'a rendered target that is being rendered again',
    state: startRendering(finishRendering(rendered), task),
    ledgers: changedRecords,
    freshness: 'pending',
  },
  {
    name: 'a target that failed less than a minute ago',
    state: stateAfter(0),
    now: minuteMs - 1,
    freshness: 'cooling down',
  },
  {
    name: 'a target that failed a minute ago',
    state: stateAfter(0),
    now: minuteMs,
    freshness: 'outdated',
  },
  {
    name: 'a target that failed with other records',
    state: stateAfter(0),
    ledgers: changedRecords,
    freshness: 'outdated',
  },
  {
    name: 'a target that failed twice, less than two minutes ago',
    state: stateAfter(0, minuteMs),
    now: 3 * minuteMs - 1,
    freshness: 'cooling down',
  },
  {
    name: 'a target that failed twice, two minutes ago',
    state: stateAfter(0, minuteMs),
    now: 3 * minuteMs,
    freshness: 'outdated',
  },
  {
    name: 'a target that failed many times, less than an hour ago',
    state: stateAfter(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    now: 60 * minuteMs - 1,
    freshness: 'cooling down',
  },
  {
    name: 'a target that failed many times, an hour ago',
    state: stateAfter(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    now: 60 * minuteMs,
    freshness: 'outdated',
  },
  {
    name: 'a failed target that is being rendered again',
    state: startRendering(stateAfter(0), task),
    freshness: 'pending',
  },
]

test.for(cases)('$name is $freshness', ({ state, now = 0, ledgers = records, freshness }) => {
  expect(freshnessOf(state, { ledgers, now })).toBe(freshness)
})

test('restarts the failure count when the records change', () => {
  const failed = failRendering(stateAfter(0, 0, 0), { at: 0, ledgers: changedRecords })
  const at = (now: number) => freshnessOf(failed, { ledgers: changedRecords, now })
  expect([at(minuteMs - 1), at(minuteMs)]).toEqual(['cooling down', 'outdated'])
})

test('resets the failure count after a success', () => {
  const again = startRendering(finishRendering(rendered), task)
  const failed = failRendering(again, { at: 0, ledgers: records })
  expect(freshnessOf(failed, { ledgers: records, now: minuteMs })).toBe('outdated')
})

test.for([
  { name: 'pending', state: startRendering(finishRendering(rendered), task) },
  {
    name: 'failed',
    state: failRendering(finishRendering(rendered), { at: 0, ledgers: changedRecords }),
  },
])('keeps the last good representation of a $name target', ({ state }) => {
  expect(state.latest).toBe(rendered)
})

test('replaces a representation with its encoded version only if it is still current', () => {
  const state = startRendering(finishRendering(rendered), task)
  expect(reencode(state, representation, other).latest?.representation).toBe(other)
  expect(reencode(state, representation, other).kind).toBe('pending')
  expect(reencode(state, other, representation)).toBe(state)
  expect(reencode(newState, representation, other)).toBe(newState)
})

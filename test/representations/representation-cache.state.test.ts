import { expect, test } from 'vitest'
import { encodingsOf } from '../../src/representations/encodings.ts'
import {
  failRendering,
  freshnessOf,
  type Rendered,
  type RenderState,
} from '../../src/representations/representation-cache.ts'

const minuteMs = 60_000
const records: Rendered['ledgers'] = [new Map()]
const changedRecords: Rendered['ledgers'] = [new Map()]
const task = { done: Promise.resolve(), prioritize: () => undefined }
const about = { contentType: 'application/rss+xml', title: 'News', lastModified: 0 }
const representation = { ...about, encodings: await encodingsOf(Buffer.from('a')) }
const rendered: Rendered = { representation, ledgers: records, madeAt: 0, validUntil: 1000 }

/** Returns the state of a target whose rendering failed at the given times. */
function stateAfter(...failedAt: readonly number[]): RenderState {
  let state: RenderState = { task }
  for (const at of failedAt) state = failRendering(state, { at, ledgers: records })
  return state
}

const done: RenderState = { latest: rendered }
const often = stateAfter(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
type When = { readonly now?: number; readonly ledgers?: Rendered['ledgers'] }
const changed: When = { ledgers: changedRecords }

test.for<[name: string, state: RenderState, when: When, ReturnType<typeof freshnessOf>]>([
  ['new target', {}, {}, 'outdated'],
  ['pending target', { task }, {}, 'pending'],
  ['rendered target', done, { now: 999 }, 'fresh'],
  ['rendered target that has expired', done, { now: 1000 }, 'outdated'],
  ['rendered target whose records have changed', done, changed, 'outdated'],
  ['rendered target that is rendered again', { ...done, task }, changed, 'pending'],
  ['target that failed recently', stateAfter(0), { now: minuteMs - 1 }, 'cooling down'],
  ['target that failed a minute ago', stateAfter(0), { now: minuteMs }, 'outdated'],
  ['target that failed with other records', stateAfter(0), changed, 'outdated'],
  ['second failure', stateAfter(0, minuteMs), { now: 3 * minuteMs - 1 }, 'cooling down'],
  ['second failure two minutes ago', stateAfter(0, minuteMs), { now: 3 * minuteMs }, 'outdated'],
  ['tenth failure', often, { now: 60 * minuteMs - 1 }, 'cooling down'],
  ['tenth failure an hour ago', often, { now: 60 * minuteMs }, 'outdated'],
  ['failed target that is rendered again', { ...stateAfter(0), task }, {}, 'pending'],
])('a %s has the right freshness', ([, state, { now = 0, ledgers = records }, freshness]) => {
  expect(freshnessOf(state, { ledgers, now })).toBe(freshness)
})

test('restarts the failure count when the records change', () => {
  const failed = failRendering(stateAfter(0, 0, 0), { at: 0, ledgers: changedRecords })
  const at = (now: number) => freshnessOf(failed, { ledgers: changedRecords, now })
  expect([at(minuteMs - 1), at(minuteMs)]).toEqual(['cooling down', 'outdated'])
})

test('resets the failure count after a success', () => {
  const again = { ...done, task }
  const failed = failRendering(again, { at: 0, ledgers: records })
  expect(freshnessOf(failed, { ledgers: records, now: minuteMs })).toBe('outdated')
})

test('keeps the last good representation of a failed target', () => {
  expect(failRendering(done, { at: 0, ledgers: changedRecords }).latest).toBe(rendered)
})

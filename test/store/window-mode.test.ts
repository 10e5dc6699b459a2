import { expect, test } from 'vitest'
import {
  replayFailed,
  replayStarted,
  sharedMode,
  storeLost,
  storeUsed,
  takenAlone,
  type WindowMode,
} from '../../src/store/window-mode.ts'

const now = 1_000_000

const local: WindowMode = { mode: 'local', since: 500, ids: new Set(['a']) }
const replayed: WindowMode = { ...local, mode: 'replayed' }
const options = { now, isKnown: () => true }

test.for<{ name: string; after: WindowMode; expected: WindowMode }>([
  {
    name: 'losing the store begins an outage',
    after: storeLost(sharedMode, now),
    expected: { mode: 'local', since: now, ids: new Set() },
  },
  { name: 'an outage keeps its start time', after: storeLost(local, now), expected: local },
  {
    name: 'an outage with a future start time starts now',
    after: storeLost({ ...local, since: now + 1 }, now),
    expected: { ...local, since: now },
  },
  {
    name: 'losing the store after a replay requires no further replay',
    after: storeLost(replayed, now),
    expected: replayed,
  },
  {
    name: 'an event taken without the store is counted',
    after: takenAlone(local, 'b', options),
    expected: { ...local, ids: new Set(['a', 'b']) },
  },
  {
    name: 'an event taken without the store after a replay requires another replay',
    after: takenAlone(replayed, 'b', options),
    expected: { ...local, ids: new Set(['a', 'b']) },
  },
  {
    name: 'events that are too old are dropped',
    after: takenAlone(local, 'b', { now, isKnown: () => false }),
    expected: { ...local, ids: new Set(['b']) },
  },
  { name: 'a replay includes all events', after: replayStarted(local), expected: replayed },
  { name: 'a failed replay is repeated', after: replayFailed(replayed), expected: local },
  {
    name: 'a failed replay does not affect a window that has recovered',
    after: replayFailed(sharedMode),
    expected: sharedMode,
  },
  {
    name: 'using the store after a replay ends the outage',
    after: storeUsed(replayed),
    expected: sharedMode,
  },
  {
    name: 'using the store before a replay does not end the outage',
    after: storeUsed(local),
    expected: local,
  },
  { name: 'using the store keeps sharing', after: storeUsed(sharedMode), expected: sharedMode },
])('$name', ({ after, expected }) => {
  expect(after).toEqual(expected)
})

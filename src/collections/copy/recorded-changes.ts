import { isDeepStrictEqual } from 'node:util'
import { changeKeptMs, isReported, type RecordedChange } from '../../records/recorded-change.ts'

const minuteMs = 60_000

/** Changes to a record within this time count as a single change, with their net effect. */
const singleChangeMs = 10 * minuteMs
const maxPerRecord = 20

type Changes = readonly RecordedChange[]

/** Returns the changes that are not older than 90 days, or the same object if none is. */
export function recentChanges(changes: Changes, now: number): Changes {
  const recent = changes.filter(({ at }) => at > now - changeKeptMs)
  return recent.length === changes.length ? changes : recent
}

/**
 * Merges the changes that two replicas have observed independently. A change that both have
 * observed appears once. The result does not depend on the order of the arguments. Returns the same
 * object if the other replica has observed nothing else.
 */
export function mergedChanges(changes: Changes, other: Changes): Changes {
  if (other.length === 0) return changes
  const merged: RecordedChange[] = []
  for (const change of [...changes, ...other].sort(byTime)) {
    const last = merged.at(-1)
    if (last && isSoonAfter(last, change)) merged.splice(-1, 1, netChange(last, change))
    else if (!merged.some(({ revision }) => revision === change.revision)) merged.push(change)
  }
  const result = merged
    .filter(({ before, after }) => isReported(before, after))
    .slice(-maxPerRecord)
  return isDeepStrictEqual(result, changes) ? changes : result
}

/**
 * Adds a change, or combines it with the last one if that is recent. Leaves out a change, or a
 * combination of changes, that is not worth reporting.
 */
export function changesAfter(changes: Changes, change: RecordedChange): Changes {
  if (isDeepStrictEqual(change.before, change.after)) return changes
  const last = changes.at(-1)
  const isOngoing = last !== undefined && isSoonAfter(last, change)
  const net = isOngoing ? netChange(last, change) : change
  const earlier = isOngoing ? changes.slice(0, -1) : changes
  return isReported(net.before, net.after) ? [...earlier, net].slice(-maxPerRecord) : earlier
}

function isSoonAfter(last: RecordedChange, { since }: RecordedChange): boolean {
  return since - last.since < singleChangeMs
}

/** Combines two changes. The result keeps the identity of the first one. */
function netChange(first: RecordedChange, second: RecordedChange): RecordedChange {
  const { at, after } = first.at > second.at ? first : second
  return changeFrom({ ...first, at, after })
}

/** Creates a change without empty properties. */
export function changeFrom({
  revision,
  since,
  at,
  before,
  after,
  isBack,
}: RecordedChange): RecordedChange {
  return {
    revision,
    since,
    at,
    ...(before && { before }),
    ...(after && { after }),
    ...(isBack && !before && after && { isBack }),
  }
}

/** Sorts by time, and equal times by content, so that every replica has the same order. */
function byTime(a: RecordedChange, b: RecordedChange): number {
  if (a.since !== b.since || a.at !== b.at) return a.since - b.since || a.at - b.at
  if (a.revision !== b.revision) return a.revision - b.revision
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '../../clock.ts'
import type { RecordOf } from '../../records/read-records.ts'
import {
  changeKeptMs,
  isReported,
  singleChangeMs,
  type LedgerEntry,
  type RecordedChange,
  type RecordFacts,
  type Ledger,
} from '../../records/recorded-change.ts'
import { daysAfter, type SiteDateTime } from '../../records/site-time.ts'
import type { Days } from './loss-guard.ts'

const maxPerCollection = 1_000

/** Omits mass losses, lost records that reappear, and existing records that were unreadable. */
export function withChanges(
  ledger: Ledger,
  options: {
    readonly before: Ledger
    readonly factsBefore: (id: number) => RecordFacts | undefined
    readonly factsAfter: (id: number) => RecordFacts | undefined
    /** Returns true for a record that was present and readable in the previous reading. */
    readonly wasRead: (id: number) => boolean
    /** Returns true for a record that was created after the previous reading. */
    readonly isNew: (id: number) => boolean
  },
): Ledger {
  const { before, factsBefore, factsAfter, wasRead, isNew } = options
  const entries = [...ledger].map(([id, entry]): [number, LedgerEntry] => {
    const previous = before.get(id)
    if (entry === previous) return [id, entry]
    const kept = previous?.changes ?? []
    const isLoss = entry.isLost === true || previous?.isLost === true
    const isKnown = previous ? previous.removedAt !== undefined || wasRead(id) : isNew(id)
    if (isLoss || !isKnown) return [id, entryWith(entry, kept)]
    const change = changeFrom({
      revision: entry.revision,
      since: entry.changedAt,
      at: entry.changedAt,
      before: factsBefore(id),
      after: factsAfter(id),
      isBack: previous?.lastOnline !== undefined,
    })
    return [id, entryWith(entry, changesAfter(kept, change))]
  })
  return bounded(new Map(entries))
}

function bounded(ledger: Ledger): Ledger {
  const all = [...ledger].flatMap(([id, { changes = [] }]) =>
    changes.map((change) => ({ id, change })),
  )
  if (all.length <= maxPerCollection) return ledger
  const latest = all.toSorted((a, b) => b.change.at - a.change.at || b.id - a.id)
  const kept = new Set(latest.slice(0, maxPerCollection).map(({ change }) => change))
  return new Map(
    [...ledger].map(([id, entry]): [number, LedgerEntry] => [
      id,
      entry.changes
        ? entryWith(
            entry,
            entry.changes.filter((change) => kept.has(change)),
          )
        : entry,
    ]),
  )
}

/**
 * Returns a function that returns true for records that were created after the previous reading.
 * Other records may appear because the requested days have moved, or because the website could not
 * send them before.
 */
export function createdSince(
  records: readonly { readonly id: number }[],
  reading: {
    readonly days: Days | undefined
    readonly siteNow: SiteDateTime
    readonly elapsedMs: number
  },
): (id: number) => boolean {
  const { days, siteNow, elapsedMs } = reading
  const elapsedDays = Math.max(1, Math.ceil(elapsedMs / dayMs))
  const lastDayBefore = days && daysAfter(days.to, -elapsedDays)
  // Allows one extra day in case the website's clock is off.
  const firstDay = daysAfter(siteNow.slice(0, 10), -elapsedDays - 1)
  const isNew = (record: object) => {
    const { startDate = '', created } = record as Partial<RecordOf['events']>
    const wasRequested = lastDayBefore === undefined || startDate <= lastDayBefore
    return wasRequested && (created === undefined || created >= firstDay)
  }
  const ids = new Set(records.filter(isNew).map(({ id }) => id))
  return (id) => ids.has(id)
}

export function entryWith(entry: LedgerEntry, changes: readonly RecordedChange[]): LedgerEntry {
  return { ...entry, changes: changes.length > 0 ? changes : undefined }
}

const maxPerRecord = 20

type Changes = readonly RecordedChange[]

/** Returns the changes from the last 90 days, or the same object if none are older. */
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

/** Combines a change with a recent one, and omits what is not worth reporting. */
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
export function changeFrom(change: RecordedChange): RecordedChange {
  const { before, after, isBack, ...rest } = change
  return {
    ...rest,
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

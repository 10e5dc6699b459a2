import { createHash } from 'node:crypto'
import { dayMs } from '../../clock.ts'
import type { Ledger, LedgerEntry } from '../../records/recorded-change.ts'
import { entryWith, mergedChanges, recentChanges } from './ledger-changes.ts'

const goneKeptMs = 90 * dayMs
/** Longer than the time for which canceled entries are shown. */
const itemKeptMs = 15 * dayMs
/** Lost records that reappear within this time keep their revision and times. */
const lossReversibleMs = 14 * dayMs
const maxRemoved = 5_000

/** Minimum time between two changes, since published times are in whole seconds. */
const tickMs = 1000

/** Returns the time of a change after an earlier one, if any, even if the clock has been set back. */
export function nextChangeAt(
  before: { readonly changedAt: number } | undefined,
  now: number,
): number {
  return before ? Math.max(before.changedAt + tickMs, now) : now
}

/** Content hashes are by record id. Unreadable records count as neither changed nor removed. */
export function ledgerAfter(
  ledger: Ledger,
  hashes: ReadonlyMap<number, string>,
  options: {
    readonly unreadIds: ReadonlySet<number>
    /** True if a record is missing because it is too old or outside the requested days. */
    readonly isLeftOut: (id: number) => boolean
    /** Records missing because of a mass loss. */
    readonly lostIds: ReadonlySet<number>
    readonly isOnline: (id: number) => boolean
    /** Returns true for a record that the website marks as public, now or in the previous reading. */
    readonly isPublic?: (id: number) => boolean
    readonly wasPublic?: (id: number) => boolean
    /** Returns true for a new record that the website did not have at the previous reading. */
    readonly isNew?: ((id: number) => boolean) | undefined
    readonly onlineBefore: ReadonlyMap<number, unknown>
    readonly saidAt: ReadonlyMap<number, string | undefined>
    readonly now: number
  },
): Ledger {
  const {
    unreadIds,
    isLeftOut,
    lostIds,
    isOnline,
    isPublic = () => false,
    wasPublic = () => false,
    isNew = () => false,
    onlineBefore,
    now,
  } = options
  const lastOnline = (id: number, entry: LedgerEntry) =>
    onlineBefore.has(id) ? { until: now, item: onlineBefore.get(id) } : entry.lastOnline
  /** A record that is hidden from the public for a while keeps its date. */
  const publicAtOf = (id: number, { publicAt }: LedgerEntry, changedAt: number) => {
    const since = publicAt ?? (wasPublic(id) ? 0 : isPublic(id) ? changedAt : undefined)
    return since === undefined ? {} : { publicAt: since }
  }

  function removed(id: number, entry: LedgerEntry): LedgerEntry {
    const gone = {
      ...entry,
      ...publicAtOf(id, entry, now),
      removedAt: now,
      lastOnline: lastOnline(id, entry),
    }
    // Keeps the revision, so that subscribers see no change if the record returns.
    if (lostIds.has(id)) return { ...gone, isLost: true }
    return { ...gone, revision: entry.revision + 1, changedAt: nextChangeAt(entry, now) }
  }

  function present(id: number, hash: string): LedgerEntry {
    const entry = ledger.get(id)
    if (!entry) {
      const saidAt = options.saidAt.get(id)
      const first = { hash, revision: 0, firstSeenAt: now, changedAt: now, saidAt }
      return isOnline(id) && isNew(id) ? { ...first, appearedAt: now } : first
    }
    if (entry.hash === hash && !isGone(entry)) return entry
    if (entry.hash === hash && isReversible(entry, now)) {
      const { removedAt: _removedAt, isLost: _isLost, ...found } = entry
      return isOnline(id) ? { ...found, lastOnline: undefined } : found
    }
    const { revision, firstSeenAt } = entry
    const last = isOnline(id) ? undefined : lastOnline(id, entry)
    const changedAt = nextChangeAt(entry, now)
    const wasOnline = entry.lastOnline !== undefined || onlineBefore.has(id)
    const appearedAt = entry.appearedAt ?? (isOnline(id) && !wasOnline ? changedAt : undefined)
    const changed = { hash, revision: revision + 1, firstSeenAt, changedAt, lastOnline: last }
    const since = publicAtOf(id, entry, changedAt)
    return appearedAt === undefined
      ? { ...changed, ...since }
      : { ...changed, ...since, appearedAt }
  }

  const gone = [...ledger].flatMap(([id, entry]): [number, LedgerEntry][] => {
    if (hashes.has(id) || isLeftOut(id)) return []
    if (isGone(entry) || unreadIds.has(id)) return [[id, entry]]
    return [[id, removed(id, entry)]]
  })
  const here = [...hashes].map(([id, hash]): [number, LedgerEntry] => [id, present(id, hash)])
  return prunedLedger(new Map([...latestGone(gone), ...here]), now)
}

/** Returns the ledger without expired entries, or the same object if no entry has expired. */
export function prunedLedger(ledger: Ledger, now: number): Ledger {
  const prunedEntry = (entry: LedgerEntry) => withoutOldChanges(withoutOldItem(entry, now), now)
  const isCurrent = (entry: LedgerEntry) =>
    !isOld(entry.removedAt, now) && prunedEntry(entry) === entry
  if (ledger.values().every(isCurrent)) return ledger
  const left = [...ledger].filter(([, { removedAt }]) => !isOld(removedAt, now))
  return new Map(left.map(([id, entry]) => [id, prunedEntry(entry)]))
}

function isOld(goneAt: number | undefined, now: number): boolean {
  return goneAt !== undefined && goneAt <= now - goneKeptMs
}

function withoutOldItem(entry: LedgerEntry, now: number): LedgerEntry {
  if (!entry.lastOnline || entry.lastOnline.until > now - itemKeptMs) return entry
  const { lastOnline, ...rest } = entry
  if (isOld(lastOnline.until, now)) return rest
  return lastOnline.item === undefined
    ? entry
    : { ...rest, lastOnline: { until: lastOnline.until } }
}

function withoutOldChanges(entry: LedgerEntry, now: number): LedgerEntry {
  const { changes } = entry
  if (!changes) return entry
  const recent = recentChanges(changes, now)
  return recent === changes ? entry : entryWith(entry, recent)
}

/**
 * Merges another ledger into this one. For each record, keeps the higher revision and the later
 * change. If the content differs, this ledger's entry gets a later revision. Returns the same
 * object if nothing changes.
 */
export function mergedLedger(ledger: Ledger, other: Ledger): Ledger {
  const merged = [...ledger].map(([id, entry]): [number, LedgerEntry] => [
    id,
    mergedEntry(entry, other.get(id)),
  ])
  const onlyOther = [...other].filter(([id]) => !ledger.has(id))
  const isSame = onlyOther.length === 0 && merged.every(([id, entry]) => ledger.get(id) === entry)
  return isSame ? ledger : new Map([...merged, ...onlyOther])
}

function mergedEntry(entry: LedgerEntry, other: LedgerEntry | undefined): LedgerEntry {
  if (!other) return entry
  const isAlike = entry.hash === other.hash && isGone(entry) === isGone(other)
  // A lost record keeps its revision if it returns.
  const isLost = entry.isLost === true || other.isLost === true
  const isSame = isAlike || (entry.hash === other.hash && isLost)
  const revision = Math.max(entry.revision, other.revision + (isSame ? 0 : 1))
  const changedAt = Math.max(entry.changedAt, other.changedAt + (isSame ? 0 : tickMs))
  const firstSeenAt = Math.min(entry.firstSeenAt, other.firstSeenAt)
  const appearedAt = earliest(entry.appearedAt, other.appearedAt)
  const publicAt = earliest(entry.publicAt, other.publicAt)
  const lastOnline = entry.lastOnline ?? (isAlike ? other.lastOnline : undefined)
  const changesBefore = entry.changes ?? []
  const changes = mergedChanges(changesBefore, other.changes ?? [])
  const isKnown =
    revision === entry.revision &&
    changedAt === entry.changedAt &&
    firstSeenAt === entry.firstSeenAt &&
    appearedAt === entry.appearedAt &&
    publicAt === entry.publicAt &&
    lastOnline === entry.lastOnline &&
    changes === changesBefore
  if (isKnown) return entry
  const merged = { ...entry, revision, changedAt, firstSeenAt, lastOnline }
  const times = {
    ...(appearedAt === undefined ? {} : { appearedAt }),
    ...(publicAt === undefined ? {} : { publicAt }),
  }
  return entryWith({ ...merged, ...times }, changes)
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

export function hashOf(value: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('base64url')
  // A slice of a string would keep all of it in memory, for each record.
  return Buffer.from(digest).toString('latin1', 0, 22)
}

function isReversible({ isLost, removedAt }: LedgerEntry, now: number): boolean {
  return isLost === true && removedAt !== undefined && now - removedAt <= lossReversibleMs
}

function isGone({ removedAt }: LedgerEntry): boolean {
  return removedAt !== undefined
}

function latestGone(entries: readonly [number, LedgerEntry][]) {
  return entries.toSorted(([, a], [, b]) => goneAt(b) - goneAt(a)).slice(0, maxRemoved)
}

/** Unreadable records do not count as removed. */
function goneAt({ removedAt = Number.MAX_SAFE_INTEGER }: LedgerEntry): number {
  return removedAt
}

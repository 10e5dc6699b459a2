import { createHash } from 'node:crypto'

const dayMs = 24 * 60 * 60 * 1000
const removedKeptMs = 90 * dayMs
const maxRemoved = 5_000

/** What is known of one record beyond what it says of itself. Milliseconds since the epoch. */
export type LedgerEntry = {
  /** Of the record's content. */
  readonly hash: string
  /** 0 when it was first seen, one more with each change, removal and return. */
  readonly revision: number
  readonly firstSeenAt: number
  readonly changedAt: number
  /** Since when it is gone, and the item it was last read from. */
  readonly removed?: { readonly at: number; readonly item: unknown }
}

/** By record id; those removed stay for 90 days. */
export type Ledger = ReadonlyMap<number, LedgerEntry>

/**
 * The ledger after a reading that brought these records, given by the hashes of their content.
 * Records that came but could not be read count as neither changed nor gone.
 */
export function ledgerAfter(
  ledger: Ledger,
  hashes: ReadonlyMap<number, string>,
  options: {
    readonly unreadIds: ReadonlySet<string>
    /** What the records were read from before, by id. */
    readonly itemsBefore: ReadonlyMap<string, unknown>
    readonly now: number
  },
): Ledger {
  const { unreadIds, itemsBefore, now } = options
  const gone = [...ledger].flatMap(([id, entry]): [number, LedgerEntry][] => {
    if (hashes.has(id)) return []
    const stays = entry.removed || unreadIds.has(String(id))
    return [[id, stays ? entry : removedEntry(entry, itemsBefore.get(String(id)), now)]]
  })
  const here = [...hashes].map(([id, hash]): [number, LedgerEntry] => [
    id,
    entryAfter(ledger.get(id), hash, now),
  ])
  return new Map([...withoutOld(gone, now), ...here])
}

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}

function entryAfter(entry: LedgerEntry | undefined, hash: string, now: number): LedgerEntry {
  if (!entry) return { hash, revision: 0, firstSeenAt: now, changedAt: now }
  if (entry.hash === hash && !entry.removed) return entry
  const { revision, firstSeenAt, changedAt } = entry
  return { hash, revision: revision + 1, firstSeenAt, changedAt: Math.max(changedAt, now) }
}

function removedEntry(entry: LedgerEntry, item: unknown, now: number): LedgerEntry {
  const { revision, changedAt } = entry
  return {
    ...entry,
    revision: revision + 1,
    changedAt: Math.max(changedAt, now),
    removed: { at: now, item },
  }
}

function withoutOld(entries: readonly [number, LedgerEntry][], now: number) {
  return entries
    .filter(([, { removed }]) => !removed || removed.at > now - removedKeptMs)
    .toSorted(([, a], [, b]) => (b.removed?.at ?? now) - (a.removed?.at ?? now))
    .slice(0, maxRemoved)
}

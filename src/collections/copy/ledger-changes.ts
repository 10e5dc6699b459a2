import type { RecordFacts } from '../../records/recorded-change.ts'
import { entryWith, type Ledger, type LedgerEntry } from './ledger.ts'
import { changeFrom, changesAfter } from './recorded-changes.ts'

const maxPerCollection = 1_000

/**
 * Adds the changes of a reading to a ledger. A mass loss, the return of lost records, and records
 * that existed before but could not be read are not reported.
 */
export function withChanges(
  ledger: Ledger,
  options: {
    /** The ledger before the reading. */
    readonly before: Ledger
    /** Returns the facts of a record that was Online before or is Online now. */
    readonly factsBefore: (id: number) => RecordFacts | undefined
    readonly factsAfter: (id: number) => RecordFacts | undefined
    /** Returns true for a record that the previous reading contained and could read. */
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

/** Keeps the latest changes of the collection. */
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

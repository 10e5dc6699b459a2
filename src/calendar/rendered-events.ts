import { LRUCache } from 'lru-cache'
import type { EntryStatus } from './calendar-entry.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import { isSameVersion } from './revision.ts'

export type RenderedEvents = ReturnType<typeof createRenderedEvents>

type Versioned = {
  readonly record: { readonly id: number }
  readonly status: EntryStatus
  readonly known: ChangeHistory
}

type Kept = Pick<Versioned, 'status' | 'known'> & { bytes: Buffer }

/**
 * Creates a cache of at most `maxEvents` entries, so that only changed entries are rendered again. It evicts
 * the least recently used variants.
 */
export function createRenderedEvents(maxEvents: number) {
  const variants = new LRUCache<string, ReadonlyMap<number, Kept>>({
    maxSize: maxEvents,
    sizeCalculation: (events) => events.size,
  })

  /** Returns the rendered records, reusing those from the last call for the same variant. */
  function of<T extends Versioned>(
    variant: string,
    records: readonly T[],
    render: (record: T) => Buffer,
  ): readonly Buffer[] {
    const before = variants.get(variant)
    const events = new Map<number, Kept>()
    const made: Kept[] = []
    for (const versioned of records) {
      const { record, status, known } = versioned
      const kept = before?.get(record.id)
      const isKept = kept?.status === status && isSameVersion(kept.known, known)
      const event = isKept ? kept : { status, known, bytes: render(versioned) }
      if (!isKept) made.push(event)
      events.set(record.id, event)
    }
    moveTogether(made)
    if (events.size > 0) variants.set(variant, events)
    else variants.delete(variant)
    return [...events.values()].map(({ bytes }) => bytes)
  }

  return { of }
}

/** Moves bytes to a buffer of their own. Otherwise, each of them may keep 64 KB of Node's pool. */
function moveTogether(events: readonly Kept[]): void {
  const all = Buffer.allocUnsafeSlow(events.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let end = 0
  for (const event of events) {
    const start = end
    end += event.bytes.copy(all, start)
    event.bytes = all.subarray(start, end)
  }
}

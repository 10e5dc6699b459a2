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

type Kept = Pick<Versioned, 'status' | 'known'> & { readonly bytes: Buffer }

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
    for (const versioned of records) {
      const { record, status, known } = versioned
      const kept = before?.get(record.id)
      const isKept = kept?.status === status && isSameVersion(kept.known, known)
      // At first, all entries fill Node's pool of buffers. Later, each one would keep 64 KB of the pool.
      const made = () => (before ? unpooled(render(versioned)) : render(versioned))
      events.set(record.id, isKept ? kept : { status, known, bytes: made() })
    }
    if (events.size > 0) variants.set(variant, events)
    else variants.delete(variant)
    return [...events.values()].map(({ bytes }) => bytes)
  }

  return { of }
}

function unpooled(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer)
}

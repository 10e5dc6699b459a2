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

/** Entry with the position of its bytes in its variant. */
type Kept = Pick<Versioned, 'status' | 'known'> & { readonly start: number; readonly end: number }

/** A buffer for each entry would take more memory than its bytes. */
type Variant = { readonly bytes: Buffer; readonly events: ReadonlyMap<number, Kept> }

/**
 * Creates a cache of at most `maxEvents` entries, so that only changed entries are rendered again. It evicts
 * the least recently used variants.
 */
export function createRenderedEvents(maxEvents: number) {
  const variants = new LRUCache<string, Variant>({
    maxSize: maxEvents,
    sizeCalculation: ({ events }) => events.size,
  })

  /** Returns the rendered records, reusing those from the last call for the same variant. */
  function of<T extends Versioned>(
    variant: string,
    records: readonly T[],
    render: (record: T) => Buffer,
  ): readonly Buffer[] {
    const before = variants.get(variant)
    const events = records.map((versioned) => {
      const kept = before?.events.get(versioned.record.id)
      const { status, known } = versioned
      const isKept = before && kept?.status === status && isSameVersion(kept.known, known)
      return isKept ? before.bytes.subarray(kept.start, kept.end) : render(versioned)
    })
    if (events.length > 0) variants.set(variant, variantOf(records, events))
    else variants.delete(variant)
    return events
  }

  return { of }
}

/** Copies the bytes to a buffer of their own. Otherwise, each of them may keep 64 KB of Node's pool. */
function variantOf(records: readonly Versioned[], rendered: readonly Buffer[]): Variant {
  const bytes = Buffer.allocUnsafeSlow(rendered.reduce((sum, { length }) => sum + length, 0))
  const events = new Map<number, Kept>()
  let end = 0
  rendered.forEach((each, index) => {
    const versioned = records[index]
    const start = end
    end += each.copy(bytes, start)
    if (!versioned) return
    const { record, status, known } = versioned
    events.set(record.id, { status, known, start, end })
  })
  return { bytes, events }
}

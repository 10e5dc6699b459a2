import { LRUCache } from 'lru-cache'
import type { EntryStatus } from './calendar-entry.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'

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
 * Smaller calendars are rendered completely, which takes 40 µs per entry. With hundreds of sites,
 * their rendered entries would take a fifth of the memory.
 */
export const minCachedEvents = 500

/**
 * Cache of at most `maxEvents` rendered entries of large calendars. Evicts the least recently used
 * variants.
 */
export function createRenderedEvents(maxEvents: number, minEvents = minCachedEvents) {
  const variants = new LRUCache<string, Variant>({
    maxSize: maxEvents,
    sizeCalculation: ({ events }) => events.size,
  })

  /**
   * Returns the rendered records, reusing those from the last call for the same variant. With
   * `isPart`, the records are only some of the variant's, whose cache does not change.
   */
  return function renderedFor<T extends Versioned>(
    variant: string,
    records: readonly T[],
    render: (record: T) => Buffer,
    { isPart = false } = {},
  ): readonly Buffer[] {
    const before = variants.get(variant)
    const events = records.map((versioned) => {
      const { record, status, known } = versioned
      const kept = before?.events.get(record.id)
      const isKept = before && kept?.status === status && isSameVersion(kept.known, known)
      const bytes = isKept ? before.bytes.subarray(kept.start, kept.end) : render(versioned)
      return { id: record.id, version: { status, known }, bytes }
    })
    if (isPart) return events.map(({ bytes }) => bytes)
    if (events.length < minEvents) {
      variants.delete(variant)
      return events.map(({ bytes }) => bytes)
    }
    // Copies the bytes, because each entry may keep 64 KB of Node's pool in memory.
    const all = Buffer.allocUnsafeSlow(events.reduce((sum, { bytes }) => sum + bytes.length, 0))
    let end = 0
    const kept = events.map(({ id, version, bytes }) => {
      const start = end
      end += bytes.copy(all, start)
      return [id, { ...version, start, end }] as const
    })
    variants.set(variant, { bytes: all, events: new Map(kept) })
    return events.map(({ bytes }) => bytes)
  }
}

/** Returns true if both histories describe the same version of a record. */
function isSameVersion(a: ChangeHistory, b: ChangeHistory): boolean {
  return (
    a.hash === b.hash &&
    a.revision === b.revision &&
    a.firstSeenAt === b.firstSeenAt &&
    a.changedAt === b.changedAt &&
    a.saidAt === b.saidAt
  )
}

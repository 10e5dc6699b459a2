import type { EntryStatus } from './calendar-entry.ts'
import { isSameVersion, type KnownChanges } from './revision.ts'

/** Entries that were rendered before, so that only what has changed is rendered again. */
export type RenderedEvents = {
  /** These records, rendered where they are not known from the last time for the same variant. */
  readonly of: <T extends Versioned>(
    variant: string,
    records: readonly T[],
    render: (record: T) => Buffer,
  ) => readonly Buffer[]
}

type Versioned = {
  readonly record: { readonly id: number }
  readonly status: EntryStatus
  readonly known: KnownChanges
}

type Kept = Pick<Versioned, 'status' | 'known'> & { readonly bytes: Buffer }

/** Keeps at most so many, of the variants that were used last; always those of the last one. */
export function createRenderedEvents(maxEvents: number): RenderedEvents {
  const variants = new Map<string, ReadonlyMap<number, Kept>>()

  function keep(variant: string, events: ReadonlyMap<number, Kept>): void {
    variants.delete(variant)
    variants.set(variant, events)
    let count = variants.values().reduce((sum, { size }) => sum + size, 0)
    for (const [oldest, { size }] of variants) {
      if (count <= maxEvents || oldest === variant) return
      variants.delete(oldest)
      count -= size
    }
  }

  return {
    of(variant, records, render) {
      const before = variants.get(variant)
      const events = new Map<number, Kept>()
      for (const versioned of records) {
        const { record, status, known } = versioned
        const kept = before?.get(record.id)
        const isKept = kept?.status === status && isSameVersion(kept.known, known)
        events.set(record.id, isKept ? kept : { status, known, bytes: render(versioned) })
      }
      keep(variant, events)
      return [...events.values()].map(({ bytes }) => bytes)
    },
  }
}

import type { Collection } from '../collections/collection.ts'
import { sizeOf, type Representation } from './representation.ts'
import type { RenderTask } from './render-queue.ts'
import type { Target } from './target.ts'

/** Memory overhead per entry. */
const entryBytes = 4 * 1024

/** The cache slot of a target. */
export type CacheEntry = {
  readonly target: Target
  /** True if it is kept and rebuilt without being requested. */
  isPinned: boolean
  /** Last request, in milliseconds since the epoch. */
  usedAt: number
  made: Made | undefined
  rendering: RenderTask | undefined
  /** Last failure to render, and the records it used. */
  failed:
    | {
        readonly at: number
        readonly ledger: Collection['ledger']
        readonly consecutiveFailures: number
      }
    | undefined
}

export type Made = {
  readonly representation: Representation
  /** Ledger of the collection it was rendered from; each version of the records has its own. */
  readonly ledger: Collection['ledger']
  /** Milliseconds since the epoch; `validUntil` is infinite if it does not depend on the clock. */
  readonly madeAt: number
  readonly validUntil: number
}

/** Cached representations, bounded by bytes. */
export type RepresentationCache = {
  readonly entries: () => Iterable<CacheEntry>
  readonly find: (name: string) => CacheEntry | undefined
  readonly entryFor: (target: Target) => CacheEntry
  /** Pins these targets and unpins all others. */
  readonly pin: (targets: readonly Target[]) => void
  /** Stores a representation; evicts the least recently used if needed. */
  readonly put: (entry: CacheEntry, made: Made) => void
  readonly forget: (entry: CacheEntry) => void
  readonly bytes: () => number
}

/** LRU by bytes; pinned entries stay. */
export function createRepresentationCache(maxBytes: number): RepresentationCache {
  const entries = new Map<string, CacheEntry>()
  let bytes = 0

  function add(target: Target): CacheEntry {
    const entry: CacheEntry = {
      target,
      isPinned: false,
      usedAt: -Infinity,
      made: undefined,
      rendering: undefined,
      failed: undefined,
    }
    entries.set(target.name, entry)
    bytes += entryBytes
    return entry
  }

  const entryFor = (target: Target) => entries.get(target.name) ?? add(target)

  function forget(entry: CacheEntry): void {
    if (!entries.delete(entry.target.name)) return
    bytes -= entryBytes + bytesOf(entry)
  }

  function makeRoom(newest: CacheEntry): void {
    if (bytes <= maxBytes) return
    const oldestFirst = [...entries.values()]
      .filter((entry) => !entry.isPinned && !entry.rendering && entry !== newest)
      .sort((a, b) => a.usedAt - b.usedAt)
    for (const entry of oldestFirst) {
      if (bytes <= maxBytes) return
      forget(entry)
    }
  }

  return {
    entries: () => entries.values(),
    find: (name) => entries.get(name),
    entryFor,
    pin(targets) {
      const pinned = new Set(targets.map(entryFor))
      for (const entry of entries.values()) entry.isPinned = pinned.has(entry)
    },
    put(entry, made) {
      const sizeBefore = bytesOf(entry)
      entry.made = made
      // A forgotten entry is still delivered to its waiters, without being cached.
      if (entries.get(entry.target.name) !== entry) return
      bytes += bytesOf(entry) - sizeBefore
      makeRoom(entry)
    },
    forget,
    bytes: () => bytes,
  }
}

function bytesOf({ made }: CacheEntry): number {
  return made ? sizeOf(made.representation) : 0
}

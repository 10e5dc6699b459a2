import { newState, type RenderState } from './render-state.ts'
import { sizeOf } from './representation.ts'
import type { Target } from './target.ts'

/** Memory overhead per entry. */
const entryBytes = 4 * 1024

/** The cache slot of a target. */
export type CacheEntry = {
  readonly target: Target
  /** True if the entry is never evicted and is rebuilt without a request. */
  isPinned: boolean
  /** Last request, in milliseconds since the epoch. */
  usedAt: number
  /** Changed only by `put`. */
  state: RenderState
}

/** Cached representations, bounded by bytes. */
export type RepresentationCache = {
  readonly entries: () => Iterable<CacheEntry>
  readonly find: (name: string) => CacheEntry | undefined
  readonly entryFor: (target: Target) => CacheEntry
  /** Pins these targets and unpins all others. */
  readonly pin: (targets: readonly Target[]) => void
  /** Stores the next state; evicts the least recently used entries if needed. */
  readonly put: (entry: CacheEntry, state: RenderState) => void
  readonly forget: (entry: CacheEntry) => void
  readonly bytes: () => number
}

/**
 * Creates an LRU cache bounded by bytes. Unlike `LRUCache`, it never evicts pinned or pending entries.
 */
export function createRepresentationCache(maxBytes: number): RepresentationCache {
  const entries = new Map<string, CacheEntry>()
  let bytes = 0

  function add(target: Target): CacheEntry {
    const entry: CacheEntry = { target, isPinned: false, usedAt: -Infinity, state: newState }
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
      .filter((entry) => !entry.isPinned && entry.state.kind !== 'pending' && entry !== newest)
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
    put(entry, state) {
      const sizeBefore = bytesOf(entry)
      entry.state = state
      // An evicted entry is still delivered to its waiters, without being cached.
      if (entries.get(entry.target.name) !== entry) return
      bytes += bytesOf(entry) - sizeBefore
      makeRoom(entry)
    },
    forget,
    bytes: () => bytes,
  }
}

function bytesOf({ state: { latest } }: CacheEntry): number {
  return latest ? sizeOf(latest.representation) : 0
}

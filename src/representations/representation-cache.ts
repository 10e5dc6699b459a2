import { newState, type RenderState } from './render-state.ts'
import { sizeOf } from './encoded-body.ts'
import type { Target } from './target.ts'

/** Memory overhead per entry. */
const entryBytes = 4 * 1024

/** A cache entry for a target. */
export type CacheEntry = {
  readonly target: Target
  /** True if the entry is never evicted, and is rebuilt even if no client requests it. */
  isPinned: boolean
  /** Last request, in milliseconds since the epoch. */
  usedAt: number
  /** Changed only by `put`. */
  state: RenderState
}

/** Cache of representations, with a size limit in bytes. */
export type RepresentationCache = {
  readonly entries: () => Iterable<CacheEntry>
  readonly find: (name: string) => CacheEntry | undefined
  readonly entryFor: (target: Target) => CacheEntry
  /** Pins these targets and unpins the rest. */
  readonly pin: (targets: readonly Target[]) => void
  /** Stores the next state; evicts the least recently used entries if needed. */
  readonly put: (entry: CacheEntry, state: RenderState) => void
  readonly forget: (entry: CacheEntry) => void
  readonly bytes: () => number
}

/**
 * Creates an LRU cache with a size limit in bytes. Unlike `LRUCache`, it never evicts pinned or pending
 * entries.
 */
export function createRepresentationCache(
  maxBytes: number,
  /** Called when a target's latest rendering is replaced or evicted. */
  onChange: (target: Target) => void,
): RepresentationCache {
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
    if (entry.state.latest) onChange(entry.target)
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
      const { latest } = entry.state
      entry.state = state
      // The callers waiting for an evicted entry still get it, but it is not cached.
      if (entries.get(entry.target.name) !== entry) return
      bytes += bytesOf(entry) - sizeBefore
      makeRoom(entry)
      if (state.latest !== latest) onChange(entry.target)
    },
    forget,
    bytes: () => bytes,
  }
}

function bytesOf({ state: { latest } }: CacheEntry): number {
  return latest ? sizeOf(latest.representation.encodings) : 0
}

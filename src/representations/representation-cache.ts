import type { Collection } from '../collections/collection.ts'
import { sizeOf, type Representation } from './representation.ts'
import type { RenderTask } from './render-queue.ts'
import type { Target } from './target.ts'

/** What a slot takes beside the bytes of its representation. */
const entryBytes = 4 * 1024

/** The place of a target's representation. */
export type CacheEntry = {
  readonly target: Target
  /** Whether it is kept, and made anew, also when nobody asks. */
  isPinned: boolean
  /** When somebody last asked. Milliseconds since the epoch. */
  usedAt: number
  made: Made | undefined
  rendering: RenderTask | undefined
  /** When it could not be made, and of what. */
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
  /** Of the collection that it was made of: another state of it has another ledger. */
  readonly ledger: Collection['ledger']
  /** Milliseconds since the epoch; `validUntil` is infinite where the clock changes nothing. */
  readonly madeAt: number
  readonly validUntil: number
}

/** The representations that are kept, bounded by their bytes. */
export type RepresentationCache = {
  readonly entries: () => Iterable<CacheEntry>
  readonly find: (name: string) => CacheEntry | undefined
  readonly entryFor: (target: Target) => CacheEntry
  /** Keeps these, and no others, whoever asks for them. */
  readonly pin: (targets: readonly Target[]) => void
  /** Makes room for it, where needed, by what was not asked for the longest. */
  readonly put: (entry: CacheEntry, made: Made) => void
  readonly forget: (entry: CacheEntry) => void
  readonly bytes: () => number
}

/** With options there are more than can be kept; those used last are, within `maxBytes`. */
export function createRepresentationCache(maxBytes: number): RepresentationCache {
  const entries = new Map<string, CacheEntry>()
  let bytes = 0

  function add(target: Target): CacheEntry {
    const entry: CacheEntry = {
      ...{ target, isPinned: false, usedAt: -Infinity },
      ...{ made: undefined, rendering: undefined, failed: undefined },
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
      // Whoever waits for it gets it, also when it was forgotten while it was made.
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

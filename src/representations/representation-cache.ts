import pLimit from 'p-limit'
import type { Logger } from '../log.ts'
import { sizeOf, withBrotli, type Representation } from './encodings.ts'
import { retryDelayMs } from '../clock.ts'
import type { RenderTask } from './render-queue.ts'
import { areSameLedgers, type Ledgers, type Target } from './target.ts'

/** Memory overhead per entry. */
const entryBytes = 4 * 1024

/** Compresses for all sites, one job at a time, since DNS lookups and file access share the thread pool. */
const compressInTurn = pLimit(1)

export type CacheEntry = {
  readonly target: Target
  /** True if the entry is never evicted, and is rebuilt even if no client requests it. */
  isPinned: boolean
  /** Last request, in milliseconds since the epoch. */
  usedAt: number
  /** Last request from a client that accepts brotli. */
  brotliUsedAt: number
  /** Changed only by `put`. */
  state: RenderState
}

/** Called when a target's latest rendering is replaced or evicted. */
export type ChangeListener = (target: Target, change: { readonly isEvicted: boolean }) => void

export type RepresentationCache = {
  readonly entries: () => IterableIterator<CacheEntry>
  readonly find: (name: string) => CacheEntry | undefined
  readonly entryFor: (target: Target) => CacheEntry
  /** Pins these targets and unpins the rest. */
  readonly pin: (targets: readonly Target[]) => void
  /** Stores the next state, and evicts the least recently used entries if needed. */
  readonly put: (entry: CacheEntry, state: RenderState) => void
  readonly forget: (entry: CacheEntry) => void
  readonly bytes: () => number
}

/** LRU cache with a byte limit that, unlike `LRUCache`, never evicts pinned or pending entries. */
export function createRepresentationCache(
  maxBytes: number,
  onChange: ChangeListener,
): RepresentationCache {
  const entries = new Map<string, CacheEntry>()
  let bytes = 0

  function add(target: Target): CacheEntry {
    const unused = { isPinned: false, usedAt: -Infinity, brotliUsedAt: -Infinity }
    const entry: CacheEntry = { target, ...unused, state: {} }
    entries.set(target.name, entry)
    bytes += entryBytes
    return entry
  }

  const entryFor = (target: Target) => entries.get(target.name) ?? add(target)

  function forget(entry: CacheEntry): void {
    if (!entries.delete(entry.target.name)) return
    bytes -= entryBytes + bytesOf(entry)
    if (entry.state.latest) onChange(entry.target, { isEvicted: true })
  }

  function makeRoom(newest: CacheEntry): void {
    if (bytes <= maxBytes) return
    // Searches are evicted first, because anybody can request any number of them.
    const inOrder = [...entries.values()]
      .filter((entry) => !entry.isPinned && !entry.state.task && entry !== newest)
      .sort((a, b) => Number(isSearch(b)) - Number(isSearch(a)) || a.usedAt - b.usedAt)
    for (const entry of inOrder) {
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
      if (state.latest !== latest) onChange(entry.target, { isEvicted: false })
    },
    forget,
    bytes: () => bytes,
  }
}

const isSearch = ({ target }: CacheEntry) => target.chosen.hasText === true

function bytesOf({ state: { latest } }: CacheEntry): number {
  return latest ? sizeOf(latest.representation.encodings) : 0
}

/** Adds brotli, the slowest encoding, to representations, until aborted. */
export function createBackgroundCompression(
  cache: RepresentationCache,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
) {
  const tried = new WeakSet<Representation>()
  let compressing = Promise.resolve()

  async function compress(entry: CacheEntry, representation: Representation): Promise<void> {
    if (signal.aborted || entry.state.latest?.representation !== representation) return
    try {
      const compressed = await withBrotli(representation)
      tried.add(compressed)
      const { latest } = entry.state
      if (latest?.representation !== representation) return
      cache.put(entry, { ...entry.state, latest: { ...latest, representation: compressed } })
    } catch (error) {
      log.error({ err: error, feed: entry.target.name }, 'a feed could not be compressed')
    }
  }

  return {
    /** Compresses the latest representation later, unless that was tried before. */
    add(entry: CacheEntry) {
      const representation = entry.state.latest?.representation
      if (!representation || tried.has(representation)) return
      tried.add(representation)
      void compressInTurn(() => (compressing = compress(entry, representation)))
    },
    /** If aborted, resolves once nothing is being compressed anymore. */
    done: () => compressing,
  }
}

/**
 * Retry intervals after a failed rendering, unless the records change first. The interval grows
 * with each failure, because every attempt delays other feeds.
 */
const retry = { initialMs: 60_000, maxMs: 60 * 60_000 }

export type Rendered = {
  readonly representation: Representation
  /** Ledgers of the rendered collections. They identify the version of the records. */
  readonly ledgers: Ledgers
  /** In milliseconds since the epoch. `validUntil` is infinite if the time does not matter. */
  readonly madeAt: number
  readonly validUntil: number
}

/** A failed rendering, with its time in milliseconds since the epoch and the ledgers of its records. */
type Failure = {
  readonly at: number
  readonly ledgers: Ledgers
  readonly consecutiveFailures: number
}

export type RenderState = {
  readonly latest?: Rendered | undefined
  /** Set while the target is being rendered. */
  readonly task?: RenderTask
  /** Set if the last completed rendering failed. */
  readonly failure?: Failure
}

/** Returns the state after a failed rendering. Counts consecutive failures with the same records. */
export function failRendering(
  { latest, failure: before }: RenderState,
  { at, ledgers }: Pick<Failure, 'at' | 'ledgers'>,
): RenderState {
  const isSame = before !== undefined && areSameLedgers(before.ledgers, ledgers)
  const consecutiveFailures = isSame ? before.consecutiveFailures + 1 : 1
  return { latest, failure: { at, ledgers, consecutiveFailures } }
}

/** State of a rendering, compared with the current records and time. */
type Freshness = 'fresh' | 'outdated' | 'pending' | 'cooling down'

/** Returns `cooling down` after a recent failure with the same records. */
export function freshnessOf(
  { latest, task, failure }: RenderState,
  { ledgers, now }: { readonly ledgers: Ledgers; readonly now: number },
): Freshness {
  if (task) return 'pending'
  if (latest && areSameLedgers(latest.ledgers, ledgers) && now < latest.validUntil) return 'fresh'
  if (!failure || !areSameLedgers(failure.ledgers, ledgers)) return 'outdated'
  const retryAt = failure.at + retryDelayMs(retry, failure.consecutiveFailures)
  return now < retryAt ? 'cooling down' : 'outdated'
}

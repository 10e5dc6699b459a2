import { withTimeout } from '../clock.ts'
import type { CollectionReader } from '../collections/collections.ts'
import { createRendering, type RenderingOptions } from './rendering.ts'
import { RenderingBusy } from './render-queue.ts'
import {
  createRepresentationCache,
  freshnessOf,
  type CacheEntry,
  type ChangeListener,
  type Rendered,
  type RepresentationCache,
} from './representation-cache.ts'
import type { Representation } from './encodings.ts'
import { ledgersOf, readCopies, type Target } from './target.ts'

/** Maximum number of searches kept for each feed and profile. Others are rendered for each request. */
export const maxSearches = 30

/** How long disposal waits for the current rendering to finish. */
const stopGraceMs = 3_000

export type Representations = AsyncDisposable & {
  /** Returns the latest rendering, even if it is outdated. */
  readonly rendered: (target: Target) => Rendered | undefined
  readonly onChange: (listener: ChangeListener) => void
  /** Returns true if the target was requested before and is still cached. */
  readonly isKnown: (target: Target) => boolean
  /**
   * Returns the cached representation, or renders it. Rejects with `CollectionUnavailable` if there is no
   * copy of the records, and with `RenderingBusy` if too many requests are waiting. Networks take
   * turns.
   */
  readonly get: (target: Target, network?: string) => Promise<Representation>
  /** Records that a client accepts brotli. The feed is compressed now and after each change. */
  readonly useBrotli: (target: Target) => void
  /** Renders these targets in advance and pins them. Unpins the rest. */
  readonly keepReady: (targets: readonly Target[]) => void
  /** Starts to rebuild outdated feeds in the background, until disposal. */
  readonly start: () => void
  readonly kept: () => KeptRepresentations
}

/** Representations in memory, and their total size in bytes. */
export type KeptRepresentations = {
  readonly count: number
  readonly bytes: number
  readonly pinned: readonly (Rendered & { readonly target: Target })[]
}

/** Renders targets once for all clients, and keeps the representations of those in use up to date. */
export function createRepresentations(
  collections: CollectionReader,
  options: RenderingOptions & {
    /** Size limit of the cache in bytes. Pinned entries are never evicted, even above this limit. */
    readonly maxBytes: number
  },
): Representations {
  const { clock, maxBytes } = options
  const listeners: ChangeListener[] = []
  const cache = createRepresentationCache(maxBytes, (target, change) => {
    for (const listener of listeners) listener(target, change)
  })
  const rendering = createRendering(collections, cache, options)

  async function currentRepresentation(
    entry: CacheEntry,
    network: string,
  ): Promise<Representation> {
    const { target } = entry
    entry.usedAt = clock.now()
    const ledgers = ledgersOf(await readCopies(target, collections))
    const { latest } = entry.state
    const now = clock.now()
    const freshness = freshnessOf(entry.state, { ledgers, now })
    if (latest && (now < latest.validUntil || freshness === 'cooling down')) {
      return latest.representation
    }
    if (freshness !== 'pending' && rendering.isBusy(network)) {
      if (!latest) cache.forget(entry)
      throw new RenderingBusy()
    }
    const { done, prioritize } = rendering.renderOnce(entry)
    prioritize(network)
    try {
      await done
    } catch (error) {
      // Serve the last good representation instead.
      if (!entry.state.latest) throw error
      rendering.logFailure(target, error)
    }
    const rendered = entry.state.latest
    if (!rendered) throw new TypeError(`${target.name} was rendered but is missing`)
    return rendered.representation
  }

  return {
    rendered: ({ name }) => cache.find(name)?.state.latest,
    onChange: (listener) => void listeners.push(listener),
    isKnown: ({ name }) => cache.find(name) !== undefined,
    async get(target, network = '') {
      const isNew = cache.find(target.name) === undefined
      const entry = cache.entryFor(target)
      try {
        return await currentRepresentation(entry, network)
      } finally {
        if (isNew) limitSearches(cache, entry)
      }
    },
    useBrotli({ name }) {
      const entry = cache.find(name)
      if (entry) rendering.useBrotli(entry)
    },
    keepReady(targets) {
      cache.pin(targets)
      rendering.refresh()
    },
    start: rendering.start,
    kept() {
      const entries = [...cache.entries()]
      const pinned = entries.flatMap(({ isPinned, target, state: { latest } }) =>
        isPinned && latest ? [{ target, ...latest }] : [],
      )
      return { count: entries.length, bytes: cache.bytes(), pinned }
    },
    [Symbol.asyncDispose]: () =>
      withTimeout(rendering[Symbol.asyncDispose](), stopGraceMs, () => undefined),
  }
}

/** Drops a new search if its feed has too many. */
function limitSearches(cache: RepresentationCache, newest: CacheEntry): void {
  const { feed, profile, chosen } = newest.target
  if (!chosen.hasText) return
  const others = [...cache.entries()].filter(
    ({ target }) => target.chosen.hasText && target.feed === feed && target.profile === profile,
  )
  if (others.length > maxSearches) cache.forget(newest)
}

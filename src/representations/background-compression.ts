import type { Logger } from '../log.ts'
import { reencode } from './render-state.ts'
import { withBrotli, type Representation } from './representation.ts'
import type { CacheEntry, RepresentationCache } from './representation-cache.ts'

/** Adds brotli, the slowest encoding, to the representations that clients request. */
export type BackgroundCompression = {
  /** Compresses the latest representation later, unless that was tried before. */
  readonly add: (entry: CacheEntry) => void
  /** Resolves once everything that was added has been compressed. */
  readonly done: () => Promise<void>
}

/** Compresses one representation at a time, until aborted. */
export function createBackgroundCompression(
  cache: RepresentationCache,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): BackgroundCompression {
  const tried = new WeakSet<Representation>()
  let compressing = Promise.resolve()

  async function compress(entry: CacheEntry, representation: Representation): Promise<void> {
    const isShown = () => entry.state.latest?.representation === representation
    if (signal.aborted || !isShown()) return
    try {
      const compressed = await withBrotli(representation)
      tried.add(compressed)
      if (isShown()) cache.put(entry, reencode(entry.state, representation, compressed))
    } catch (error) {
      log.error({ err: error, feed: entry.target.name }, 'a feed could not be compressed')
    }
  }

  return {
    add(entry) {
      const representation = entry.state.latest?.representation
      if (!representation || tried.has(representation)) return
      tried.add(representation)
      compressing = compressing.then(() => compress(entry, representation))
    },
    done: () => compressing,
  }
}

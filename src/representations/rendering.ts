import { every, type Clock } from '../clock.ts'
import type { CollectionReader } from '../collections/collections.ts'
import type { Collection } from '../collections/collection.ts'
import type { Feed } from '../feeds/feed.ts'
import type { DuplicatesFor } from '../feeds/duplicates.ts'
import { prepareSearch } from '../feeds/prepare-search.ts'
import type { Logger } from '../log.ts'
import { createRenderQueue, yieldToRequests, type RenderTask } from './render-queue.ts'
import { renderTarget, type FeedAppearance } from './render-target.ts'
import {
  createBackgroundCompression,
  failRendering,
  freshnessOf,
  type CacheEntry,
  type RepresentationCache,
} from './representation-cache.ts'
import {
  areSameLedgers,
  copiesOf,
  ledgersOf,
  resourcesOf,
  type SourceCopies,
  type Target,
} from './target.ts'

/** How often to check for feeds that are outdated because time has passed. */
const pollIntervalMs = 5_000

/** Feeds unused for this long are rebuilt only on request. */
const inUseMs = 60 * 60 * 1000

/** A search unused for this long is no longer kept. */
const searchKeptMs = 24 * 60 * 60 * 1000

export type RenderingOptions = FeedAppearance & {
  readonly diagnostics: { readonly report: (feed: Feed, collection: Collection) => unknown }
  readonly duplicatesFor: DuplicatesFor
  readonly clock: Clock
  readonly log: Logger
  /** Waits before each rendering, so that pending requests go first. */
  readonly takeTurn?: typeof yieldToRequests
}

export type Rendering = AsyncDisposable & {
  /** Renders an entry, unless it is being rendered or waiting for that. */
  readonly renderOnce: (entry: CacheEntry) => RenderTask
  /** True if too many requests are waiting and one of them is from this network. */
  readonly isBusy: (network: string) => boolean
  readonly useBrotli: (entry: CacheEntry) => void
  /** Rebuilds all outdated entries that are in use. */
  readonly refresh: () => void
  /** Starts to rebuild outdated entries in the background, until disposal. */
  readonly start: () => void
  readonly logFailure: (target: Target, error: unknown) => void
}

/** Renders the entries of a cache, one at a time, and again when they are outdated. */
export function createRendering(
  collections: CollectionReader,
  cache: RepresentationCache,
  options: RenderingOptions,
): Rendering {
  const { renderers, diagnostics, duplicatesFor, presentationChangedAt, clock, log } = options
  const { takeTurn = yieldToRequests } = options
  const stopping = new AbortController()
  const queue = createRenderQueue()
  const compression = createBackgroundCompression(cache, { signal: stopping.signal, log })
  let polling = Promise.resolve()

  async function render(entry: CacheEntry, waiters: ReadonlySet<string>): Promise<void> {
    const { target } = entry
    const latest = copiesOf(target, collections)
    try {
      if (target.chosen.hasText) await prepareSearches(target, latest, options)
      await takeTurn(waiters)
      // They can only be in several feeds.
      const groups = target.sources.length > 1 ? await duplicatesFor(target.profile) : []
      const given = { copies: latest, previous: entry.state.latest }
      const when = { presentationChangedAt, now: clock.now(), takeTurn: () => takeTurn(waiters) }
      const context = { renderers, duplicates: () => groups, ...when }
      const rendered = await renderTarget(target, given, context)
      cache.put(entry, { latest: rendered })
      if (clock.now() < entry.brotliUsedAt + inUseMs) compression.add(entry)
      for (const { feed, source } of latest.sources) diagnostics.report(feed, source)
    } catch (error) {
      const failure = { at: clock.now(), ledgers: ledgersOf(latest) }
      cache.put(entry, failRendering(entry.state, failure))
      throw error
    } finally {
      // The records may have changed in the meantime.
      const current = ledgersOf(copiesOf(entry.target, collections))
      if (!areSameLedgers(ledgersOf(latest), current)) refreshEntry(entry)
    }
  }

  function renderOnce(entry: CacheEntry): RenderTask {
    if (entry.state.task) return entry.state.task
    const task = queue.add((waiters) => render(entry, waiters))
    cache.put(entry, { ...entry.state, task })
    return task
  }

  function logFailure({ name }: Target, error: unknown): void {
    if (stopping.signal.aborted) return
    log.error({ err: error, feed: name }, 'a feed could not be rendered')
  }

  /** Rebuilds an outdated entry, unless it has not been used recently. */
  function refreshEntry(entry: CacheEntry): void {
    const { state, target, isPinned, usedAt } = entry
    const now = clock.now()
    const ledgers = ledgersOf(copiesOf(target, collections))
    // Only requests that have waited for the missing records get a feed without them.
    const isWaiting = !state.latest && ledgers.length < resourcesOf(target).length
    if (stopping.signal.aborted || isWaiting) return
    if (freshnessOf(state, { ledgers, now }) !== 'outdated') return
    if (!isPinned && now >= usedAt + inUseMs) return cache.forget(entry)
    renderOnce(entry).done.catch((error: unknown) => logFailure(target, error))
  }

  function refresh(): void {
    for (const entry of cache.entries()) refreshEntry(entry)
  }

  /** Like `refresh`, but skips entries that only new records can make outdated. */
  function pollTime(): void {
    for (const entry of cache.entries()) {
      if (isUnusedSearch(entry, clock.now())) {
        cache.forget(entry)
        continue
      }
      const { latest, failure } = entry.state
      if (!latest || failure || clock.now() >= latest.validUntil) refreshEntry(entry)
    }
  }

  return {
    renderOnce,
    isBusy: queue.isBusy,
    useBrotli(entry) {
      entry.brotliUsedAt = clock.now()
      compression.add(entry)
    },
    refresh,
    start() {
      collections.onChange(refresh)
      polling = every(clock, pollIntervalMs, stopping.signal, pollTime)
    },
    logFailure,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await polling
      await queue[Symbol.asyncDispose]()
      await compression.done()
    },
  }
}

async function prepareSearches(
  { profile, format, language }: Target,
  { sources }: SourceCopies,
  { renderers, clock }: RenderingOptions,
): Promise<void> {
  const { site } = renderers.inLanguage(language)
  for (const { feed, source } of sources) {
    await prepareSearch(feed, source, { site, profile, format, now: clock.now() })
  }
}

function isUnusedSearch({ target, usedAt }: CacheEntry, now: number): boolean {
  return target.chosen.hasText === true && now >= usedAt + searchKeptMs
}

import { every, withTimeout, type Clock } from '../clock.ts'
import type { CollectionReader } from '../collections/collections.ts'
import type { DuplicatesFor } from '../feeds/duplicates.ts'
import { prepareSearch } from '../feeds/prepare-search.ts'
import type { Logger } from '../log.ts'
import type { FeedDiagnostics } from './feed-diagnostics.ts'
import { renderTarget, type FeedAppearance } from './render-target.ts'
import {
  createBackgroundCompression,
  createRepresentationCache,
  type CacheEntry,
  type ChangeListener,
  failRendering,
  freshnessOf,
} from './representation-cache.ts'
import {
  createRenderQueue,
  RenderingBusy,
  yieldToRequests,
  type RenderTask,
} from './render-queue.ts'
import type { Representation } from './representation.ts'
import {
  areSameLedgers,
  copiesOf,
  ledgersOf,
  readCopies,
  type SourceCopies,
  resourcesOf,
  type Target,
} from './target.ts'

/** How often to check for feeds that are outdated because time has passed. */
const pollIntervalMs = 5_000

/** Feeds unused for this long are rebuilt only on request. */
const inUseMs = 60 * 60 * 1000

/** A search unused for this long is no longer kept. */
const searchKeptMs = 24 * 60 * 60 * 1000

/** Maximum number of searches kept for each feed and profile. Others are rendered for each request. */
export const maxSearches = 30

/** How long disposal waits for the current rendering to finish. */
const stopGraceMs = 3_000

export type Representations = ReturnType<typeof createRepresentations>

/** Renders targets once for all clients, and keeps the representations of those in use up to date. */
export function createRepresentations(
  collections: CollectionReader,
  options: FeedAppearance & {
    readonly diagnostics: Pick<FeedDiagnostics, 'report'>
    readonly duplicatesFor: DuplicatesFor
    /** Size limit of the cache in bytes. Pinned entries are never evicted, even above this limit. */
    readonly maxBytes: number
    readonly clock: Clock
    readonly log: Logger
    /** Waits before each rendering, so that pending requests go first. */
    readonly takeTurn?: typeof yieldToRequests
  },
) {
  const { renderers, diagnostics, duplicatesFor, presentationChangedAt, clock, log } = options
  const { takeTurn = yieldToRequests } = options
  const stopping = new AbortController()
  const listeners: ChangeListener[] = []
  const cache = createRepresentationCache(options.maxBytes, (target, change) => {
    for (const listener of listeners) listener(target, change)
  })
  const queue = createRenderQueue()
  const compression = createBackgroundCompression(cache, { signal: stopping.signal, log })
  let polling = Promise.resolve()

  async function render(entry: CacheEntry, waiters: ReadonlySet<string>): Promise<void> {
    const { target } = entry
    const latest = copiesOf(target, collections)
    try {
      if (target.chosen.hasText) await prepareSearches(target, latest)
      await takeTurn(waiters)
      const duplicates = () => duplicatesFor(target.profile)
      const given = { copies: latest, previous: entry.state.latest }
      const context = { renderers, duplicates, presentationChangedAt, now: clock.now() }
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

  async function prepareSearches(target: Target, { sources }: SourceCopies): Promise<void> {
    const { profile, format, language } = target
    const { site } = renderers.inLanguage(language)
    for (const { feed, source } of sources) {
      await prepareSearch(feed, source, { site, profile, format, now: clock.now() })
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

  function poll(): void {
    for (const entry of cache.entries()) refreshEntry(entry)
  }

  const isUnusedSearch = ({ target, usedAt }: CacheEntry) =>
    target.chosen.hasText && clock.now() >= usedAt + searchKeptMs

  /** Drops a new search if its feed has too many. */
  function limitSearches(newest: CacheEntry): void {
    const { feed, profile, chosen } = newest.target
    if (!chosen.hasText) return
    const others = [...cache.entries()].filter(
      ({ target }) => target.chosen.hasText && target.feed === feed && target.profile === profile,
    )
    if (others.length > maxSearches) cache.forget(newest)
  }

  /** Like `poll`, but skips entries that only new records can make outdated. */
  function pollTime(): void {
    for (const entry of cache.entries()) {
      if (isUnusedSearch(entry)) {
        cache.forget(entry)
        continue
      }
      const { latest, failure } = entry.state
      if (!latest || failure || clock.now() >= latest.validUntil) refreshEntry(entry)
    }
  }

  function recordUse(name: string): void {
    const entry = cache.find(name)
    const now = clock.now()
    // Record at most one read per millisecond.
    if (!entry || entry.usedAt === now) return
    entry.usedAt = now
    for (const resource of resourcesOf(entry.target)) collections.recordRead(resource)
  }

  /** Returns the cached representation, or undefined if it must be rendered first. */
  function ready(target: Target): Representation | undefined {
    const latest = cache.find(target.name)?.state.latest
    if (!latest || clock.now() >= latest.validUntil) return undefined
    recordUse(target.name)
    return latest.representation
  }

  async function currentRepresentation(
    entry: CacheEntry,
    network: string,
  ): Promise<Representation> {
    const { target } = entry
    entry.usedAt = clock.now()
    const ledgers = ledgersOf(await readCopies(target, collections))
    const cached = ready(target)
    if (cached) return cached
    const freshness = freshnessOf(entry.state, { ledgers, now: clock.now() })
    const { latest } = entry.state
    if (latest && freshness === 'cooling down') return latest.representation
    if (freshness !== 'pending' && queue.isBusy()) {
      if (!latest) cache.forget(entry)
      throw new RenderingBusy()
    }
    const { done, prioritize } = renderOnce(entry)
    prioritize(network)
    try {
      await done
    } catch (error) {
      // Serve the last good representation instead.
      if (!entry.state.latest) throw error
      logFailure(target, error)
    }
    const rendered = entry.state.latest
    if (!rendered) throw new TypeError(`${target.name} was rendered but is missing`)
    return rendered.representation
  }

  return {
    ready,
    recordUse,
    /** Returns the latest rendering, even if it is outdated. */
    rendered: ({ name }: Target) => cache.find(name)?.state.latest,
    onChange(listener: ChangeListener): void {
      listeners.push(listener)
    },
    /** Returns true if the target was requested before and is still cached. */
    isKnown: ({ name }: Target) => cache.find(name) !== undefined,
    /**
     * Returns the cached representation, or renders it. Rejects with `CollectionUnavailable` if there is no
     * copy of the records, and with `RenderingBusy` if too many requests are waiting. Networks take
     * turns.
     */
    async get(target: Target, network = ''): Promise<Representation> {
      const isNew = cache.find(target.name) === undefined
      const entry = cache.entryFor(target)
      try {
        return await currentRepresentation(entry, network)
      } finally {
        if (isNew) limitSearches(entry)
      }
    },
    /** Records that a client accepts brotli. The feed is compressed now and after each change. */
    useBrotli({ name }: Target): void {
      const entry = cache.find(name)
      if (!entry) return
      entry.brotliUsedAt = clock.now()
      compression.add(entry)
    },
    /** Renders these targets in advance and pins them. Unpins the rest. */
    keepReady(targets: readonly Target[]): void {
      cache.pin(targets)
      poll()
    },
    /** Starts to rebuild outdated feeds in the background, until disposal. */
    start(): void {
      collections.onChange(poll)
      polling = every(clock, pollIntervalMs, stopping.signal, pollTime)
    },
    kept() {
      const entries = [...cache.entries()]
      const pinned = entries.flatMap(({ isPinned, target, state: { latest } }) =>
        isPinned && latest ? [{ target, ...latest }] : [],
      )
      return { count: entries.length, bytes: cache.bytes(), pinned }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await polling
      const done = queue[Symbol.asyncDispose]().then(() => compression.done())
      await withTimeout(done, stopGraceMs, () => undefined)
    },
  }
}

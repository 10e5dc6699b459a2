import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Logger } from '../log.ts'
import type { FeedDiagnostics } from './feed-diagnostics.ts'
import { createRenderQueue, RenderingBusy, type RenderTask } from './render-queue.ts'
import type { Rendering } from './rendering.ts'
import { representationOf, withBrotli, type Representation } from './representation.ts'
import { createRepresentationCache, type CacheEntry } from './representation-cache.ts'
import type { Target } from './target.ts'

/** How often it is looked what the clock has made another. */
const pollIntervalMs = 5_000

/** What nobody has asked for in this time is made anew only when somebody does. */
const inUseMs = 60 * 60 * 1000

/**
 * When what could not be made is tried again, unless its records change before: later each time, for
 * what takes too long keeps others waiting.
 */
const failedRetry = { firstMs: 60_000, longestMs: 60 * 60_000 }

/** How long disposing waits for what is being made. */
const stopGraceMs = 3_000

export type Representations = AsyncDisposable & {
  /**
   * At once where there is one; else it is made, once for all who ask. Rejects with
   * `CollectionUnavailable` while there is nothing to show, with `RenderingBusy` when too many wait.
   */
  readonly get: (target: Target) => Promise<Representation>
  /** Whether somebody has asked for it before, and it is not forgotten since. */
  readonly isKnown: (target: Target) => boolean
  /** Undefined where it has to be made first. */
  readonly ready: (target: Target) => Representation | undefined
  /** From now on these, and no others, are made in advance and kept. */
  readonly keepReady: (targets: readonly Target[]) => void
  /** Begins to make in the background what changes, until disposed. */
  readonly start: () => void
  readonly kept: () => CachedRepresentations
}

export type CachedRepresentations = {
  readonly count: number
  readonly bytes: number
  /** Those that are always kept, and when they were made, in milliseconds since the epoch. */
  readonly pinned: readonly {
    readonly target: Target
    readonly representation: Representation
    readonly madeAt: number
  }[]
}

export function createRepresentations(
  collections: Pick<Collections, 'read' | 'copyOf' | 'recordRead' | 'onChange'>,
  options: {
    readonly rendering: Rendering
    readonly diagnostics: Pick<FeedDiagnostics, 'tell'>
    /** Since when feeds are shown in the present way, whatever their records. */
    readonly presentationChangedAt: number
    /** How much is kept, as a rule. */
    readonly maxBytes: number
    readonly clock: Clock
    readonly log: Logger
  },
): Representations {
  const { rendering, diagnostics, presentationChangedAt, clock, log } = options
  const stopping = new AbortController()
  const shelf = createRepresentationCache(options.maxBytes)
  const queue = createRenderQueue()
  /** What can be done once feeds are there, each one after the other. */
  let compressing = Promise.resolve()
  let telling = Promise.resolve()
  let looking = Promise.resolve()

  async function make(entry: CacheEntry, collection: Collection): Promise<void> {
    const { target, made: previous } = entry
    const now = clock.now()
    const { feed, format, profile, chosen } = target
    const rendered = await rendering.render({ feed, format, profile, chosen, now }, collection)
    const { body, title, validFrom, validUntil } = rendered
    const isSame = previous?.representation.encodings.identity.bytes.equals(body) === true
    const changedAt = Math.max(collection.changedAt, validFrom, presentationChangedAt)
    const representation = isSame
      ? previous.representation
      : await representationOf(body, {
          format: target.format,
          title,
          // Not later than now, also where another replica's clock is ahead (RFC 9110 8.8.2.1).
          lastModified: Math.max(
            previous?.representation.lastModified ?? 0,
            Math.min(now, changedAt),
          ),
        })
    shelf.put(entry, { representation, ledger: collection.ledger, madeAt: now, validUntil })
    if (!isSame) compressing = compressing.then(() => compress(entry, representation))
    telling = telling.then(() => diagnostics.tell(target.feed, collection))
  }

  /** What takes longest comes last, of what is still shown then. */
  async function compress(entry: CacheEntry, representation: Representation): Promise<void> {
    const isShown = () => entry.made?.representation === representation
    if (stopping.signal.aborted || !isShown()) return
    try {
      const compressed = await withBrotli(representation)
      if (entry.made && isShown()) shelf.put(entry, { ...entry.made, representation: compressed })
    } catch (error) {
      log.error({ err: error, feed: entry.target.name }, 'a feed could not be compressed')
    }
  }

  async function makeOf(entry: CacheEntry, collection: Collection): Promise<void> {
    const { resource } = entry.target.feed
    const latest = collections.copyOf(resource) ?? collection
    try {
      await make(entry, latest)
      entry.failed = undefined
    } catch (error) {
      const { ledger } = latest
      const consecutiveFailures =
        entry.failed?.ledger === ledger ? entry.failed.consecutiveFailures + 1 : 1
      entry.failed = { at: clock.now(), ledger, consecutiveFailures }
      throw error
    } finally {
      entry.rendering = undefined
      // The records may have changed meanwhile.
      if (latest !== collections.copyOf(resource)) refreshEntry(entry)
    }
  }

  function makeOnce(entry: CacheEntry, collection: Collection): RenderTask {
    entry.rendering ??= queue.add(() => makeOf(entry, collection))
    return entry.rendering
  }

  /** Whether it could not be made a moment ago: nothing has changed since. */
  function isBackingOff({ failed }: CacheEntry, { ledger }: Collection): boolean {
    if (failed?.ledger !== ledger) return false
    const { firstMs, longestMs } = failedRetry
    return (
      clock.now() < failed.at + Math.min(longestMs, firstMs * 2 ** (failed.consecutiveFailures - 1))
    )
  }

  function tellFailed({ name }: Target, error: unknown): void {
    if (stopping.signal.aborted) return
    log.error({ err: error, feed: name }, 'a feed could not be made')
  }

  /** Makes what is no longer right, unless nobody uses it. */
  function refreshEntry(entry: CacheEntry): void {
    const { made, rendering, target, isPinned, usedAt } = entry
    const now = clock.now()
    const collection = collections.copyOf(target.feed.resource)
    const isRight = made && made.ledger === collection?.ledger && now < made.validUntil
    if (stopping.signal.aborted || !collection || rendering || isRight) return
    if (isBackingOff(entry, collection)) return
    if (!isPinned && now >= usedAt + inUseMs) return shelf.forget(entry)
    makeOnce(entry, collection).done.catch((error: unknown) => tellFailed(target, error))
  }

  function poll(): void {
    for (const entry of shelf.entries()) refreshEntry(entry)
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      poll()
      await clock.sleep(pollIntervalMs, stopping.signal).catch(() => undefined)
    }
  }

  function ready({ name, feed }: Target): Representation | undefined {
    const entry = shelf.find(name)
    const now = clock.now()
    if (!entry?.made || now >= entry.made.validUntil) return undefined
    // Of thousands within a millisecond one is enough.
    if (entry.usedAt !== now) {
      entry.usedAt = now
      collections.recordRead(feed.resource)
    }
    return entry.made.representation
  }

  return {
    ready,
    isKnown: ({ name }) => shelf.find(name) !== undefined,
    async get(target) {
      const entry = shelf.entryFor(target)
      entry.usedAt = clock.now()
      const collection = await collections.read(target.feed.resource)
      const there = ready(target)
      if (there) return there
      if (entry.made && isBackingOff(entry, collection)) return entry.made.representation
      if (!entry.rendering && queue.isBusy()) {
        if (!entry.made) shelf.forget(entry)
        throw new RenderingBusy()
      }
      const { done, prioritize } = makeOnce(entry, collection)
      prioritize()
      try {
        await done
      } catch (error) {
        // The last good one is shown.
        if (!entry.made) throw error
        tellFailed(target, error)
      }
      if (!entry.made) throw new TypeError(`${target.name} was made and is not there`)
      return entry.made.representation
    },
    keepReady(targets) {
      shelf.pin(targets)
      poll()
    },
    start() {
      collections.onChange(poll)
      looking = keepLooking()
    },
    kept() {
      const slots = [...shelf.entries()]
      const pinnedOnes = slots.flatMap(({ isPinned, target, made }) =>
        isPinned && made
          ? [{ target, representation: made.representation, madeAt: made.madeAt }]
          : [],
      )
      return { count: slots.length, bytes: shelf.bytes(), pinned: pinnedOnes }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await looking
      const enough = Promise.withResolvers<void>()
      const timer = setTimeout(enough.resolve, stopGraceMs)
      const done = queue[Symbol.asyncDispose]().then(() => Promise.all([compressing, telling]))
      await Promise.race([done, enough.promise])
      clearTimeout(timer)
    },
  }
}

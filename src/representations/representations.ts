import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Logger } from '../log.ts'
import type { FeedReviews } from './feed-diagnostics.ts'
import { createRenderQueue, RenderingBusy, type Making } from './render-queue.ts'
import type { Rendering } from './rendering.ts'
import { representationOf, withBrotli, type Representation } from './representation.ts'
import { createShelf, type Slot } from './representation-cache.ts'
import type { Target } from './target.ts'

/** How often it is looked what the clock has made another. */
const lookMs = 5_000

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
  readonly kept: () => KeptRepresentations
}

export type KeptRepresentations = {
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
  collections: Pick<Collections, 'read' | 'copyOf' | 'noteReader' | 'onChange'>,
  options: {
    readonly rendering: Rendering
    readonly reviews: Pick<FeedReviews, 'tell'>
    /** Since when feeds are shown in the present way, whatever their records. */
    readonly shownSince: number
    /** How much is kept, as a rule. */
    readonly maxBytes: number
    readonly clock: Clock
    readonly log: Logger
  },
): Representations {
  const { rendering, reviews, shownSince, clock, log } = options
  const stopping = new AbortController()
  const shelf = createShelf(options.maxBytes)
  const queue = createRenderQueue()
  /** What can be done once feeds are there, each one after the other. */
  let compressing = Promise.resolve()
  let telling = Promise.resolve()
  let looking = Promise.resolve()

  async function make(slot: Slot, collection: Collection): Promise<void> {
    const { target, made: previous } = slot
    const now = clock.now()
    const rendered = await rendering.render({ ...target, now }, collection)
    const { body, title, validFrom, validUntil } = rendered
    const isSame = previous?.representation.encodings.identity.bytes.equals(body) === true
    const changedAt = Math.max(collection.changedAt, validFrom, shownSince)
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
    shelf.put(slot, { representation, ledger: collection.ledger, madeAt: now, validUntil })
    if (!isSame) compressing = compressing.then(() => compress(slot, representation))
    telling = telling.then(() => reviews.tell(target.feed, collection))
  }

  /** What takes longest comes last, of what is still shown then. */
  async function compress(slot: Slot, representation: Representation): Promise<void> {
    const isShown = () => slot.made?.representation === representation
    if (stopping.signal.aborted || !isShown()) return
    try {
      const compressed = await withBrotli(representation)
      if (slot.made && isShown()) shelf.put(slot, { ...slot.made, representation: compressed })
    } catch (error) {
      log.error({ err: error, feed: slot.target.name }, 'a feed could not be compressed')
    }
  }

  async function makeOf(slot: Slot, collection: Collection): Promise<void> {
    const { resource } = slot.target.feed
    const latest = collections.copyOf(resource) ?? collection
    try {
      await make(slot, latest)
      slot.failed = undefined
    } catch (error) {
      const { ledger } = latest
      const inARow = slot.failed?.ledger === ledger ? slot.failed.inARow + 1 : 1
      slot.failed = { at: clock.now(), ledger, inARow }
      throw error
    } finally {
      slot.making = undefined
      // The records may have changed meanwhile.
      if (latest !== collections.copyOf(resource)) lookAt(slot)
    }
  }

  function makeOnce(slot: Slot, collection: Collection): Making {
    slot.making ??= queue.add(() => makeOf(slot, collection))
    return slot.making
  }

  /** Whether it could not be made a moment ago: nothing has changed since. */
  function isPutOff({ failed }: Slot, { ledger }: Collection): boolean {
    if (failed?.ledger !== ledger) return false
    const { firstMs, longestMs } = failedRetry
    return clock.now() < failed.at + Math.min(longestMs, firstMs * 2 ** (failed.inARow - 1))
  }

  function tellFailed({ name }: Target, error: unknown): void {
    if (stopping.signal.aborted) return
    log.error({ err: error, feed: name }, 'a feed could not be made')
  }

  /** Makes what is no longer right, unless nobody uses it. */
  function lookAt(slot: Slot): void {
    const { made, making, target, isPinned, usedAt } = slot
    const now = clock.now()
    const collection = collections.copyOf(target.feed.resource)
    const isRight = made && made.ledger === collection?.ledger && now < made.validUntil
    if (stopping.signal.aborted || !collection || making || isRight) return
    if (isPutOff(slot, collection)) return
    if (!isPinned && now >= usedAt + inUseMs) return shelf.forget(slot)
    makeOnce(slot, collection).done.catch((error: unknown) => tellFailed(target, error))
  }

  function look(): void {
    for (const slot of shelf.slots()) lookAt(slot)
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      look()
      await clock.sleep(lookMs, stopping.signal).catch(() => undefined)
    }
  }

  function ready({ name, feed }: Target): Representation | undefined {
    const slot = shelf.find(name)
    const now = clock.now()
    if (!slot?.made || now >= slot.made.validUntil) return undefined
    // Of thousands within a millisecond one is enough.
    if (slot.usedAt !== now) {
      slot.usedAt = now
      collections.noteReader(feed.resource)
    }
    return slot.made.representation
  }

  return {
    ready,
    isKnown: ({ name }) => shelf.find(name) !== undefined,
    async get(target) {
      const slot = shelf.slotFor(target)
      slot.usedAt = clock.now()
      const collection = await collections.read(target.feed.resource)
      const there = ready(target)
      if (there) return there
      if (slot.made && isPutOff(slot, collection)) return slot.made.representation
      if (!slot.making && queue.isBusy()) {
        if (!slot.made) shelf.forget(slot)
        throw new RenderingBusy()
      }
      const { done, hurry } = makeOnce(slot, collection)
      hurry()
      try {
        await done
      } catch (error) {
        // The last good one is shown.
        if (!slot.made) throw error
        tellFailed(target, error)
      }
      if (!slot.made) throw new TypeError(`${target.name} was made and is not there`)
      return slot.made.representation
    },
    keepReady(targets) {
      shelf.pin(targets)
      look()
    },
    start() {
      collections.onChange(look)
      looking = keepLooking()
    },
    kept() {
      const slots = [...shelf.slots()]
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

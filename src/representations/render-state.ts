import { retryDelayMs } from '../clock.ts'
import type { RenderTask } from './render-queue.ts'
import type { Representation } from './representation.ts'
import { areSameLedgers, type Ledgers } from './source-copies.ts'

/**
 * Retry intervals after a failed rendering, unless the records change first. The interval grows
 * with each failure, because every attempt delays other feeds.
 */
const retry = { initialMs: 60_000, maxMs: 60 * 60_000 }

/** A representation and the data it was rendered from. */
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

/** Rendering state of one target. */
export type RenderState = {
  /** The last successful rendering. */
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

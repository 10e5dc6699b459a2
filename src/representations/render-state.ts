import { retryDelayMs } from '../clock.ts'
import type { RenderTask } from './render-queue.ts'
import type { Representation } from './representation.ts'
import { areSameLedgers, type Ledgers } from './source-copies.ts'

/**
 * Retry intervals after a failed rendering, unless the records change first. The interval grows with
 * each failure, because every attempt delays other feeds.
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

/**
 * A failed rendering, with its time in milliseconds since the epoch and the ledgers of its records.
 */
type Failure = {
  readonly at: number
  readonly ledgers: Ledgers
  readonly consecutiveFailures: number
}

/** Rendering state of one target. `latest` is the last successful rendering. */
export type RenderState =
  | { readonly kind: 'new'; readonly latest: undefined }
  | { readonly kind: 'rendered'; readonly latest: Rendered }
  | {
      readonly kind: 'pending'
      readonly latest: Rendered | undefined
      readonly task: RenderTask
      /** The failure before this attempt, if any. */
      readonly failure: Failure | undefined
    }
  | { readonly kind: 'failed'; readonly latest: Rendered | undefined; readonly failure: Failure }

export const newState: RenderState = { kind: 'new', latest: undefined }

export function startRendering(before: RenderState, task: RenderTask): RenderState {
  const failure = before.kind === 'failed' ? before.failure : undefined
  return { kind: 'pending', latest: before.latest, task, failure }
}

export function finishRendering(latest: Rendered): RenderState {
  return { kind: 'rendered', latest }
}

/** Returns the state after a failed rendering. Counts consecutive failures with the same records. */
export function failRendering(
  before: RenderState,
  { at, ledgers }: Pick<Failure, 'at' | 'ledgers'>,
): RenderState {
  const failure = 'failure' in before ? before.failure : undefined
  const isSame = failure !== undefined && areSameLedgers(failure.ledgers, ledgers)
  const consecutiveFailures = isSame ? failure.consecutiveFailures + 1 : 1
  return { kind: 'failed', latest: before.latest, failure: { at, ledgers, consecutiveFailures } }
}

/** Returns the state with an encoding added to its representation. */
export function reencode(
  before: RenderState,
  from: Representation,
  representation: Representation,
): RenderState {
  if (before.kind === 'new' || before.latest?.representation !== from) return before
  return { ...before, latest: { ...before.latest, representation } }
}

/** State of a rendering, compared with the current records and time. */
type Freshness = 'fresh' | 'outdated' | 'pending' | 'cooling down'

/** Returns `cooling down` after a recent failure with the same records. */
export function freshnessOf(
  state: RenderState,
  { ledgers, now }: { readonly ledgers: Ledgers; readonly now: number },
): Freshness {
  if (state.kind === 'pending') return 'pending'
  const { latest } = state
  if (latest && areSameLedgers(latest.ledgers, ledgers) && now < latest.validUntil) return 'fresh'
  if (state.kind !== 'failed' || !areSameLedgers(state.failure.ledgers, ledgers)) return 'outdated'
  const { at, consecutiveFailures } = state.failure
  return now < at + retryDelayMs(retry, consecutiveFailures) ? 'cooling down' : 'outdated'
}

import { retryDelayMs } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { RenderTask } from './render-queue.ts'
import type { Representation } from './representation.ts'

/**
 * Retry intervals after a failed rendering, unless the records change first. The interval grows with
 * each failure, because every attempt delays other feeds.
 */
const retry = { initialMs: 60_000, maxMs: 60 * 60_000 }

/** A representation and the data it was rendered from. */
export type Rendered = {
  readonly representation: Representation
  /** Ledger of the rendered collection. It identifies the version of the records. */
  readonly ledger: Collection['ledger']
  /**
   * In milliseconds since the epoch. `validUntil` is infinite if the content does not depend on the
   * clock.
   */
  readonly madeAt: number
  readonly validUntil: number
}

type Failure = {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Ledger of the records that could not be rendered. */
  readonly ledger: Collection['ledger']
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

/** Returns the state of a target that is being rendered. */
export function startRendering(before: RenderState, task: RenderTask): RenderState {
  const failure = before.kind === 'failed' ? before.failure : undefined
  return { kind: 'pending', latest: before.latest, task, failure }
}

/** Returns the state after a successful rendering. */
export function finishRendering(latest: Rendered): RenderState {
  return { kind: 'rendered', latest }
}

/** Returns the state after a failed rendering. Counts consecutive failures with the same records. */
export function failRendering(
  before: RenderState,
  { at, ledger }: Pick<Failure, 'at' | 'ledger'>,
): RenderState {
  const failure = 'failure' in before ? before.failure : undefined
  const consecutiveFailures = failure?.ledger === ledger ? failure.consecutiveFailures + 1 : 1
  return { kind: 'failed', latest: before.latest, failure: { at, ledger, consecutiveFailures } }
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

/** Whether a target needs rendering, given the current records and time. */
export type Freshness = 'fresh' | 'outdated' | 'pending' | 'cooling down'

/** Returns `cooling down` after a recent failure with the same records. */
export function freshnessOf(
  state: RenderState,
  { ledger, now }: { readonly ledger: Collection['ledger']; readonly now: number },
): Freshness {
  if (state.kind === 'pending') return 'pending'
  const { latest } = state
  if (latest?.ledger === ledger && now < latest.validUntil) return 'fresh'
  if (state.kind !== 'failed' || state.failure.ledger !== ledger) return 'outdated'
  return now < retryAt(state.failure) ? 'cooling down' : 'outdated'
}

function retryAt({ at, consecutiveFailures }: Failure): number {
  return at + retryDelayMs(retry, consecutiveFailures)
}

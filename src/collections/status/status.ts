import type { FeedResource } from '../../records/resources.ts'
import type { Budget } from '../../upstream/throttle.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../upstream/upstream-error.ts'
import type { Failure } from '../schedule/backoff.ts'
import type { CollectionState } from '../collections.ts'
import { publishesAt, type Held } from '../copy/loss-guard.ts'
import {
  adviceOn,
  okIn,
  sentencesFrom,
  type SiteState,
  type StatusOptions,
} from './status-sentences.ts'

/** Status of a site. Times are ISO 8601 in UTC, or null. Contains no secrets and no personal data. */
export type Status = {
  /** True if nothing needs attention, and null while the site is starting. */
  readonly ok: boolean | null
  readonly state: SiteState
  /** Describes the status in sentences. */
  readonly sentences: readonly string[]
  readonly collections: readonly CollectionStatus[]
  readonly budget: Budget
  readonly token: {
    readonly expiresAt: string | null
    readonly failure: UpstreamErrorKind | null
    /** Explains the failure, and what to do about it. */
    readonly message: string | null
    readonly retryAt: string | null
  }
  readonly store: { readonly ok: boolean; readonly failure: string | null }
}

export type CollectionStatus = {
  readonly name: FeedResource
  /** Null until the first copy exists. So are `version`, `fetchedAt` and `changedAt`. */
  readonly records: number | null
  readonly rejectedCount: number
  /** The first few rejected records, with reasons. */
  readonly rejected: readonly { readonly id: string; readonly reason: string }[]
  /** Number of older records that were omitted. */
  readonly omittedCount: number
  readonly version: string | null
  readonly fetchedAt: string | null
  readonly changedAt: string | null
  readonly intervalSeconds: number
  /** When the endpoint was first refused. */
  readonly refusedSince: string | null
  /** True if the endpoint is refused and there is no copy. */
  readonly isSwitchedOff: boolean
  readonly held: {
    readonly version: string
    readonly since: string
    readonly records: number
    readonly readings: number
    /**
     * When the held reading will be published if it stays the same, or null if it never will be.
     */
    readonly publishedAfter: string | null
    /** True if an operator chose to keep holding it. */
    readonly isHeldByRequest: boolean
  } | null
  readonly failure: {
    readonly kind: UpstreamErrorKind | 'unforeseen'
    readonly message: string
    readonly since: string
    readonly consecutiveFailures: number
    readonly retryAt: string
  } | null
  /** Number of sign-up sheets whose details cannot be read. */
  readonly detailFailures: number
}

export function statusFrom(options: StatusOptions): Status {
  const { collections, storeFailure, budget, token } = options
  const { state, sentences } = sentencesFrom(options)
  return {
    ok: okIn(state),
    state,
    sentences,
    collections: collections.map(collectionStatusFrom),
    budget,
    token: {
      expiresAt: isoOf(token.expiresAt),
      failure: token.failure?.kind ?? null,
      message: token.failure ? adviceFor(token.failure) : null,
      retryAt: isoOf(token.failure?.retryAt),
    },
    store: { ok: storeFailure === undefined, failure: storeFailure?.message ?? null },
  }
}

function collectionStatusFrom({
  resource,
  refusal,
  kept,
  failure,
  detailFailures,
  intervalMs,
}: CollectionState): CollectionStatus {
  const collection = kept?.collection
  return {
    name: resource,
    records: collection?.records.length ?? null,
    rejectedCount: collection?.rejectedCount ?? 0,
    rejected: collection?.rejected ?? [],
    omittedCount: collection?.omittedCount ?? 0,
    version: collection?.version ?? null,
    fetchedAt: isoOf(collection?.fetchedAt),
    changedAt: isoOf(collection?.changedAt),
    intervalSeconds: Math.round(intervalMs / 1000),
    refusedSince: isoOf(refusal?.since),
    isSwitchedOff: refusal !== undefined && !kept,
    held: kept?.held ? heldStatusFrom(kept.held) : null,
    failure: failure ? failureStatusFrom(failure) : null,
    detailFailures: detailFailures.length,
  }
}

function heldStatusFrom(held: Held) {
  const { version, since, records, readings, isHeldByRequest } = held
  return {
    version,
    since: new Date(since).toISOString(),
    records,
    readings,
    publishedAfter: isoOf(publishesAt(held)),
    isHeldByRequest,
  }
}

function failureStatusFrom(failure: Failure): NonNullable<CollectionStatus['failure']> {
  const { error, since, consecutiveFailures, retryAt } = failure
  const isExpected = error instanceof UpstreamError
  return {
    kind: isExpected ? error.kind : 'unforeseen',
    message: isExpected ? error.message : adviceOn(failure),
    since: new Date(since).toISOString(),
    consecutiveFailures,
    retryAt: new Date(retryAt).toISOString(),
  }
}

function isoOf(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}

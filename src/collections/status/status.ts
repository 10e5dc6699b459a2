import type { FeedResource } from '../../records/resources.ts'
import { diskFullError } from '../../store/data-directory.ts'
import { StoreError } from '../../store/store-error.ts'
import { adviceFor } from '../../upstream/advice.ts'
import type { Budget } from '../../upstream/throttle.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../upstream/upstream-error.ts'
import type { FaultyRecord } from '../collection.ts'
import type { Failure } from '../schedule/backoff.ts'
import type { CollectionState } from '../collection-state.ts'
import { publishesAt, type Held } from '../copy/loss-guard.ts'
import {
  adviceOn,
  lastReadOf,
  okIn,
  sentencesFrom,
  startingSentence,
  type SiteState,
  type StatusOptions,
} from './status-sentences.ts'

/** A site's status, without secrets or personal data. Times are ISO 8601 in UTC, or null. */
export type Status = {
  readonly ok: boolean | null
  readonly state: SiteState
  readonly sentences: readonly string[]
  readonly collections: readonly CollectionStatus[]
  readonly budget: Budget
  readonly token: {
    readonly expiresAt: string | null
    readonly failure: UpstreamErrorKind | null
    readonly message: string | null
    readonly retryAt: string | null
  }
  readonly store: { readonly ok: boolean; readonly failure: string | null }
  /** Releases of the time zone rules in use and of the operating system's, like 2026c. */
  readonly zoneRules: { readonly release: string; readonly systemRelease: string | null }
}

/** Until the first copy exists, properties of the copy are null. */
export type CollectionStatus = {
  readonly name: FeedResource
  readonly records: number | null
  readonly rejectedCount: number
  /** The first few rejected records, with reasons. */
  readonly rejected: readonly (FaultyRecord & { readonly since: string | null })[]
  readonly omittedCount: number
  readonly version: string | null
  readonly fetchedAt: string | null
  readonly changedAt: string | null
  readonly intervalSeconds: number
  readonly refusedSince: string | null
  readonly isSwitchedOff: boolean
  readonly held: HeldStatus | null
  readonly failure: FailureStatus | null
  /** Number of sign-up sheets whose details cannot be read. */
  readonly detailFailures: number
}

type HeldStatus = {
  readonly version: string
  readonly since: string
  readonly records: number
  readonly readings: number
  /** When the held reading will be published if it stays the same, or null if it never will be. */
  readonly publishedAfter: string | null
  /** True if an operator chose to keep holding it. */
  readonly isHeldByRequest: boolean
}

type FailureStatus = {
  readonly kind: UpstreamErrorKind | 'unforeseen'
  readonly message: string
  readonly since: string
  readonly consecutiveFailures: number
  readonly retryAt: string
}

export function statusFrom(options: StatusOptions): Status {
  const { collections, storeFailure, budget, token, zoneData } = options
  const { state, sentences } = sentencesFrom(options)
  const hasWorked = lastReadOf(collections) !== undefined
  return {
    ok: okIn(state),
    state,
    sentences,
    collections: collections.map((each) => collectionStatusFrom(each, hasWorked)),
    budget,
    token: {
      expiresAt: isoOf(token.expiresAt),
      failure: token.failure?.kind ?? null,
      message: token.failure ? adviceFor(token.failure) : null,
      retryAt: isoOf(token.failure?.retryAt),
    },
    store: { ok: storeFailure === undefined, failure: storeFailure?.message ?? null },
    zoneRules: { release: zoneData.release, systemRelease: zoneData.systemRelease ?? null },
  }
}

function collectionStatusFrom(state: CollectionState, hasWorked: boolean): CollectionStatus {
  const { resource, refusal, kept, failure, detailFailures, intervalMs } = state
  const collection = kept?.collection
  return {
    name: resource,
    records: collection?.records.length ?? null,
    rejectedCount: collection?.rejectedCount ?? 0,
    rejected: (collection?.rejected ?? []).map((each) => ({
      ...each,
      since: isoOf(kept?.rejectedSince[each.id]),
    })),
    omittedCount: collection?.omittedCount ?? 0,
    version: collection?.version ?? null,
    fetchedAt: isoOf(collection?.fetchedAt),
    changedAt: isoOf(collection?.changedAt),
    intervalSeconds: Math.round(intervalMs / 1000),
    refusedSince: isoOf(refusal?.since),
    isSwitchedOff: refusal !== undefined && !kept,
    held: kept?.held ? heldStatusFrom(kept.held) : null,
    failure: failure ? failureStatusFrom(failure, hasWorked) : null,
    detailFailures: detailFailures.length,
  }
}

function heldStatusFrom(held: Held): HeldStatus {
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

function failureStatusFrom(failure: Failure, hasWorked: boolean): FailureStatus {
  const { error, since, consecutiveFailures, retryAt } = failure
  const isExpected = error instanceof UpstreamError
  return {
    kind: isExpected ? error.kind : 'unforeseen',
    message: isExpected ? error.message : adviceOn(failure, hasWorked),
    since: new Date(since).toISOString(),
    consecutiveFailures,
    retryAt: new Date(retryAt).toISOString(),
  }
}

function isoOf(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}

const privateSentences = {
  ok: [],
  starting: [startingSentence('records that are not public')],
  failing: [
    'Something that is not public needs attention: sign in to the admin page, or look at the log.',
  ],
}

/** Returns a store failure without its path or host name. */
export function publicStoreFailure({ kind }: StoreError): StoreError {
  return kind === 'disk full'
    ? diskFullError()
    : new StoreError(kind, 'The store is currently unavailable.')
}

/** Returns the status without private resources, paths or host names. */
export function publicStatusFrom(
  options: StatusOptions,
  resources: readonly FeedResource[],
): Status {
  const { ok, state } = statusFrom(options)
  const hasWorked = lastReadOf(options.collections) !== undefined
  const shown = statusFrom({
    ...options,
    collections: options.collections.filter(({ resource }) => resources.includes(resource)),
    storeFailure: options.storeFailure && publicStoreFailure(options.storeFailure),
  })
  return {
    ...shown,
    ok,
    state,
    sentences: shown.state === state ? shown.sentences : privateSentences[state],
    collections: shown.collections.map(({ failure, ...collection }) => ({
      ...collection,
      failure: failure && { ...failure, message: plainMessage(failure, hasWorked) },
    })),
  }
}

/** Returns a message without host names. */
function plainMessage({ kind, message }: FailureStatus, hasWorked: boolean): string {
  return kind === 'unforeseen' ? message : adviceFor({ kind }, { hasWorked })
}

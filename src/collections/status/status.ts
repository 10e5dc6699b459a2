import type { FeedResource } from '../../records/resources.ts'
import { diskFullError } from '../../store/data-directory.ts'
import { StoreError } from '../../store/store-error.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Failure } from '../schedule/backoff.ts'
import type { CollectionState } from '../collection-state.ts'
import { publishesAt, type Held } from '../copy/loss-guard.ts'
import {
  adviceOn,
  lastReadOf,
  okIn,
  sentencesFrom,
  startingSentence,
  type StatusOptions,
} from './status-sentences.ts'

export type Status = ReturnType<typeof statusFrom>

export type CollectionStatus = ReturnType<typeof collectionStatusFrom>

/** A site's status, without secrets or personal data. Times are ISO 8601 in UTC, or null. */
export function statusFrom(options: StatusOptions) {
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
    /** Releases of the time zone rules in use and of the operating system's, like 2026c. */
    zoneRules: { release: zoneData.release, systemRelease: zoneData.systemRelease ?? null },
  }
}

/** Until the first copy exists, properties of the copy are null. */
function collectionStatusFrom(state: CollectionState, hasWorked: boolean) {
  const { resource, refusal, kept, failure, detailFailures, intervalMs } = state
  const collection = kept?.collection
  return {
    name: resource,
    records: collection?.records.length ?? null,
    rejectedCount: collection?.rejectedCount ?? 0,
    /** The first few rejected records, with reasons. */
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
    /** Number of sign-up sheets whose details cannot be read. */
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
    /** When the held reading will be published if it stays the same, or null if it never will be. */
    publishedAfter: isoOf(publishesAt(held)),
    /** True if an operator chose to keep holding it. */
    isHeldByRequest,
  }
}

function failureStatusFrom(failure: Failure, hasWorked: boolean) {
  const { error, since, consecutiveFailures, retryAt } = failure
  const isExpected = error instanceof UpstreamError
  return {
    kind: isExpected ? error.kind : ('unforeseen' as const),
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
function plainMessage(
  { kind, message }: NonNullable<CollectionStatus['failure']>,
  hasWorked: boolean,
): string {
  return kind === 'unforeseen' ? message : adviceFor({ kind }, { hasWorked })
}

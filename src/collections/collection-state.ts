import type { FeedResource } from '../records/resources.ts'
import type { CollectionCopy } from './copy/collection-copy.ts'
import type { Refusal } from './copy/collection-sync.ts'
import type { Failure } from './schedule/backoff.ts'

export type ServedFeeds = {
  readonly ids: readonly string[]
  /** True if a setting or link names at least one of these feeds explicitly. */
  readonly areNamed: boolean
}

export type CollectionState = {
  readonly resource: FeedResource
  readonly feeds: ServedFeeds
  /** Set if the API Project may not read the resource. */
  readonly refusal: Refusal | undefined
  /** Undefined if the resource has never been read. */
  readonly kept: CollectionCopy | undefined
  readonly failure: Failure | undefined
  /** True until the first read has succeeded, failed or taken too long. */
  readonly isStarting: boolean
  /** Failures to read the details of sign-up sheets. */
  readonly detailFailures: readonly Failure[]
  readonly intervalMs: number
}

import type { RecordOf, RejectedRecord } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { Ledger } from './copy/ledger.ts'

/** The last good copy of a resource's records. */
export type Collection<R extends FeedResource = FeedResource> = {
  readonly resource: R
  /** By ascending id. */
  readonly records: readonly RecordOf[R][]
  /** The first of those that were left out. */
  readonly rejected: readonly RejectedRecord[]
  readonly rejectedCount: number
  /** How many older records there are beyond those that are kept. */
  readonly omittedCount: number
  readonly ledger: Ledger
  /** When these records were last read. Milliseconds since the epoch, as all times here. */
  readonly fetchedAt: number
  /** When `version` last became another; never goes back. */
  readonly changedAt: number
  /** Hash of the records: the same records have the same version everywhere. */
  readonly version: string
}

/** There is no copy of the resource: not yet, or because the API Project may not read it. */
export class CollectionUnavailable extends Error {
  override readonly name = 'CollectionUnavailable'
  readonly kind: 'not read yet' | 'not allowed'
  readonly retryAfterMs: number

  constructor(
    resource: FeedResource,
    kind: CollectionUnavailable['kind'],
    { retryAfterMs, cause }: { readonly retryAfterMs: number; readonly cause?: unknown },
  ) {
    super(`No copy of ${resource}: ${kind}`, cause === undefined ? {} : { cause })
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

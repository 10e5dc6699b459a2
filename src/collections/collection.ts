import type { RecordOf, RejectedRecord } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { Ledger } from './copy/ledger.ts'

/** Last good copy of a resource's records. */
export type Collection<R extends FeedResource = FeedResource> = {
  readonly resource: R
  /** In ascending order of id. */
  readonly records: readonly RecordOf[R][]
  /** Records that the ledger has an item of because they were Online, as they were then. */
  readonly formerRecords: readonly RecordOf[R][]
  /** The first omitted records. */
  readonly rejected: readonly RejectedRecord[]
  readonly rejectedCount: number
  /** Number of older records that are not kept. */
  readonly omittedCount: number
  readonly ledger: Ledger
  /** When these records were last read. Milliseconds since the epoch, as all times here. */
  readonly fetchedAt: number
  /** When `version` last changed; never goes back. */
  readonly changedAt: number
  /** Hash of the records: the same records have the same version everywhere. */
  readonly version: string
}

/** No copy of the resource exists, because it was not read yet or may not be read. */
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

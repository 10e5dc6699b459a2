import type { RecordOf, RejectedRecord, Resource } from '../records/read-records.ts'

/** The last good copy of a resource's records. */
export type Collection<R extends Resource = Resource> = {
  readonly resource: R
  /** By ascending id. */
  readonly records: readonly RecordOf[R][]
  readonly rejected: readonly RejectedRecord[]
  /** Milliseconds since the epoch, as all times here. */
  readonly fetchedAt: number
  /** When `version` last became another. */
  readonly changedAt: number
  /** Hash of the records: the same records have the same version everywhere. */
  readonly version: string
}

/** There is no copy of the resource yet. */
export class CollectionUnavailable extends Error {
  override readonly name = 'CollectionUnavailable'
  readonly retryAfterMs: number

  constructor(resource: Resource, retryAfterMs: number, cause?: unknown) {
    super(`No copy of ${resource} has been read yet`, cause === undefined ? {} : { cause })
    this.retryAfterMs = retryAfterMs
  }
}

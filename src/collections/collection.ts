import type { Ledger } from '../records/recorded-change.ts'
import type { PartNames } from '../records/part.ts'
import type { PictureTypes } from '../records/picture-types.ts'
import type { RecordFault, RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { HourlyAges } from './copy/hourly-ages.ts'

/** How long a request waits for records. The front sends its own response after nine seconds. */
export const maxRequestWaitMs = 8_000

export type FaultyRecord = {
  readonly id: string
  readonly reason: string
  /** The part or version of the record that is published. */
  readonly published: RecordFault['readable'] | 'last good version'
}

/** Records that are not published as they are. */
export type LeftOut = {
  /** The first few records with values that cannot be used. */
  readonly rejected: readonly FaultyRecord[]
  readonly rejectedCount: number
  /** Number of these records whose last good version is published. */
  readonly outdatedCount: number
  /** Number of these records of which nothing is published, because they were never readable. */
  readonly unreadCount: number
  /** Number of records that are not kept, because there are too many. */
  readonly omittedCount: number
}

export type CopyVersion = {
  readonly ledger: Ledger
  /** Undefined for records without parts, and for copies stored by older versions. */
  readonly partNames?: PartNames | undefined
  /** Media types of pictures whose URLs do not reveal them, by URL. */
  readonly pictureTypes?: PictureTypes | undefined
  /** When the records were last read, in milliseconds since the epoch, like all times here. */
  readonly fetchedAt: number
  /** Ages before that. Older versions have not stored any. */
  readonly ages?: HourlyAges | undefined
  /** When `version` last changed. Never decreases. */
  readonly changedAt: number
  /** Hash of the records. Equal records have the same version on every replica. */
  readonly version: string
}

/** Last good copy of a resource's records. */
export type Collection<R extends FeedResource = FeedResource> = LeftOut &
  CopyVersion & {
    readonly resource: R
    /** Sorted by id in ascending order. */
    readonly records: readonly RecordOf[R][]
  }

/**
 * Thrown if there is no copy of the resource because it has not been read yet, or because the API
 * Project may not read it.
 */
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

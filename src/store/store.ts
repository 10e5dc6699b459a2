/*
 * Where things last. A store belongs to one site; all replicas that share it see the same. It knows
 * nothing of what it keeps. Everything it does can fail with a `StoreError`.
 */

export type Document = {
  readonly value: string
  /** From 1, one more with every write. */
  readonly revision: number
}

export type Write = {
  readonly bucket: string
  readonly id: string
  /** Undefined deletes. */
  readonly value: string | undefined
  /** Milliseconds since the epoch; without it, never. */
  readonly expiresAt?: number
}

export type Expected = {
  readonly bucket: string
  readonly id: string
  /** 0 for a document that is not there. */
  readonly revision: number
}

/** Texts in named buckets. */
export type Documents = {
  readonly get: (bucket: string, id: string) => Promise<Document | undefined>
  /** All of a bucket, by id. */
  readonly all: (bucket: string) => Promise<ReadonlyMap<string, Document>>
  /**
   * Writes all of it or nothing, and nothing when another revision than the expected one is there.
   * Resolves to whether it wrote.
   */
  readonly write: (writes: readonly Write[], expected?: Expected) => Promise<boolean>
}

/** At most so many in any stretch of time that long. */
export type Limit = { readonly windowMs: number; readonly max: number }

export type Taken =
  | {
      readonly ok: true
      /** For giving it back, or counting it again. */
      readonly id: string
      /** How many each of the limits' windows then holds. */
      readonly used: readonly number[]
    }
  | { readonly ok: false; readonly retryAfterMs: number }

/** When something happened, in milliseconds since the epoch, by its id. */
export type WindowEvents = ReadonlyMap<string, number>

/** Sliding windows that count happenings, by name. Those longer ago than a day are forgotten. */
export type Windows = {
  /** Counts one happening now, unless that passed a limit. */
  readonly take: (name: string, limits: readonly Limit[]) => Promise<Taken>
  /** Uncounts what was taken and did not happen. */
  readonly release: (name: string, id: string) => Promise<void>
  /** Counts happenings of other times, by id; those that are counted already are not again. */
  readonly add: (name: string, happenings: WindowEvents) => Promise<void>
  readonly count: (name: string, windowMs: number) => Promise<number>
}

/** What only one of all replicas does at a time. */
export type Leases = {
  /** Resolves to whether the holder has it now, until the time is over; again for who has it. */
  readonly take: (name: string, holder: string, ttlMs: number) => Promise<boolean>
  readonly release: (name: string, holder: string) => Promise<void>
}

/** A document with all that the store knows of it. */
export type StoredDocument = Document & {
  readonly bucket: string
  readonly id: string
  readonly expiresAt?: number
}

export type StoredWindowEvent = {
  readonly window: string
  readonly id: string
  readonly at: number
}

export type StoredItem = StoredDocument | StoredWindowEvent

export function isDocument(item: StoredItem): item is StoredDocument {
  return 'bucket' in item
}

/** What must be so for a store to be replaced. */
export type ReplaceCondition = {
  /** Where there is no document; undefined for any bucket. */
  readonly emptyBucket: string | undefined
  readonly expected?: Expected
}

export type Store = AsyncDisposable & {
  readonly documents: Documents
  readonly windows: Windows
  readonly leases: Leases
  /** Hosts, with ports, of the other stores in the same place that have a document in this bucket. */
  readonly otherHosts: (bucket: string) => Promise<readonly string[]>
  /** All documents and happenings as they were at one moment. Whoever writes meanwhile may. */
  readonly snapshot: () => AsyncIterable<StoredItem>
  /**
   * Puts these documents, with their revisions, in the place of all others, and counts these
   * happenings beside the others. All of it or nothing, also when the items end with an error.
   * Resolves to whether it did: not against the condition.
   */
  readonly replace: (
    items: AsyncIterable<StoredItem>,
    condition: ReplaceCondition,
  ) => Promise<boolean>
}

export const maxWindowMs = 24 * 60 * 60 * 1000

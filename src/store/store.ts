/*
 * Persistent storage. A store belongs to one site, whose replicas all see the same data. It does
 * not interpret its contents. Every operation can fail with a `StoreError`.
 */

import { isDeepStrictEqual } from 'node:util'
import { parsedJson } from '../json.ts'

export type Document = {
  readonly value: string
  /** Starts at 1 and increases with every write. */
  readonly revision: number
}

export type DocumentName = { readonly bucket: string; readonly id: string }

export type Write = DocumentName & {
  /** Undefined deletes the document. */
  readonly value: string | undefined
  /** Milliseconds since the epoch. A document without this property never expires. */
  readonly expiresAt?: number
}

export type Expected = DocumentName & {
  /** The revision 0 means that the document must not exist. */
  readonly revision: number
}

/** Text documents in named buckets. */
export type Documents = {
  readonly get: (bucket: string, id: string) => Promise<Document | undefined>
  readonly all: (bucket: string) => Promise<ReadonlyMap<string, Document>>
  /** Writes all documents, or nothing and returns false if the expected revision differs. */
  readonly write: (writes: readonly Write[], expected?: Expected) => Promise<boolean>
}

/** Maximum number of events in any window of this length. */
export type Limit = { readonly windowMs: number; readonly max: number }

export type Taken =
  | {
      readonly ok: true
      /** Identifies the event when releasing it or adding it again. */
      readonly id: string
      /** Number of events in each limit's window, including this one. */
      readonly used: readonly number[]
    }
  | { readonly ok: false; readonly retryAfterMs: number }

/** A rate limiter with named sliding windows. */
export type RateLimiter = {
  /** Counts an event at the current time, unless that would exceed a limit. */
  readonly take: (name: string, limits: readonly Limit[]) => Promise<Taken>
  /** Removes an event that was counted but did not happen. */
  readonly release: (name: string, id: string) => Promise<void>
}

/** Named sliding windows that count events. Events are deleted after a day. */
export type Windows = RateLimiter & {
  /** Adds events by id, with their original times in milliseconds since the epoch. Ignores known ids. */
  readonly add: (name: string, events: ReadonlyMap<string, number>) => Promise<void>
  readonly count: (name: string, windowMs: number) => Promise<number>
}

/** Named leases, each with one holder at a time among all replicas. */
export type Leases = {
  /** Acquires or renews the lease for `ttlMs`. Resolves to false if another holder has it. */
  readonly take: (name: string, holder: string, ttlMs: number) => Promise<boolean>
  readonly release: (name: string, holder: string) => Promise<void>
}

export type StoredDocument = Document & DocumentName & { readonly expiresAt?: number }

export type StoredWindowEvent = {
  readonly window: string
  readonly id: string
  readonly at: number
}

export type StoredItem = StoredDocument | StoredWindowEvent

export function isDocument(item: StoredItem): item is StoredDocument {
  return 'bucket' in item
}

export type ReplaceCondition = {
  /** Bucket that must be empty. Undefined means that all buckets must be empty. */
  readonly emptyBucket: string | undefined
  readonly expected?: Expected
}

/** Documents whose changes can be detected without reading them. */
export type VersionedDocuments = {
  readonly documents: Documents
  /** Changes whenever a document's value does. Undefined if only reading reveals changes. */
  readonly version: () => string | undefined
}

/** Shows whether a change survives even if the store loses it and the process that made it ends. */
export type Confirmation = {
  /** Number of other running services that share the store. */
  readonly services: number
  /** How many of these services remember the change. */
  readonly confirming: number
}

export type Store = VersionedDocuments &
  AsyncDisposable & {
    /**
     * True if only one process at a time may write. If the store is unreachable, another process may
     * have taken over.
     */
    readonly isOwned?: boolean
    readonly windows: Windows
    readonly leases: Leases
    /**
     * Writes back documents that the store has lost, if this process remembers them. Resolves to the
     * buckets that were lost since the last call. Undefined if the store never loses any.
     */
    readonly keep?: () => Promise<readonly string[]>
    /** Lets other processes know which documents this running service would write back. */
    readonly announce?: () => Promise<void>
    /** Lets other processes know that this service ends. Does nothing if the store is down. */
    readonly withdraw?: () => Promise<void>
    /**
     * Waits at most five seconds for all other running services to remember the latest writes of this
     * process to these buckets. Undefined if the store never loses any.
     */
    readonly confirmed?: (buckets: readonly string[]) => Promise<Confirmation>
    /** Returns the buckets that have been lost, and that no process can write back. */
    readonly lost?: () => readonly string[]
    /** Returns the documents in a lost bucket whose latest changes have been lost. */
    readonly outdated?: (bucket: string) => readonly string[]
    /** True for a store in a file, which can only lose documents if the file is moved or deleted. */
    readonly isFile?: boolean
    /**
     * Returns the hosts and ports of the other stores, in the same directory or Redis server, that
     * have a document in this bucket or cannot be read. Skips the given hosts without opening their
     * stores.
     */
    readonly otherHosts: (
      bucket: string,
      except?: ReadonlySet<string>,
    ) => Promise<readonly string[]>
    /** Returns all documents and events as of a single moment. Does not block writers. */
    readonly snapshot: () => AsyncIterable<StoredItem>
    /**
     * Replaces all documents with the given documents and their revisions, and adds the given events
     * to the existing events. Changes nothing if reading the items fails. Returns false if the
     * condition is not met.
     */
    readonly replace: (
      items: AsyncIterable<StoredItem>,
      condition: ReplaceCondition,
    ) => Promise<boolean>
  }

export const maxWindowMs = 24 * 60 * 60 * 1000

const maxAttempts = 5

/** Repeats an attempt to change documents until it returns a result, but only a few times. */
export async function retryWrite<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  return undefined
}

/**
 * Replaces the JSON in a document with the result of `next`, unless they are equal. Resolves to the
 * new value, or to undefined if other processes keep changing the document.
 */
export function updatedState<T>(
  documents: Documents,
  name: DocumentName,
  next: (before: T | undefined) => T,
): Promise<T | undefined> {
  return retryWrite(async () => {
    const stored = await documents.get(name.bucket, name.id)
    const before = parsedJson(stored?.value ?? '') as T | undefined
    const after = next(before)
    if (isDeepStrictEqual(after, before)) return after
    const expected = { ...name, revision: stored?.revision ?? 0 }
    const write = { ...name, value: JSON.stringify(after) }
    return (await documents.write([write], expected)) ? after : undefined
  })
}

/** Returns a function that loads documents, unless the store is the same as after the latest success. */
export function loadChanges(
  { version }: { readonly version: Store['version'] },
  load: () => Promise<boolean>,
): () => Promise<void> | undefined {
  let loaded: string | undefined

  async function loadVersion(current: string | undefined): Promise<void> {
    loaded = (await load()) ? current : undefined
  }

  return () => {
    const current = version()
    return current !== undefined && current === loaded ? undefined : loadVersion(current)
  }
}

import { randomUUID } from 'node:crypto'
import { lossBucket } from './losses.ts'
import type { Write } from './store.ts'

/*
 * Redis can lose a bucket at any time: it evicts the key, restarts without persistence, or fails over
 * to a server that has not received the latest writes. Each kept bucket therefore contains a mark,
 * and each process remembers the contents. A bucket without the remembered mark has been lost.
 */

/** Buckets whose contents can be neither read from the website nor computed again. */
export const keptBuckets: readonly string[] = [
  'settings',
  'identity',
  'links',
  'links-version',
  'link-uses',
  'followers',
  'followers-version',
  'followers-state',
  'admin-sessions',
  'admin-browsers',
  'refresh-token',
  'presentation',
  lossBucket,
]

/** Id of the mark in a kept bucket. It has the format of a document, for earlier versions. */
export const markId = ':kept'

/** Expiry time of a deleted document in a kept bucket. Its value is the time of the deletion. */
export const deletedExpiry = '1'

/** Identifies the state of a bucket. */
export type Mark = {
  /**
   * Time of the bucket's creation, a random id, and another one that each restoration replaces.
   * Empty for a bucket without a mark.
   */
  readonly origin: string
  /**
   * Increases with every write to the bucket, and is never less than the time at which the bucket
   * was created, or was accepted after a loss. This makes it later than that of all earlier states.
   */
  readonly revision: number
}

export type KeptBucket = Mark & {
  /** The stored form of each document by id, including deleted documents. */
  readonly documents: ReadonlyMap<string, string>
}

/** How long a deletion is remembered. Processes learn of it within seconds. */
const deletedMs = 24 * 60 * 60 * 1000

const timeDigits = 14

/** Creates an origin. Origins sort by the time of their creation. */
export function newOrigin(now: number): string {
  return `${String(now).padStart(timeDigits, '0')}-${randomUUID()}`
}

/** Returns the part of an origin that restorations keep. */
function creationOf(origin: string): string {
  return origin.split('/', 1).join()
}

export function restoredOrigin(origin: string): string {
  return `${creationOf(origin)}/${randomUUID()}`
}

export function markFrom(stored: string | null | undefined): Mark {
  const [, revision = '0', origin = ''] = /^(\d+)::(.*)$/.exec(stored ?? '') ?? []
  return { origin, revision: Number(revision) }
}

export function storedMark({ origin, revision }: Mark): string {
  return `${revision}::${origin}`
}

export function bucketFrom(fields: Readonly<Record<string, string>>, now: number): KeptBucket {
  const { [markId]: mark, ...documents } = fields
  const present = Object.entries(documents).filter(([, stored]) => isKnown(stored, now))
  return { ...markFrom(mark), documents: new Map(present) }
}

/** Returns false for a document that has expired, or was deleted a while ago. */
export function isKnown(stored: string, now: number): boolean {
  const [head = '', , expiry = ''] = /^(\d+):(\d*):/.exec(stored) ?? []
  if (expiry === deletedExpiry) return now < Number(stored.slice(head.length)) + deletedMs
  return expiry === '' || Number(expiry) > now
}

/** What shows that a bucket has existed before. */
type Evidence = {
  readonly isListed: boolean
  readonly recorded: Mark | undefined
  /** Revision of the bucket's mark in the site's other kind of store, or 0. */
  readonly otherRevision: number
}

/**
 * Returns true if a bucket, of which nothing is remembered, has existed before and is now missing,
 * or is an earlier state of itself.
 */
export function isLostBucket(
  stored: KeptBucket,
  { isListed, recorded, otherRevision }: Evidence,
): boolean {
  const hasExisted = isListed || recorded !== undefined || otherRevision > 0
  if (stored.origin === '') return stored.documents.size === 0 && hasExisted
  if (stored.revision < otherRevision) return true
  return recorded !== undefined && isEarlier(stored, recorded)
}

/** Returns true for the mark of an earlier state of a bucket, or of an earlier bucket. */
export function isEarlier(mark: Mark, recorded: Mark): boolean {
  const isNewer = creationOf(mark.origin) > creationOf(recorded.origin)
  return !isNewer && mark.revision < recorded.revision
}

/** Returns true if the bucket has the remembered contents, or has only been written to since. */
export function follows(mark: Mark, held: Mark): boolean {
  if (held.origin === '') return true
  return mark.origin === held.origin && mark.revision >= held.revision
}

/**
 * Adds the remembered contents to those of a bucket that has been lost. For each document, the
 * higher revision wins. Documents that a process without this memory stored in a new bucket are only
 * added.
 */
export function restoredBucket(held: KeptBucket, stored: KeptBucket): KeptBucket {
  const [heldSince, storedSince] = [creationOf(held.origin), creationOf(stored.origin)]
  const isOlder = stored.origin === '' || heldSince <= storedSince
  const [older, newer] = isOlder ? [held, stored] : [stored, held]
  const documents = new Map([...newer.documents, ...older.documents])
  if (heldSince === storedSince) {
    for (const [id, text] of stored.documents) {
      if (revisionOf(text) >= revisionOf(held.documents.get(id))) documents.set(id, text)
    }
  }
  const isComplete = [...documents].every(([id, text]) => stored.documents.get(id) === text)
  if (isComplete && (!isOlder || heldSince === storedSince)) return stored
  const revision = Math.max(held.revision, stored.revision)
  return { origin: restoredOrigin(older.origin), revision, documents }
}

/** Returns the bucket after writes that the store has confirmed, in which nothing else has changed. */
export function writtenBucket(
  held: KeptBucket,
  mark: Mark,
  { writes, now }: { readonly writes: readonly Write[]; readonly now: number },
): KeptBucket {
  const documents = new Map(held.documents)
  for (const { id, value, expiresAt = '' } of writes) {
    const known = documents.get(id)
    const revision = revisionOf(known) + 1
    if (value !== undefined) documents.set(id, `${revision}:${expiresAt}:${value}`)
    else if (known !== undefined) documents.set(id, `${revision}:${deletedExpiry}:${now}`)
  }
  return { ...mark, documents }
}

/** Returns the revision of a stored document, which is 0 if there is none. */
export function revisionOf(stored: string | undefined): number {
  return Number.parseInt(stored ?? '0', 10)
}

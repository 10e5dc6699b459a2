import type { Collection } from '../collections/collection.ts'
import type { CollectionReader, Collections } from '../collections/collections.ts'
import type { FeedRequest } from '../feeds/feed.ts'
import { resourcesOf, type Target } from './target.ts'

export type SourceCopies = ReturnType<typeof copiesOf>

/** Identifies the version of all records that a target shows. */
export type Ledgers = readonly Collection['ledger'][]

/** Returns the last good copies of the records that a target shows. Omits sources without a copy. */
export function copiesOf(target: Target, { copyOf }: CollectionReader) {
  const { sources, memberId } = target
  return {
    sources: sources.flatMap((feed) => {
      const source: Collection | undefined = copyOf(feed.resource)
      return source ? [{ feed, source }] : []
    }),
    /** The records for the member's own entries, if the target has a member. */
    personal: memberId === undefined ? undefined : personalCopies(memberId, copyOf),
    /** All of these copies, without duplicates. */
    collections: resourcesOf(target).flatMap((resource) => copyOf(resource) ?? []),
  }
}

export function personalCopies(
  memberId: number,
  copyOf: Collections['copyOf'],
): NonNullable<FeedRequest['personal']> {
  return {
    memberId,
    members: copyOf('members'),
    signup: copyOf('signup'),
    training: copyOf('training'),
  }
}

/**
 * Waits for the first copy of each source, and returns the copies that exist. Rejects with
 * `CollectionUnavailable` only if no feed has a copy, so that one failing source does not take down
 * a combined feed.
 */
export async function readCopies(
  target: Target,
  collections: CollectionReader,
): Promise<SourceCopies> {
  const reads = await Promise.allSettled(
    resourcesOf(target).map((resource) => collections.read(resource)),
  )
  const copies = copiesOf(target, collections)
  const failed = reads.find((read) => read.status === 'rejected')
  const isEmpty = (target.sources.length === 0 ? copies.collections : copies.sources).length === 0
  if (isEmpty && failed) throw failed.reason
  return copies
}

export function ledgersOf({ collections }: SourceCopies): Ledgers {
  return collections.map(({ ledger }) => ledger)
}

export function areSameLedgers(a: Ledgers, b: Ledgers): boolean {
  return a.length === b.length && a.every((ledger, index) => ledger === b[index])
}

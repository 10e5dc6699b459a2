import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Target } from './target.ts'

/** Last good copies of the records that a target shows. A source without a copy is left out. */
export type SourceCopies = readonly {
  readonly feed: Feed
  readonly collection: Collection
}[]

/** Identifies the version of all records that a target shows. */
export type Ledgers = readonly Collection['ledger'][]

export function copiesOf(
  { sources }: Target,
  collections: Pick<Collections, 'copyOf'>,
): SourceCopies {
  return sources.flatMap((feed) => {
    const collection = collections.copyOf(feed.resource)
    return collection ? [{ feed, collection }] : []
  })
}

/**
 * Returns the copies that exist after waiting for the first copy of each source. Rejects with
 * `CollectionUnavailable` only if no source has a copy, so that one failing source does not take down
 * a combined feed.
 */
export async function readCopies(
  target: Target,
  collections: Pick<Collections, 'copyOf' | 'read'>,
): Promise<SourceCopies> {
  const reads = await Promise.allSettled(
    target.sources.map(({ resource }) => collections.read(resource)),
  )
  const copies = copiesOf(target, collections)
  const failed = reads.find((read) => read.status === 'rejected')
  if (copies.length === 0 && failed) throw failed.reason
  return copies
}

export function ledgersOf(copies: SourceCopies): Ledgers {
  return copies.map(({ collection }) => collection.ledger)
}

export function areSameLedgers(a: Ledgers, b: Ledgers): boolean {
  return a.length === b.length && a.every((ledger, index) => ledger === b[index])
}

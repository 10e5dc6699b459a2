import type { Collection } from '../../src/collections/collection.ts'
import type { FeedResource } from '../../src/records/resources.ts'

/** Creates collections that always return the same collection, which the test can change. */
export function oneCollection(first: Collection) {
  const listeners: (() => void)[] = []
  const source = {
    collection: first,
    readers: 0,
    change(collection: Collection) {
      source.collection = collection
      for (const listener of listeners) listener()
    },
  }
  const now = <R extends FeedResource>() => source.collection as Collection<R>
  const collections = {
    async read<R extends FeedResource>() {
      source.readers += 1
      return now<R>()
    },
    copyOf: now,
    recordRead: () => void (source.readers += 1),
    onChange: (listener: () => void) => void listeners.push(listener),
  }
  return { source, collections }
}

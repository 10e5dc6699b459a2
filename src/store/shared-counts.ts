import { openedOnUse } from './opened-on-use.ts'
import type { Store } from './store.ts'
import type { Counted } from './take-from-all.ts'

/** Counts events of all sites together. */
export type SharedCounts = Counted['windows']

/** Counts in a store that is opened when it is first needed. */
export function createSharedCounts(open: () => Promise<Store>): SharedCounts & AsyncDisposable {
  const store = openedOnUse(open)
  return {
    take: async (name, limits) => (await store.opened()).windows.take(name, limits),
    release: async (name, id) => (await store.opened()).windows.release(name, id),
    [Symbol.asyncDispose]: store[Symbol.asyncDispose],
  }
}

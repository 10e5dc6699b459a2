import type { Store } from './store.ts'
import type { Counted } from './take-from-all.ts'

/** Counts events of all sites together. */
export type SharedCounts = Counted['windows']

/** Counts in a store that is opened when it is first needed. */
export function createSharedCounts(open: () => Promise<Store>): SharedCounts & AsyncDisposable {
  let opening: Promise<Store> | undefined

  function opened(): Promise<Store> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    take: async (name, limits) => (await opened()).windows.take(name, limits),
    release: async (name, id) => (await opened()).windows.release(name, id),
    async [Symbol.asyncDispose]() {
      const store = await opening?.catch(() => undefined)
      await store?.[Symbol.asyncDispose]()
    },
  }
}

import type { Store } from '../../src/store/store.ts'
import { oneTurn } from './fake-clock.ts'

/** Counts asynchronous work, so that a fake clock advances only when none is pending. */
export function createWorkCounter() {
  let underWay = 0
  let allDone = Promise.withResolvers<void>()

  function started(): void {
    if (underWay === 0) allDone = Promise.withResolvers()
    underWay += 1
  }

  function finished(): void {
    underWay -= 1
    if (underWay === 0) allDone.resolve()
  }

  return {
    started,
    finished,
    /** Counts `work` until it settles. */
    counted: async <T>(work: () => Promise<T>): Promise<T> => {
      started()
      try {
        return await work()
      } finally {
        finished()
      }
    },
    /** Resolves once nothing has been pending for two turns of the event loop. */
    settled: async (): Promise<void> => {
      for (let quietTurns = 0; quietTurns < 2; quietTurns += 1) {
        await oneTurn()
        if (underWay === 0) continue
        await allDone.promise
        quietTurns = -1
      }
    },
  }
}

/** Returns the store with every operation counted as work. */
export function countedStore(
  store: Store,
  { counted }: Pick<ReturnType<typeof createWorkCounter>, 'counted'>,
): Store {
  const part = <P extends object>(methods: P): P =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (...args: readonly unknown[]) => counted(() => method(...args)),
      ]),
    ) as P
  return {
    ...store,
    documents: part(store.documents),
    windows: part(store.windows),
    leases: part(store.leases),
    ...(store.keep ? part({ keep: store.keep }) : {}),
  }
}

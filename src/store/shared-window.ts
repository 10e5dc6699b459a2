import { randomUUID } from 'node:crypto'
import { singleFlight } from '../clock.ts'
import { createLocalWindow, type Outage, type ShareOf } from './local-window.ts'
import { withFallback } from './store-error.ts'
import type { Limit, Store, Taken } from './store.ts'

export type SharedWindow = {
  readonly take: (limits: readonly Limit[]) => Promise<Taken>
  readonly release: (id: string) => Promise<void>
  readonly add: (instants: readonly number[]) => Promise<void>
  readonly count: (windowMs: number) => Promise<number>
}

/**
 * Creates a rate-limit window. While the store is down, this replica only uses its share. Afterwards, it
 * adds its events from the last day to the store again, in case the store has lost them.
 */
export function createSharedWindow(
  windows: Store['windows'],
  name: string,
  { shareOf, now }: { readonly shareOf: ShareOf; readonly now: () => number },
): SharedWindow {
  const local = createLocalWindow(shareOf, now)
  let outage: Outage | undefined

  /** Rejects while the store is down. */
  const replay = singleFlight(async () => {
    if (!outage || outage.isReplayed) return
    // Set first, because an event counted without the store during the replay requires another one.
    outage.isReplayed = true
    await windows.add(name, local.own).catch((error: unknown) => {
      if (outage) outage.isReplayed = false
      throw error
    })
  })

  /** Runs `work` on the store, or `without` while the store is down. */
  async function withStore<T>(work: () => Promise<T>, without: (outage: Outage) => T): Promise<T> {
    const replayAndWork = async () => {
      if (outage) await replay()
      const result = await work()
      if (outage?.isReplayed) outage = undefined
      return result
    }
    return withFallback(replayAndWork, () => {
      outage ??= { since: now(), ids: new Set(), isReplayed: false }
      // The clock may have been ahead when the outage began.
      outage.since = Math.min(outage.since, now())
      return without(outage)
    })
  }

  async function takeShared(limits: readonly Limit[]): Promise<Taken> {
    const result = await windows.take(name, limits)
    if (!result.ok) return result
    local.note(result.id, now())
    limits.forEach(({ windowMs }, index) => local.setUsed(windowMs, result.used[index] ?? 0))
    return result
  }

  return {
    take: (limits) =>
      withStore(
        () => takeShared(limits),
        (current) => local.take(current, limits),
      ),
    async release(id) {
      local.forget(id)
      await withStore(
        () => windows.release(name, id),
        () => undefined,
      )
    },
    add: (instants) =>
      withStore(
        () => windows.add(name, new Map(instants.map((at) => [randomUUID(), at]))),
        (current) => {
          for (const at of instants) local.add(current, at)
        },
      ),
    count: (windowMs) =>
      withStore(
        async () => {
          const used = await windows.count(name, windowMs)
          local.setUsed(windowMs, used)
          return used
        },
        (current) => local.count(current, windowMs),
      ),
  }
}

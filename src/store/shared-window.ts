import { StoreError } from './store-error.ts'
import type { Limit, Store, Taken } from './store.ts'

/** How long nothing is taken after the store is gone: others may have used the present minute. */
const standstillMs = 60_000

/** One window of a store, which goes on without the store. */
export type SharedWindow = {
  readonly take: (limits: readonly Limit[]) => Promise<Taken>
  readonly giveBack: (id: string) => Promise<void>
  readonly add: (instants: readonly number[]) => Promise<void>
  readonly count: (windowMs: number) => Promise<number>
}

/** Since when the store is gone, and what was counted meanwhile. */
type Alone = { readonly since: number; readonly happenings: Map<string, number> }

/**
 * While the store cannot be used, this replica takes no more than its share: of what was left when
 * the store was last seen, and once that window is over, of the whole. What it took is counted in
 * the store when that is back.
 */
export function createSharedWindow(
  windows: Store['windows'],
  name: string,
  { replicas, now }: { readonly replicas: () => number; readonly now: () => number },
): SharedWindow {
  const usedBefore = new Map<number, number>()
  let alone: Alone | undefined
  let rejoining: Promise<void> | undefined
  let lastId = 0

  function rejoin(): Promise<void> | undefined {
    if (!alone || alone.happenings.size === 0) return undefined
    rejoining ??= countAfterwards(alone).finally(() => {
      rejoining = undefined
    })
    return rejoining
  }

  async function countAfterwards({ happenings }: Alone): Promise<void> {
    const ids = [...happenings.keys()]
    await windows.add(name, [...happenings.values()])
    for (const id of ids) happenings.delete(id)
  }

  async function withStore<T>(work: () => Promise<T>, without: (alone: Alone) => T): Promise<T> {
    try {
      await rejoin()
      const result = await work()
      if (alone?.happenings.size === 0) alone = undefined
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      alone ??= { since: now(), happenings: new Map() }
      return without(alone)
    }
  }

  function note({ happenings }: Alone, at: number): string {
    lastId += 1
    const id = `alone-${lastId}`
    happenings.set(id, at)
    return id
  }

  const countAlone = ({ happenings }: Alone, windowMs: number) =>
    [...happenings.values()].filter((at) => at > now() - windowMs).length

  function waitAloneMs(state: Alone, { windowMs, most }: Limit): number {
    const isFirstWindow = now() < state.since + windowMs
    const left = isFirstWindow ? most - (usedBefore.get(windowMs) ?? most) : most
    const share = Math.max(0, Math.floor(left / replicas()))
    if (countAlone(state, windowMs) < share) return 0
    const blocking = share === 0 ? undefined : [...state.happenings.values()].at(-share)
    const from = isFirstWindow || blocking === undefined ? state.since : blocking
    return Math.max(1, from + windowMs - now())
  }

  return {
    take: (limits) =>
      withStore<Taken>(
        async () => {
          const result = await windows.take(name, limits)
          if (!result.ok) return result
          limits.forEach(({ windowMs }, index) => usedBefore.set(windowMs, result.used[index] ?? 0))
          return result
        },
        (state) => {
          const waitsMs = limits.map((limit) => waitAloneMs(state, limit))
          const retryAfterMs = Math.max(state.since + standstillMs - now(), ...waitsMs)
          if (retryAfterMs > 0) return { ok: false, retryAfterMs }
          const id = note(state, now())
          return { ok: true, id, used: limits.map(({ windowMs }) => countAlone(state, windowMs)) }
        },
      ),
    async giveBack(id) {
      if (alone?.happenings.delete(id)) return
      await withStore(
        () => windows.giveBack(name, id),
        () => undefined,
      )
    },
    add: (instants) =>
      withStore(
        () => windows.add(name, instants),
        (state) => {
          for (const at of instants) note(state, at)
        },
      ),
    count: (windowMs) =>
      withStore(
        async () => {
          const used = await windows.count(name, windowMs)
          usedBefore.set(windowMs, used)
          return used
        },
        (state) => (usedBefore.get(windowMs) ?? 0) + countAlone(state, windowMs),
      ),
  }
}

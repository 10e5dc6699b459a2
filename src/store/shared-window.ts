import { StoreError } from './store-error.ts'
import { longestWindowMs, type Limit, type Store, type Taken } from './store.ts'

/** How long nothing is taken after the store is gone: others may have used the present minute. */
const standstillMs = 70_000

/** One window of a store, which goes on without the store. */
export type SharedWindow = {
  readonly take: (limits: readonly Limit[]) => Promise<Taken>
  readonly giveBack: (id: string) => Promise<void>
  readonly add: (instants: readonly number[]) => Promise<void>
  readonly count: (windowMs: number) => Promise<number>
}

/** What a replica may take by itself of a limit; may be less than one. */
export type ShareOf = (limit: Limit, usedBefore: number) => number

/** A replica by itself, because the store is gone. */
type Alone = {
  since: number
  /** What was counted here, by id; and of that what the store does not know yet. */
  readonly happenings: Map<string, number>
  readonly untold: Set<string>
}

/**
 * While the store cannot be used, this replica takes no more than its share, and tells what it took
 * when the store is back.
 */
export function createSharedWindow(
  windows: Store['windows'],
  name: string,
  { shareOf, now }: { readonly shareOf: ShareOf; readonly now: () => number },
): SharedWindow {
  const usedBefore = new Map<number, number>()
  let alone: Alone | undefined
  let telling: Promise<void> | undefined
  let lastId = 0

  /** Rejects while the store is gone. */
  async function tellStore(state: Alone): Promise<void> {
    const ids = [...state.untold]
    if (ids.length === 0) return
    await windows.add(
      name,
      ids.map((id) => state.happenings.get(id) ?? now()),
    )
    for (const id of ids) state.untold.delete(id)
  }

  /** What the store says; without the store, what this replica knows. */
  async function withStore<T>(work: () => Promise<T>, without: (alone: Alone) => T): Promise<T> {
    try {
      if (alone) {
        telling ??= tellStore(alone).finally(() => {
          telling = undefined
        })
        await telling
      }
      const result = await work()
      if (alone?.untold.size === 0) alone = undefined
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      alone ??= { since: now(), happenings: new Map(), untold: new Set() }
      // It was noted by a clock that was ahead.
      if (alone.since > now()) alone.since = now()
      return without(alone)
    }
  }

  function note(state: Alone, at: number): string {
    lastId += 1
    const id = `alone-${lastId}`
    for (const [oldId, oldAt] of state.happenings) {
      if (oldAt > now() - longestWindowMs) break
      state.happenings.delete(oldId)
      state.untold.delete(oldId)
    }
    state.happenings.set(id, at)
    state.untold.add(id)
    return id
  }

  /** Whether the window may still hold what was counted in the store. */
  const isFirst = ({ since }: Alone, windowMs: number) => now() < since + windowMs

  const countAlone = ({ happenings }: Alone, windowMs: number) =>
    [...happenings.values()].filter((at) => at > now() - windowMs).length

  function takeAlone(state: Alone, limits: readonly Limit[]): Taken {
    const waitsMs = limits.map((limit) => waitAloneMs(state, limit))
    const retryAfterMs = Math.max(state.since + standstillMs - now(), ...waitsMs)
    if (retryAfterMs > 0) return { ok: false, retryAfterMs }
    const id = note(state, now())
    return { ok: true, id, used: limits.map(({ windowMs }) => countAlone(state, windowMs)) }
  }

  function waitAloneMs(state: Alone, limit: Limit): number {
    const { windowMs, most } = limit
    const before = isFirst(state, windowMs) ? (usedBefore.get(windowMs) ?? most) : 0
    const share = shareOf(limit, before)
    if (share <= 0) return windowMs
    // Less than one in a window is one in a longer window.
    const stretchedMs = share < 1 ? windowMs / share : windowMs
    const whole = Math.max(1, Math.floor(share))
    if (countAlone(state, stretchedMs) < whole) return 0
    const blocking = [...state.happenings.values()].at(-whole) ?? now()
    return Math.max(1, Math.ceil(blocking + stretchedMs - now()))
  }

  async function takeShared(limits: readonly Limit[]): Promise<Taken> {
    const result = await windows.take(name, limits)
    if (!result.ok) return result
    limits.forEach(({ windowMs }, index) => usedBefore.set(windowMs, result.used[index] ?? 0))
    return result
  }

  return {
    take: (limits) =>
      withStore(
        () => takeShared(limits),
        (state) => takeAlone(state, limits),
      ),
    async giveBack(id) {
      if (alone?.untold.delete(id)) {
        alone.happenings.delete(id)
        return
      }
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
        (state) => {
          const before = isFirst(state, windowMs) ? (usedBefore.get(windowMs) ?? 0) : 0
          return before + countAlone(state, windowMs)
        },
      ),
  }
}

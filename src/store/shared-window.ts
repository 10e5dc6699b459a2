import { randomUUID } from 'node:crypto'
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
  /** What was taken since. */
  readonly ids: Set<string>
  isTold: boolean
}

/**
 * While the store cannot be used, this replica takes no more than its share. When the store is back,
 * it is told all that this replica has taken in the last day: it may have lost what it knew.
 */
export function createSharedWindow(
  windows: Store['windows'],
  name: string,
  { shareOf, now }: { readonly shareOf: ShareOf; readonly now: () => number },
): SharedWindow {
  const usedBefore = new Map<number, number>()
  /** What this replica has taken, with the store or alone. */
  const own = new Map<string, number>()
  let alone: Alone | undefined
  let telling: Promise<void> | undefined

  /** Rejects while the store is gone. */
  async function tellStore(state: Alone): Promise<void> {
    if (state.isTold) return
    state.isTold = true
    await windows.add(name, own).catch((error: unknown) => {
      state.isTold = false
      throw error
    })
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
      if (alone?.isTold) alone = undefined
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      alone ??= { since: now(), ids: new Set(), isTold: false }
      // It was noted by a clock that was ahead.
      if (alone.since > now()) alone.since = now()
      return without(alone)
    }
  }

  function note(id: string, at: number): void {
    for (const [oldId, oldAt] of own) {
      if (oldAt > now() - longestWindowMs) break
      own.delete(oldId)
      alone?.ids.delete(oldId)
    }
    own.set(id, at)
  }

  function noteAlone(state: Alone, at: number): string {
    const id = randomUUID()
    note(id, at)
    state.ids.add(id)
    state.isTold = false
    return id
  }

  /** Whether the window may still hold what was counted in the store. */
  const isFirst = ({ since }: Alone, windowMs: number) => now() < since + windowMs

  const takenAlone = ({ ids }: Alone) => [...ids].flatMap((id) => own.get(id) ?? [])

  const countAlone = (state: Alone, windowMs: number) =>
    takenAlone(state).filter((at) => at > now() - windowMs).length

  function takeAlone(state: Alone, limits: readonly Limit[]): Taken {
    const waitsMs = limits.map((limit) => waitAloneMs(state, limit))
    const retryAfterMs = Math.max(state.since + standstillMs - now(), ...waitsMs)
    if (retryAfterMs > 0) return { ok: false, retryAfterMs }
    const id = noteAlone(state, now())
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
    const blocking = takenAlone(state).at(-whole) ?? now()
    return Math.max(1, Math.ceil(blocking + stretchedMs - now()))
  }

  async function takeShared(limits: readonly Limit[]): Promise<Taken> {
    const result = await windows.take(name, limits)
    if (!result.ok) return result
    note(result.id, now())
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
      own.delete(id)
      await withStore(
        () => windows.giveBack(name, id),
        () => undefined,
      )
    },
    add: (instants) =>
      withStore(
        () => windows.add(name, new Map(instants.map((at) => [randomUUID(), at]))),
        (state) => {
          for (const at of instants) noteAlone(state, at)
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

import { randomUUID } from 'node:crypto'
import { StoreError } from './store-error.ts'
import { maxWindowMs, type Limit, type Store, type Taken } from './store.ts'

/** How long nothing is taken after the store is gone: others may have used the present minute. */
const cooldownMs = 70_000

/** One window of a store, which goes on without the store. */
export type SharedWindow = {
  readonly take: (limits: readonly Limit[]) => Promise<Taken>
  readonly release: (id: string) => Promise<void>
  readonly add: (instants: readonly number[]) => Promise<void>
  readonly count: (windowMs: number) => Promise<number>
}

/** What a replica may take by itself of a limit; may be less than one. */
export type ShareOf = (limit: Limit, usedBefore: number) => number

/** A replica by itself, because the store is gone. */
type LocalMode = {
  since: number
  /** What was taken since. */
  readonly ids: Set<string>
  isReplayed: boolean
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
  let localMode: LocalMode | undefined
  let replaying: Promise<void> | undefined

  /** Rejects while the store is gone. */
  async function replayToStore(state: LocalMode): Promise<void> {
    if (state.isReplayed) return
    state.isReplayed = true
    await windows.add(name, own).catch((error: unknown) => {
      state.isReplayed = false
      throw error
    })
  }

  /** What the store says; without the store, what this replica knows. */
  async function withStore<T>(
    work: () => Promise<T>,
    without: (localMode: LocalMode) => T,
  ): Promise<T> {
    try {
      if (localMode) {
        replaying ??= replayToStore(localMode).finally(() => {
          replaying = undefined
        })
        await replaying
      }
      const result = await work()
      if (localMode?.isReplayed) localMode = undefined
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      localMode ??= { since: now(), ids: new Set(), isReplayed: false }
      // It was noted by a clock that was ahead.
      if (localMode.since > now()) localMode.since = now()
      return without(localMode)
    }
  }

  function note(id: string, at: number): void {
    for (const [oldId, oldAt] of own) {
      if (oldAt > now() - maxWindowMs) break
      own.delete(oldId)
      localMode?.ids.delete(oldId)
    }
    own.set(id, at)
  }

  function noteLocal(state: LocalMode, at: number): string {
    const id = randomUUID()
    note(id, at)
    state.ids.add(id)
    state.isReplayed = false
    return id
  }

  /** Whether the window may still hold what was counted in the store. */
  const isFirst = ({ since }: LocalMode, windowMs: number) => now() < since + windowMs

  const takenLocally = ({ ids }: LocalMode) => [...ids].flatMap((id) => own.get(id) ?? [])

  const countLocal = (state: LocalMode, windowMs: number) =>
    takenLocally(state).filter((at) => at > now() - windowMs).length

  function takeLocal(state: LocalMode, limits: readonly Limit[]): Taken {
    const waitsMs = limits.map((limit) => localWaitMs(state, limit))
    const retryAfterMs = Math.max(state.since + cooldownMs - now(), ...waitsMs)
    if (retryAfterMs > 0) return { ok: false, retryAfterMs }
    const id = noteLocal(state, now())
    return { ok: true, id, used: limits.map(({ windowMs }) => countLocal(state, windowMs)) }
  }

  function localWaitMs(state: LocalMode, limit: Limit): number {
    const { windowMs, max } = limit
    const before = isFirst(state, windowMs) ? (usedBefore.get(windowMs) ?? max) : 0
    const share = shareOf(limit, before)
    if (share <= 0) return windowMs
    // Less than one in a window is one in a longer window.
    const stretchedMs = share < 1 ? windowMs / share : windowMs
    const whole = Math.max(1, Math.floor(share))
    if (countLocal(state, stretchedMs) < whole) return 0
    const blocking = takenLocally(state).at(-whole) ?? now()
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
        (state) => takeLocal(state, limits),
      ),
    async release(id) {
      own.delete(id)
      await withStore(
        () => windows.release(name, id),
        () => undefined,
      )
    },
    add: (instants) =>
      withStore(
        () => windows.add(name, new Map(instants.map((at) => [randomUUID(), at]))),
        (state) => {
          for (const at of instants) noteLocal(state, at)
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
          return before + countLocal(state, windowMs)
        },
      ),
  }
}

import { randomUUID } from 'node:crypto'
import { withFallback } from './store-error.ts'
import { maxWindowMs, type Limit, type Store, type Taken } from './store.ts'

/** Pause after losing the store: other replicas may have used up the current minute. */
const cooldownMs = 70_000

/** A rate-limit window with a local fallback while the store is down. */
export type SharedWindow = {
  readonly take: (limits: readonly Limit[]) => Promise<Taken>
  readonly release: (id: string) => Promise<void>
  readonly add: (instants: readonly number[]) => Promise<void>
  readonly count: (windowMs: number) => Promise<number>
}

/** Returns the part of a limit that a replica may use on its own; may be less than one. */
export type ShareOf = (limit: Limit, usedBefore: number) => number

/** State of a replica while the store is down. */
type LocalMode = {
  since: number
  /** Events taken since then. */
  readonly ids: Set<string>
  isReplayed: boolean
}

/**
 * Creates a window. While the store is down, this replica takes only its share. When the store is back,
 * it gets all events of this replica from the last day again, since it may have lost them.
 */
export function createSharedWindow(
  windows: Store['windows'],
  name: string,
  { shareOf, now }: { readonly shareOf: ShareOf; readonly now: () => number },
): SharedWindow {
  const usedBefore = new Map<number, number>()
  /** All events of this replica, with or without the store. */
  const own = new Map<string, number>()
  let localMode: LocalMode | undefined
  let replaying: Promise<void> | undefined

  /** Rejects while the store is down. */
  async function replayToStore(state: LocalMode): Promise<void> {
    if (state.isReplayed) return
    state.isReplayed = true
    await windows.add(name, own).catch((error: unknown) => {
      state.isReplayed = false
      throw error
    })
  }

  /** Runs `work` on the store; falls back to local knowledge while the store is down. */
  async function withStore<T>(
    work: () => Promise<T>,
    without: (localMode: LocalMode) => T,
  ): Promise<T> {
    const replayAndWork = async () => {
      if (localMode) {
        replaying ??= replayToStore(localMode).finally(() => {
          replaying = undefined
        })
        await replaying
      }
      const result = await work()
      if (localMode?.isReplayed) localMode = undefined
      return result
    }
    return withFallback(replayAndWork, () => {
      localMode ??= { since: now(), ids: new Set(), isReplayed: false }
      // The clock was ahead when this was recorded.
      if (localMode.since > now()) localMode.since = now()
      return without(localMode)
    })
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

  /** Returns true if the window may still include events counted in the store. */
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
    // Less than one event per window means one event in a longer window.
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

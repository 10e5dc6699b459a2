import { randomUUID } from 'node:crypto'
import { singleFlight } from '../clock.ts'
import { withFallback } from './store-error.ts'
import { maxWindowMs, type Limit, type Store, type Taken } from './store.ts'

/** Pause without the store. Other replicas may have used up the limit for this minute. */
const cooldownMs = 70_000

/** Returns the share of a limit that a replica may use on its own, possibly below one event. */
export type ShareOf = (limit: Limit, usedBefore: number) => number

/** Period without the store, during which a replica counts on its own. */
type Outage = {
  /** Milliseconds since the epoch. */
  since: number
  /** Events counted without the store. */
  readonly ids: Set<string>
  /** True after all events have been added to the store again, until the store is next used. */
  isReplayed: boolean
}

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
  const usedBefore = new Map<number, number>()
  /** All of this replica's events, with or without the store. */
  const own = new Map<string, number>()
  let outage: Outage | undefined

  /** Rejects while the store is down. */
  const replay = singleFlight(async () => {
    if (!outage || outage.isReplayed) return
    // Set first, because an event counted without the store during the replay requires another one.
    outage.isReplayed = true
    await windows.add(name, own).catch((error: unknown) => {
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

  function note(id: string, at: number): void {
    for (const [oldId, oldAt] of own) {
      if (oldAt > now() - maxWindowMs) break
      own.delete(oldId)
      outage?.ids.delete(oldId)
    }
    own.set(id, at)
  }

  function noteLocal(current: Outage, at: number): string {
    const id = randomUUID()
    note(id, at)
    current.ids.add(id)
    current.isReplayed = false
    return id
  }

  /** Returns true if the window may still include events counted in the store. */
  const isFirst = ({ since }: Outage, windowMs: number) => now() < since + windowMs

  const takenLocally = ({ ids }: Outage) => [...ids].flatMap((id) => own.get(id) ?? [])

  const countLocal = (current: Outage, windowMs: number) =>
    takenLocally(current).filter((at) => at > now() - windowMs).length

  function takeLocal(current: Outage, limits: readonly Limit[]): Taken {
    const waitsMs = limits.map((limit) => localWaitMs(current, limit))
    const retryAfterMs = Math.max(current.since + cooldownMs - now(), ...waitsMs)
    // The store may be back long before a day has passed.
    if (retryAfterMs > 0) return { ok: false, retryAfterMs: Math.min(retryAfterMs, cooldownMs) }
    const id = noteLocal(current, now())
    return { ok: true, id, used: limits.map(({ windowMs }) => countLocal(current, windowMs)) }
  }

  function localWaitMs(current: Outage, limit: Limit): number {
    const { windowMs, max } = limit
    const before = isFirst(current, windowMs) ? (usedBefore.get(windowMs) ?? max) : 0
    const share = shareOf(limit, before)
    if (share <= 0) return windowMs
    // A share of less than one event per window becomes one event in a longer window.
    const stretchedMs = share < 1 ? windowMs / share : windowMs
    const whole = Math.max(1, Math.floor(share))
    if (countLocal(current, stretchedMs) < whole) return 0
    const blocking = takenLocally(current).at(-whole) ?? now()
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
        (current) => takeLocal(current, limits),
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
        (current) => {
          for (const at of instants) noteLocal(current, at)
        },
      ),
    count: (windowMs) =>
      withStore(
        async () => {
          const used = await windows.count(name, windowMs)
          usedBefore.set(windowMs, used)
          return used
        },
        (current) => {
          const before = isFirst(current, windowMs) ? (usedBefore.get(windowMs) ?? 0) : 0
          return before + countLocal(current, windowMs)
        },
      ),
  }
}

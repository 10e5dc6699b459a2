import { randomUUID } from 'node:crypto'
import { maxWindowMs, type Limit, type Taken } from './store.ts'

/** Pause without the store. Other replicas may have used up the limit for this minute. */
const cooldownMs = 70_000

/** Returns the share of a limit that a replica may use on its own, possibly below one event. */
export type ShareOf = (limit: Limit, usedBefore: number) => number

/** Period without the store, during which a replica counts on its own. */
export type Outage = {
  /** Milliseconds since the epoch. */
  since: number
  /** Events counted without the store. */
  readonly ids: Set<string>
  /** True after all events have been added to the store again, until the store is next used. */
  isReplayed: boolean
}

/** A replica's part of a shared window. It counts on its own only during an outage of the store. */
export type LocalWindow = {
  /** All of this replica's events from the last day, with or without the store. */
  readonly own: ReadonlyMap<string, number>
  /** Remembers an event that the store has counted. */
  readonly note: (id: string, at: number) => void
  /** Remembers how many events of all replicas the store has counted in a window. */
  readonly setUsed: (windowMs: number, used: number) => void
  readonly forget: (id: string) => void
  readonly take: (outage: Outage, limits: readonly Limit[]) => Taken
  /** Counts an event without the store, and returns its id. */
  readonly add: (outage: Outage, at: number) => string
  readonly count: (outage: Outage, windowMs: number) => number
}

export function createLocalWindow(shareOf: ShareOf, now: () => number): LocalWindow {
  const usedBefore = new Map<number, number>()
  const own = new Map<string, number>()

  function note(id: string, at: number): void {
    for (const [oldId, oldAt] of own) {
      if (oldAt > now() - maxWindowMs) break
      own.delete(oldId)
    }
    own.set(id, at)
  }

  function add(current: Outage, at: number): string {
    const id = randomUUID()
    note(id, at)
    for (const old of current.ids) {
      if (own.has(old)) break
      current.ids.delete(old)
    }
    current.ids.add(id)
    current.isReplayed = false
    return id
  }

  /** Returns true if the window may still include events counted in the store. */
  const isFirst = ({ since }: Outage, windowMs: number) => now() < since + windowMs

  const takenIn = ({ ids }: Outage) => [...ids].flatMap((id) => own.get(id) ?? [])

  const countIn = (current: Outage, windowMs: number) =>
    takenIn(current).filter((at) => at > now() - windowMs).length

  function take(current: Outage, limits: readonly Limit[]): Taken {
    const waitsMs = limits.map((limit) => waitMsOf(current, limit))
    const retryAfterMs = Math.max(current.since + cooldownMs - now(), ...waitsMs)
    // The store may be back long before a day has passed.
    if (retryAfterMs > 0) return { ok: false, retryAfterMs: Math.min(retryAfterMs, cooldownMs) }
    const id = add(current, now())
    return { ok: true, id, used: limits.map(({ windowMs }) => countIn(current, windowMs)) }
  }

  function waitMsOf(current: Outage, limit: Limit): number {
    const { windowMs, max } = limit
    const before = isFirst(current, windowMs) ? (usedBefore.get(windowMs) ?? max) : 0
    const share = shareOf(limit, before)
    if (share <= 0) return windowMs
    // A share of less than one event per window becomes one event in a longer window.
    const stretchedMs = share < 1 ? windowMs / share : windowMs
    const whole = Math.max(1, Math.floor(share))
    if (countIn(current, stretchedMs) < whole) return 0
    const blocking = takenIn(current).at(-whole) ?? now()
    return Math.max(1, Math.ceil(blocking + stretchedMs - now()))
  }

  return {
    own,
    note,
    setUsed: (windowMs, used) => void usedBefore.set(windowMs, used),
    forget: (id) => void own.delete(id),
    take,
    add,
    count(current, windowMs) {
      const before = isFirst(current, windowMs) ? (usedBefore.get(windowMs) ?? 0) : 0
      return before + countIn(current, windowMs)
    },
  }
}

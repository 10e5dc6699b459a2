/** How a replica counts the events in a window. The transitions below are pure. */
export type WindowMode =
  /** Events are counted in the store. */
  | { readonly mode: 'shared' }
  /** The store is down, so this replica counts on its own. */
  | LocalMode
  /** All of this replica's events are in the store again, but the store has not been used since. */
  | (Outage & { readonly mode: 'replayed' })

type LocalMode = Outage & { readonly mode: 'local' }

type Outage = {
  /** When the outage began, in milliseconds since the epoch. */
  readonly since: number
  /** Events recorded since then. */
  readonly ids: ReadonlySet<string>
}

export const sharedMode: WindowMode = { mode: 'shared' }

export function storeLost(
  before: WindowMode,
  now: number,
): Exclude<WindowMode, { mode: 'shared' }> {
  if (before.mode === 'shared') return { mode: 'local', since: now, ids: new Set() }
  // The clock may have been ahead when the outage began.
  return { ...before, since: Math.min(before.since, now) }
}

/**
 * Records an event that is not in the store. `isKnown` returns false for events that are too old to
 * count.
 */
export function takenAlone(
  before: WindowMode,
  id: string,
  { now, isKnown }: { readonly now: number; readonly isKnown: (id: string) => boolean },
): LocalMode {
  const { since, ids } = storeLost(before, now)
  return { mode: 'local', since, ids: new Set([...ids].filter(isKnown).concat(id)) }
}

export function replayStarted(before: WindowMode): WindowMode {
  return before.mode === 'local' ? { ...before, mode: 'replayed' } : before
}

export function replayFailed(before: WindowMode): WindowMode {
  return before.mode === 'replayed' ? { ...before, mode: 'local' } : before
}

/** Ends the outage, unless an event was counted without the store in the meantime. */
export function storeUsed(before: WindowMode): WindowMode {
  return before.mode === 'local' ? before : sharedMode
}

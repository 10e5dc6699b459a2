/** A broken promise to subscribers. */
export type Violation = {
  /** When it was first seen, in simulated milliseconds since the epoch. */
  readonly at: number
  readonly service: string
  readonly feed: string
  /** Id of the entry, or an empty string if it is about the whole feed. */
  readonly entry: string
  readonly sentence: string
  /** Number of times it was seen. */
  readonly count: number
}

export type Violations = ReturnType<typeof createViolations>

/** Creates a list of violations. Calls `found` with the first one of each kind, feed and entry. */
export function createViolations(found: (violation: Violation) => void, now: () => number) {
  const known = new Map<string, Violation>()
  return {
    /** Counts violations of the same kind, feed and entry as one. */
    add(kind: string, violation: Omit<Violation, 'at' | 'count'>) {
      const { service, feed, entry } = violation
      const key = JSON.stringify([kind, service, feed, entry])
      const before = known.get(key)
      const after = before
        ? { ...before, count: before.count + 1 }
        : { ...violation, at: now(), count: 1 }
      known.set(key, after)
      if (!before) found(after)
    },
    all: (): readonly Violation[] => [...known.values()],
  }
}

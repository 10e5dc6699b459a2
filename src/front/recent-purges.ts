/** A fetch in progress. Its sequence number shows which purges came later. */
export type Fetch = Disposable & { readonly sequence: number }

type PurgeKind = 'expire' | 'remove'

export type RecentPurges = {
  readonly note: (kind: PurgeKind, key: string) => void
  readonly beginFetch: () => Fetch
  /** Returns true if one of these keys has been purged since the fetch began. */
  readonly isPurged: (kind: PurgeKind, keys: readonly string[], fetch: Fetch) => boolean
}

/**
 * Remembers purges while responses are being fetched, because a purge also applies to those. If
 * there are more than `maxPurges`, all responses that are being fetched count as purged.
 */
export function createRecentPurges(maxPurges: number): RecentPurges {
  /** Sequence of the latest purge of each kind and key. */
  const purgedAt = new Map<string, number>()
  let sequence = 0
  let forgottenAt = 0
  let fetches = 0

  return {
    note(kind, key) {
      sequence += 1
      if (fetches === 0) return
      if (purgedAt.size >= maxPurges) {
        purgedAt.clear()
        forgottenAt = sequence
      }
      purgedAt.set(`${kind} ${key}`, sequence)
    },
    beginFetch() {
      fetches += 1
      return {
        sequence,
        [Symbol.dispose]() {
          fetches -= 1
          if (fetches === 0) purgedAt.clear()
        },
      }
    },
    isPurged: (kind, keys, fetch) =>
      fetch.sequence < forgottenAt ||
      keys.some((key) => fetch.sequence < (purgedAt.get(`${kind} ${key}`) ?? 0)),
  }
}

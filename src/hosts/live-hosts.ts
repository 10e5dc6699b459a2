/** A host counts as gone if it has not announced itself for this long. */
export const hostMs = 8_000

export type LiveHosts = {
  /** Sorted URLs. */
  readonly members: () => readonly string[]
  /** Records that a host announced itself `ageMs` ago. The next update makes it a member. */
  readonly saw: (url: string, ageMs: number) => void
  /** Records that hosts that were alive at the last update still are. They could not announce it. */
  readonly pardon: () => void
  /** Removes the hosts that have not announced themselves, and adds those that have. */
  readonly update: () => void
  /** Removes a host that has left. */
  readonly remove: (url: string) => void
  /** Removes a member without calling `changed`. */
  readonly forget: (url: string) => void
}

/** Lists live hosts. `elapsed` returns milliseconds on a clock that never jumps. */
export function createLiveHosts(
  elapsed: () => number,
  changed: (members: readonly string[]) => void,
): LiveHosts {
  /** When each host was last known to be alive. Hosts that are gone are deleted. */
  const seenAt = new Map<string, number>()
  let members: readonly string[] = []

  function setMembers(latest: readonly string[]): void {
    if (latest.join() === members.join()) return
    members = latest
    changed(members)
  }

  const without = (url: string) => members.filter((host) => host !== url)
  return {
    members: () => members,
    saw: (url, ageMs) => void seenAt.set(url, elapsed() - ageMs),
    pardon() {
      for (const host of seenAt.keys()) seenAt.set(host, elapsed())
    },
    update() {
      for (const [host, at] of seenAt) if (elapsed() - at >= hostMs) seenAt.delete(host)
      setMembers([...seenAt.keys()].toSorted())
    },
    remove(url) {
      seenAt.delete(url)
      setMembers(without(url))
    },
    forget: (url) => void (members = without(url)),
  }
}

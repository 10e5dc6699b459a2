type Entry = {
  readonly client: string
  readonly begin: (leave: () => void) => void
}

export type Shares = {
  /**
   * Calls `begin` once there is a place, with a function that gives the place back. Returns a
   * function that stops waiting for it, which returns false if it has begun.
   */
  readonly enter: (client: string, begin: Entry['begin']) => () => boolean
}

/**
 * Divides places among clients. A client gets at most as many as are left over, so that a few
 * clients can't take all of them. The others wait in order.
 */
export function createShares(places: number): Shares {
  const taken = new Map<string, number>()
  const waiting = new Set<Entry>()
  let free = places

  const mayEnter = ({ client }: Entry) => (taken.get(client) ?? 0) < free

  function start({ client, begin }: Entry): void {
    free -= 1
    taken.set(client, (taken.get(client) ?? 0) + 1)
    let isInside = true
    begin(() => {
      if (isInside) leave(client)
      isInside = false
    })
  }

  function leave(client: string): void {
    free += 1
    const left = (taken.get(client) ?? 1) - 1
    if (left > 0) taken.set(client, left)
    else taken.delete(client)
    for (const entry of waiting) {
      if (free === 0) return
      if (mayEnter(entry) && waiting.delete(entry)) start(entry)
    }
  }

  return {
    enter(client, begin) {
      const entry = { client, begin }
      if (mayEnter(entry)) start(entry)
      else waiting.add(entry)
      return () => waiting.delete(entry)
    },
  }
}

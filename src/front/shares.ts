import { createSenderCounts, senderFrom, type Sender } from './counts.ts'

type Entry = { readonly sender: Sender; readonly begin: (leave: () => void) => void }

export type Shares = {
  /**
   * Calls `begin` once there is a place, with a function that gives the place back. Returns a
   * function that stops the wait. It returns false if `begin` has already been called.
   */
  readonly enter: (address: string, begin: Entry['begin']) => () => boolean
}

/**
 * Divides places among networks. Each gets another place only while it has fewer than are free, so
 * that a few networks can't take all of them. A network, which one person can own, gets at most
 * half of the places, and its clients divide that half in the same way. The other requests wait in
 * order.
 */
export function createShares(places: number): Shares {
  const counts = createSenderCounts()
  const waiting = new Set<Entry>()
  let free = places

  function mayEnter({ sender }: Entry): boolean {
    const taken = counts.ofNetwork(sender)
    return taken < free && counts.ofClient(sender) < places / 2 - taken
  }

  function start(entry: Entry): void {
    change(entry, 1)
    let isInside = true
    entry.begin(() => {
      if (isInside) leave(entry)
      isInside = false
    })
  }

  function change({ sender }: Entry, by: 1 | -1): void {
    free -= by
    counts.add(sender, by)
  }

  function leave(left: Entry): void {
    change(left, -1)
    for (const entry of waiting) {
      if (free === 0) return
      if (mayEnter(entry) && waiting.delete(entry)) start(entry)
    }
  }

  return {
    enter(address, begin) {
      const entry = { sender: senderFrom(address), begin }
      if (mayEnter(entry)) start(entry)
      else waiting.add(entry)
      return () => waiting.delete(entry)
    },
  }
}

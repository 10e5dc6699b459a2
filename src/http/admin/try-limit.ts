import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../../clock.ts'
import { clientOf, rememberedClients } from '../server/client-limit.ts'

const minuteMs = 60_000

/** Maximum number of failed attempts within any minute. */
export type TryLimits = {
  /** Per client: an IPv4 address or an IPv6 /64. */
  readonly ofClient: number
  /** In total. Known browsers and clients that have succeeded before are exempt. */
  readonly ofAll: number
}

/** Limits the number of failed attempts within any minute. */
export type TryLimit = {
  /**
   * Counts an attempt. Returns undefined if the attempt is allowed, and otherwise the wait in
   * milliseconds. A known browser has the same limit as a client, regardless of its address.
   */
  readonly take: (address: string, browserId?: string) => number | undefined
  /** Removes the latest attempt by a client and its browser from the count, because it succeeded. */
  readonly noteSuccess: (address: string, browserId?: string) => void
}

export function createTryLimit(clock: TimeSource, { ofClient, ofAll }: TryLimits): TryLimit {
  /** Times of recent attempts by each client and each known browser, oldest first. */
  const tries = new LRUCache<string, readonly number[]>(rememberedClients)
  const succeeded = new LRUCache<string, true>(rememberedClients)
  let triesOfAll: readonly number[] = []

  const recent = (times: readonly number[]) => times.filter((at) => at > clock.now() - minuteMs)

  /** Returns the time until another attempt is allowed, or undefined if it is allowed now. */
  function waitMs(times: readonly number[], max: number): number | undefined {
    const [first] = times
    if (first === undefined || times.length < max) return undefined
    return first + minuteMs - clock.now()
  }

  return {
    take(address, browserId) {
      const client = clientOf(address)
      const names = namesOf(client, browserId)
      const recentOf = (name: string) => recent(tries.get(name) ?? [])
      triesOfAll = recent(triesOfAll)
      // Known clients are exempt from the total limit. Otherwise, strangers could lock everyone out.
      const isKnown = browserId !== undefined || succeeded.has(client)
      const waits = [
        ...names.map((name) => waitMs(recentOf(name), ofClient)),
        isKnown ? undefined : waitMs(triesOfAll, ofAll),
      ].filter((wait) => wait !== undefined)
      if (waits.length > 0) return Math.max(...waits)
      for (const name of names) tries.set(name, [...recentOf(name), clock.now()])
      triesOfAll = [...triesOfAll, clock.now()]
      return undefined
    },
    noteSuccess(address, browserId) {
      const client = clientOf(address)
      const at = tries.get(client)?.at(-1)
      if (at === undefined) return
      for (const name of namesOf(client, browserId)) {
        tries.set(name, tries.get(name)?.slice(0, -1) ?? [])
      }
      triesOfAll = triesOfAll.toSpliced(triesOfAll.lastIndexOf(at), 1)
      succeeded.set(client, true)
    },
  }
}

function namesOf(client: string, browserId: string | undefined): readonly string[] {
  return browserId === undefined ? [client] : [client, `browser ${browserId}`]
}

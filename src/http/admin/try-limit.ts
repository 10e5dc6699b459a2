import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { clientOf, rememberedClients } from '../server/client-limit.ts'

const minuteMs = 60_000

/** Failures that are allowed within any minute. */
export type TryLimits = {
  /** Of one client: an IPv4 address or a /64 of IPv6. */
  readonly ofClient: number
  /** Of all other clients in total: not known browsers, nor clients that have succeeded before. */
  readonly ofAll: number
}

/** Limits how often something may fail within any minute. */
export type TryLimit = {
  /**
   * Counts a try. Returns undefined if it is allowed, else the wait in milliseconds. A browser that has
   * succeeded before, at whatever address, may fail as often as a client.
   */
  readonly take: (address: string, browserId?: string) => number | undefined
  /** Takes back the latest try of a client and its browser, since it did not fail. */
  readonly noteSuccess: (address: string, browserId?: string) => void
}

export function createTryLimit(
  clock: Pick<Clock, 'now'>,
  { ofClient, ofAll }: TryLimits,
): TryLimit {
  /** Times of the tries of each client and known browser in the last minute; the latest last. */
  const tries = new LRUCache<string, readonly number[]>(rememberedClients)
  const succeeded = new LRUCache<string, true>(rememberedClients)
  let triesOfAll: readonly number[] = []

  const recent = (times: readonly number[]) => times.filter((at) => at > clock.now() - minuteMs)

  /** How long until there are fewer tries than `most`. */
  function waitMs(times: readonly number[], most: number): number | undefined {
    const [first] = times
    if (first === undefined || times.length < most) return undefined
    return first + minuteMs - clock.now()
  }

  return {
    take(address, browserId) {
      const client = clientOf(address)
      const names = namesOf(client, browserId)
      const recentOf = (name: string) => recent(tries.get(name) ?? [])
      triesOfAll = recent(triesOfAll)
      // Or strangers could keep everybody out.
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

import type { Clock } from '../../clock.ts'
import { clientOf } from '../server/client-limit.ts'

const minuteMs = 60_000
const maxClients = 10_000

/** Failures that are allowed within any minute. */
export type TryLimits = {
  /** Of one client: an IPv4 address or a /64 of IPv6. */
  readonly ofClient: number
  /** Of all clients together, but not of those that once succeeded. */
  readonly ofAll: number
}

/** Limits how often something may fail within any minute. */
export type TryLimit = {
  /** Counts a try. Returns undefined if it is allowed, else the wait in milliseconds. */
  readonly take: (address: string) => number | undefined
  /** Takes back the latest try of a client, since it did not fail. */
  readonly noteSuccess: (address: string) => void
}

export function createTryLimit(
  clock: Pick<Clock, 'now'>,
  { ofClient, ofAll }: TryLimits,
): TryLimit {
  /** Times of each client's tries in the last minute; the latest client last. */
  const tries = new Map<string, readonly number[]>()
  const succeeded = new Map<string, true>()
  let triesOfAll: readonly number[] = []

  const recent = (times: readonly number[]) => times.filter((at) => at > clock.now() - minuteMs)

  /** How long until there are fewer tries than `most`. */
  function waitMs(times: readonly number[], most: number): number | undefined {
    const [first] = times
    if (first === undefined || times.length < most) return undefined
    return first + minuteMs - clock.now()
  }

  return {
    take(address) {
      const client = clientOf(address)
      const own = recent(tries.get(client) ?? [])
      triesOfAll = recent(triesOfAll)
      const waits = [
        waitMs(own, ofClient),
        // Or strangers could keep everybody out.
        succeeded.has(client) ? undefined : waitMs(triesOfAll, ofAll),
      ].filter((wait) => wait !== undefined)
      if (waits.length > 0) return Math.max(...waits)
      putLast(tries, client, [...own, clock.now()])
      triesOfAll = [...triesOfAll, clock.now()]
      return undefined
    },
    noteSuccess(address) {
      const client = clientOf(address)
      const at = tries.get(client)?.at(-1)
      if (at === undefined) return
      putLast(tries, client, tries.get(client)?.slice(0, -1) ?? [])
      triesOfAll = triesOfAll.toSpliced(triesOfAll.lastIndexOf(at), 1)
      putLast(succeeded, client, true)
    },
  }
}

/** Drops the entry that was set longest ago when there are too many. */
function putLast<T>(entries: Map<string, T>, client: string, value: T): void {
  entries.delete(client)
  entries.set(client, value)
  const [oldest] = entries.size > maxClients ? entries.keys() : []
  if (oldest !== undefined) entries.delete(oldest)
}

import type { Clock } from '../../clock.ts'
import { clientOf } from '../client-limit.ts'

const minuteMs = 60_000
const maxClients = 10_000

/** Limits how often one client may try something within any minute. */
export type TryLimit = {
  /** Undefined when it may; else how long it has to wait, in milliseconds. */
  readonly take: (address: string) => number | undefined
}

export function createTryLimit(clock: Pick<Clock, 'now'>, most: number): TryLimit {
  /** When each has tried, in the last minute that it did; the latest client last. */
  const tries = new Map<string, readonly number[]>()
  return {
    take(address) {
      const client = clientOf(address)
      const now = clock.now()
      const recent = (tries.get(client) ?? []).filter((at) => at > now - minuteMs)
      const [first] = recent
      if (first !== undefined && recent.length >= most) return first + minuteMs - now
      tries.delete(client)
      tries.set(client, [...recent, now])
      const [oldest] = tries.size > maxClients ? tries.keys() : []
      if (oldest !== undefined) tries.delete(oldest)
      return undefined
    },
  }
}

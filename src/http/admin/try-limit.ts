import { LRUCache } from 'lru-cache'
import { minuteMs, type TimeSource } from '../../clock.ts'
import { clientOf, rememberedClients } from '../server/client-limit.ts'

/**
 * Key for attempts by all clients together. Attempts are also counted per client and per known
 * browser.
 */
const everyone = 'all'

/**
 * Limits the number of failed attempts within any minute. `ofClient` is the limit for an IPv4 address, an
 * IPv6 /64, or a known browser, regardless of its address. `ofAll` is the limit in total.
 */
export function createTryLimit(
  clock: TimeSource,
  { ofClient, ofAll }: { readonly ofClient: number; readonly ofAll: number },
) {
  /** Times of recent failures, oldest first. */
  const failures = new LRUCache<string, readonly number[]>(rememberedClients)
  const succeeded = new LRUCache<string, true>(rememberedClients)

  const recent = (key: string) =>
    (failures.get(key) ?? []).filter((at) => at > clock.now() - minuteMs)

  function waitMs(key: string, max: number): number {
    const at = recent(key).at(-max)
    return at === undefined ? 0 : at + minuteMs - clock.now()
  }

  return {
    /** Returns the wait in milliseconds, which is 0 if an attempt is allowed now. */
    waitMs: (address: string, browserId?: string): number => {
      // Known clients are exempt from the total limit. Otherwise, strangers could lock everyone out.
      const isKnown = browserId !== undefined || succeeded.has(clientOf(address))
      const waits = keysOf(address, browserId).map((key) => waitMs(key, ofClient))
      return Math.max(...waits, isKnown ? 0 : waitMs(everyone, ofAll))
    },
    noteFailure: (address: string, browserId?: string): void => {
      for (const key of [everyone, ...keysOf(address, browserId)]) {
        failures.set(key, [...recent(key), clock.now()])
      }
    },
    noteSuccess: (address: string) => void succeeded.set(clientOf(address), true),
  }
}

const keysOf = (address: string, browserId?: string) =>
  browserId === undefined ? [clientOf(address)] : [clientOf(address), `browser ${browserId}`]

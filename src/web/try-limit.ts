import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import { withFallback } from '../store/store-error.ts'
import type { RateLimiter } from '../store/store.ts'
import { takeFromAll, type Counted } from '../store/take-from-all.ts'
import { clientOf } from '../front/client-address.ts'
import { rememberedClients } from './client-limit.ts'

/**
 * Maximum numbers of failed attempts within a window. `ofClient` is the limit for an IPv4 address,
 * an IPv6 /64, or a known browser, regardless of its address. `ofAll` is the limit in total, which
 * stops botnets.
 */
export type TryLimits = {
  readonly windowMs: number
  readonly ofClient: number
  readonly ofAll: number
}

export type Attempt =
  | {
      readonly ok: true
      /** Stops counting the attempt. */
      readonly succeeded: () => Promise<void>
    }
  | { readonly ok: false; readonly retryAfterMs: number }

export type TryLimit = {
  /** Counts an attempt, unless that would exceed a limit. `browserId` is that of a known browser. */
  readonly begin: (address: string, browserId?: string) => Promise<Attempt>
}

/**
 * Limits failed attempts to guess a password. The store counts those on all replicas, and keeps
 * them across restarts. While it is down, each replica counts its own.
 */
export function createTryLimit(options: {
  /** What is guessed. */
  readonly name: string
  readonly limits: TryLimits
  /** If undefined, only tries in this process count. */
  readonly windows?: RateLimiter
  readonly clock: TimeSource
}): TryLimit {
  const { name, limits, windows: shared, clock } = options
  const { windowMs, ofClient, ofAll } = limits
  const local = createLocalWindows(clock)
  /** When each full window of the store has room again, so that attempts until then do not reach it. */
  const fullUntil = new LRUCache<string, number>(rememberedClients)
  const known = new LRUCache<string, true>(rememberedClients)

  return {
    async begin(address, browserId) {
      const client = clientOf(address)
      // Known clients are exempt from the total limit. Otherwise, strangers could lock everyone out.
      const isKnown = browserId !== undefined || known.has(client)
      const counted = (windows: RateLimiter): readonly Counted[] => [
        { windows, name: `${name} ${hashOf(client)}`, limits: [{ windowMs, max: ofClient }] },
        ...(browserId === undefined
          ? []
          : [
              {
                windows,
                name: `${name} ${hashOf(browserId)}`,
                limits: [{ windowMs, max: ofClient }],
              },
            ]),
        ...(isKnown ? [] : [{ windows, name, limits: [{ windowMs, max: ofAll }] }]),
      ]
      const windows = counted(local)
      const waits = windows.map((each) => (fullUntil.get(each.name) ?? 0) - clock.now())
      const retryAfterMs = Math.max(...waits)
      // A longer wait means that the clock was ahead.
      if (retryAfterMs > 0 && retryAfterMs <= windowMs) return { ok: false, retryAfterMs }
      const here = await takeFromAll(windows)
      if (!here.ok) return here
      const everywhere = shared
        ? await withFallback(
            () => takeFromAll(counted(shared)),
            () => here,
          )
        : here
      if (!everywhere.ok) {
        fullUntil.set(everywhere.name, clock.now() + everywhere.retryAfterMs)
        await here.release()
        return everywhere
      }
      return {
        ok: true,
        async succeeded() {
          known.set(client, true)
          await here.release()
          await withFallback(everywhere.release)
        },
      }
    },
  }
}

/** Counts in memory. */
function createLocalWindows({ now }: TimeSource): RateLimiter {
  const events = new LRUCache<string, ReadonlyMap<string, number>>(rememberedClients)
  return {
    async take(name, limits) {
      const longestMs = Math.max(...limits.map(({ windowMs }) => windowMs))
      // Like the store, moves events to now if the clock was ahead.
      const recent = [...(events.get(name) ?? [])]
        .map(([id, at]) => [id, Math.min(at, now())] as const)
        .filter(([, at]) => at > now() - longestMs)
      const waits = limits.map(({ windowMs, max }) => {
        const [, at = -Infinity] = recent.at(-max) ?? []
        return at + windowMs - now()
      })
      const retryAfterMs = Math.max(...waits)
      if (retryAfterMs > 0) {
        events.set(name, new Map(recent))
        return { ok: false, retryAfterMs }
      }
      const id = randomUUID()
      events.set(name, new Map([...recent, [id, now()]]))
      return { ok: true, id, used: [] }
    },
    async release(name, id) {
      const left = new Map(events.get(name))
      left.delete(id)
      events.set(name, left)
    },
  }
}

/** Keeps addresses out of the store. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

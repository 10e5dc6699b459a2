import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { dayMs, hourMs, type Clock, type TimeSource } from '../clock.ts'
import { withFallback } from '../store/store-error.ts'
import type { Limit, RateLimiter } from '../store/store.ts'
import { takeFromAll, type Admission, type Counted } from '../store/take-from-all.ts'
import { clientOf, networkOf } from '../front/client-address.ts'
import { providerOf } from '../used-time.ts'
import { rememberedClients } from './client-limit.ts'

/**
 * Maximum numbers of failed attempts within a window. `ofClient` is the limit for an IPv4 address,
 * an IPv6 /64, or a known browser, regardless of its address. `ofNetwork` is the limit for an IPv4
 * /24 or an IPv6 /48. `ofAll` is the limit for all together, which stops botnets. Unknown clients that
 * reach it wait for up to `maxWaitMs`. Networks with fewer failures go first, and among those, the
 * ones whose first attempt was earlier. So a network without failures that tries again is delayed at
 * most by the networks that came before it, no matter how many others follow.
 *
 * `firstPerHour` reserves attempts per hour for networks with few failures: the first number for each
 * network's first failure of the day, the second for its second one, and so on. `ofAll` does not limit
 * these, so networks that keep failing cannot delay the others.
 */
export type TryLimits = {
  readonly windowMs: number
  readonly ofClient: number
  readonly ofNetwork: number
  readonly ofAll: number
  readonly firstPerHour?: readonly number[]
  readonly maxWaitMs: number
}

type Windows = readonly Omit<Counted, 'windows'>[]

type Sender = {
  readonly client: string
  readonly network: string
  readonly browserId: string | undefined
}

/** The total limit is divided among parts of the window, so that nobody waits for a whole window. */
const partsOfWindow = 12

/** Part of the places in `firstPerHour` that the networks of one provider may use. */
const partOfProvider = 1 / 10

/** Maximum number of waiting attempts on all sites, because each is a request in progress. */
const maxWaiting = 16

/** Interval at which a waiting attempt tries again. */
const waitPollMs = 250

/** Attempts of a network, including refused ones. */
type Tries = {
  readonly failures: number
  /** When the first one began, in milliseconds since the epoch. */
  readonly since: number
}

type Waiting = Tries & {
  /** Windows of the limit for which the attempt waits. */
  readonly windows: RateLimiter
  readonly network: string
}

/** Attempts of all sites in the process that wait for a place within a total limit. */
const waiting = new Set<Waiting>()

/** Negative if `a` goes before `b`. */
function inOrder(a: Tries, b: Tries): number {
  return a.failures - b.failures || a.since - b.since
}

/** Returns true if another attempt from the same network is waiting for the same limit. */
function isRepeated({ windows, network }: Waiting): boolean {
  return [...waiting].some((other) => other.windows === windows && other.network === network)
}

/**
 * Adds a waiting attempt. If there are too many, replaces the last one, provided that the new one goes
 * before it. Returns false if the attempt is not added: if none is replaced, or if the network already
 * waits for the same limit. Attempts that began at the same time are recognized only here.
 */
function startWaiting(attempt: Waiting): boolean {
  if (isRepeated(attempt)) return false
  if (waiting.size >= maxWaiting) {
    const last = [...waiting].sort(inOrder).at(-1)
    if (!last || inOrder(last, attempt) <= 0) return false
    waiting.delete(last)
  }
  waiting.add(attempt)
  return true
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
  readonly clock: Clock
}): TryLimit {
  const { name, limits, windows: shared, clock } = options
  const { windowMs, ofClient, ofNetwork, ofAll, firstPerHour = [], maxWaitMs } = limits
  const local = createLocalWindows(clock)
  /** When each full window of the store has room again, so that attempts until then do not reach it. */
  const fullUntil = new LRUCache<string, number>(rememberedClients)
  const known = new LRUCache<string, true>(rememberedClients)
  /** By network. Forgotten a day after the latest attempt. */
  const tries = new LRUCache<string, Tries>({ ...rememberedClients, ttl: dayMs })

  /** Known clients are exempt from the total limit. Otherwise, strangers could lock everyone out. */
  const isKnown = ({ client, browserId }: Sender) => browserId !== undefined || known.has(client)

  const window = (key: string, limit: Limit) => ({ name: `${name}${key}`, limits: [limit] })

  /** Returns the windows in which every attempt counts. */
  function windowsOf(sender: Sender): Windows {
    const { client, network, browserId } = sender
    const ofTries = [client, ...(browserId === undefined ? [] : [browserId])].map((each) =>
      window(` ${hashOf(each)}`, { windowMs, max: ofClient }),
    )
    if (isKnown(sender)) return ofTries
    return [...ofTries, window(` ${hashOf(`network ${network}`)}`, { windowMs, max: ofNetwork })]
  }

  const ofAllWindow = window('', {
    windowMs: windowMs / partsOfWindow,
    max: Math.ceil(ofAll / partsOfWindow),
  })

  /** Returns the windows of each place that is set apart for a network's attempts in a day. */
  function placesOf(network: string): readonly Windows[] {
    return firstPerHour.map((max, index) => {
      const key = ` ${index + 1}`
      const ofProvider = { windowMs: hourMs, max: Math.ceil(max * partOfProvider) }
      return [
        window(`${key} ${hashOf(`network ${network}`)}`, { windowMs: dayMs, max: 1 }),
        window(`${key} ${hashOf(`provider ${providerOf(network)}`)}`, ofProvider),
        window(key, { windowMs: hourMs, max }),
      ]
    })
  }

  async function take(counted: Windows): Promise<Admission> {
    const waits = counted.map((each) => (fullUntil.get(each.name) ?? 0) - clock.now())
    const retryAfterMs = Math.max(...waits)
    // A longer wait means that the clock was ahead.
    if (retryAfterMs > 0 && retryAfterMs <= windowMs) {
      return { ok: false, name: counted[waits.indexOf(retryAfterMs)]?.name ?? name, retryAfterMs }
    }
    const within = (windows: RateLimiter) => counted.map((each) => ({ windows, ...each }))
    const here = await takeFromAll(within(local))
    if (!here.ok) return here
    const everywhere = shared
      ? await withFallback(
          () => takeFromAll(within(shared)),
          () => here,
        )
      : here
    if (!everywhere.ok) {
      const waitMs = Math.min(everywhere.retryAfterMs, windowMs)
      fullUntil.set(everywhere.name, clock.now() + waitMs)
      await here.release()
      return everywhere
    }
    return {
      ok: true,
      async release() {
        await here.release()
        await withFallback(everywhere.release)
      },
    }
  }

  function triesOf(network: string): Tries {
    const found = tries.get(network) ?? { failures: 0, since: clock.now() }
    tries.set(network, found)
    return found
  }

  /** Resolves to undefined if no reserved attempts are left for a network. */
  async function takeFirst(sender: Sender): Promise<Admission | undefined> {
    for (const places of placesOf(sender.network)) {
      const admission = await take([...places, ...windowsOf(sender)])
      if (admission.ok || places.every((each) => each.name !== admission.name)) return admission
    }
    return undefined
  }

  /** Waits for a place within the total limit. At most one attempt per network waits. */
  async function takeInTime(sender: Sender): Promise<Admission> {
    const { network } = sender
    const full = { ok: false, name, retryAfterMs: windowMs / partsOfWindow } as const
    const own = { windows: local, network, ...triesOf(network) }
    const others = () => [...waiting].filter((each) => each.windows === local && each !== own)
    if (isRepeated(own)) return full
    const until = clock.now() + maxWaitMs
    let isWaiting = false
    try {
      for (;;) {
        const isNext = others().every((other) => inOrder(own, other) <= 0)
        const admission = isNext ? await take([...windowsOf(sender), ofAllWindow]) : full
        if (admission.ok || admission.name !== name || clock.now() >= until) return admission
        if (isWaiting ? !waiting.has(own) : !startWaiting(own)) return full
        isWaiting = true
        await clock.sleep(waitPollMs)
      }
    } finally {
      waiting.delete(own)
    }
  }

  return {
    async begin(address, browserId) {
      const client = clientOf(address)
      const network = networkOf(address)
      const sender = { client, network, browserId }
      const admission = isKnown(sender)
        ? await take(windowsOf(sender))
        : ((await takeFirst(sender)) ?? (await takeInTime(sender)))
      if (!admission.ok) return admission
      const before = triesOf(network)
      tries.set(network, { ...before, failures: before.failures + 1 })
      return {
        ok: true,
        async succeeded() {
          known.set(client, true)
          tries.set(network, before)
          await admission.release()
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

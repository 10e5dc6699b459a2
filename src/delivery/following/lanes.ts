import { minuteMs, retryDelayMs } from '../../clock.ts'
import type { Follower, FollowMeans, MessageKind } from '../../followers/follower.ts'
import { maxFollowers } from '../../followers/follower-room.ts'
import type { Followers } from '../../followers/followers.ts'
import {
  knownServiceOf,
  pushServices,
  subscriptionFrom,
  type PushService,
} from '../../followers/push-subscription.ts'
import type { Sent } from './messages.ts'

/** Receiver of messages: the mail server, a well-known push service, or all other push services. */
export type LaneName = 'mail' | 'other' | PushService

/** Messages to one receiver. They never wait for the messages of another lane. */
export type Lane = {
  readonly name: LaneName
  readonly means: FollowMeans
  readonly atOnce: number
  /** Maximum number of messages per turn. Short turns notice new followers and changes soon. */
  readonly perTurn: number
  /** Reason of the latest failure. */
  reason?: string
  /** Consecutive failures of the whole service. */
  failures: number
  /** The first of these failures. */
  failure?: { readonly since: number; readonly reason: string } | undefined
  nextAt: number
  readonly nextOf: Map<MessageKind, number>
}

/** Emails are sent one at a time. */
const mailLimits = { atOnce: 1, perTurn: 100 }

const serviceLimits = { atOnce: 20, perTurn: 500 }

/** Anyone can make up such a service, and make it slow on purpose. */
const otherLimits = { atOnce: 20, perTurn: 100 }

const serviceRetries = { initialMs: minuteMs, maxMs: 60 * minuteMs }

export function createLanes(): readonly Lane[] {
  const lane = (name: LaneName, means: FollowMeans, limits: typeof mailLimits): Lane => {
    return { name, means, ...limits, failures: 0, nextAt: 0, nextOf: new Map() }
  }
  return [
    lane('mail', 'mail', mailLimits),
    ...pushServices.map((service) => lane(service, 'push', serviceLimits)),
    lane('other', 'push', otherLimits),
  ]
}

/** Records the result of a message. After a failure of the service, the lane waits. */
export function noteSent(lane: Lane, sent: Sent, now: number): void {
  if (!sent.ok && sent.failed === 'service') {
    lane.failures += 1
    lane.failure ??= { since: now, reason: sent.reason }
    const waitMs = retryDelayMs(serviceRetries, lane.failures)
    lane.nextAt = now + Math.max(waitMs, sent.retryAfterMs ?? 0)
    return
  }
  lane.failures = 0
  lane.failure = undefined
  if (!sent.ok) lane.reason = sent.reason
}

export type LaneOf = (follower: Follower) => LaneName | undefined

/** A site's devices and followers by email. */
const maxRemembered = 2 * maxFollowers

/**
 * Returns a function that returns a follower's lane, or undefined if the address cannot be
 * decrypted. It remembers the lanes, because decrypting thousands of addresses takes long.
 */
export function createLaneOf(addressOf: Followers['addressOf']): LaneOf {
  const lanes = new Map<string, LaneName | undefined>()

  function find(follower: Follower): LaneName | undefined {
    const address = addressOf(follower)
    if (address === undefined) return undefined
    if (follower.means === 'mail') return 'mail'
    return knownServiceOf(subscriptionFrom(address).endpoint) ?? 'other'
  }

  return (follower) => {
    const { address = '' } = follower
    if (!lanes.has(address)) {
      if (lanes.size >= maxRemembered) lanes.clear()
      lanes.set(address, find(follower))
    }
    return lanes.get(address)
  }
}

/** Runs `work` for each item, several at a time. After a failure, starts no more and rejects. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // Unlike an array's iterator, this one ends for all loops when one of them fails.
  const queue = items.values().take(items.length)
  async function takeTurns(): Promise<void> {
    for (const item of queue) await work(item)
  }
  const results = await Promise.allSettled(Array.from({ length: atOnce }, takeTurns))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

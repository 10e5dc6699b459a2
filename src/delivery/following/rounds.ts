import { dayMs, singleFlight } from '../../clock.ts'
import type { MessageTriggers } from '../../followers/due-message.ts'
import type { Follower } from '../../followers/follower.ts'
import { manyRefused, mostRefused } from '../../followers/refusal.ts'
import { newItems, type FoundItems } from '../notifications/change-webhooks.ts'
import type { OutboxContext } from '../notifications/outbox.ts'
import { createSoleSender } from '../notifications/sole-sender.ts'
import type { FoundChanges } from './followed-changes.ts'
import type { KnownFollowers } from './known-followers.ts'
import type { Lane, LaneOf } from './lanes.ts'
import type { CreateMessage } from './messages.ts'
import { parseState, stateBucket, type SendingState } from './sending-state.ts'

/** Much shorter than a replica's lease. */
const renewMs = 30_000

/** Limits of the stored changes. Older ones are no longer news. */
const maxFound = 500
const foundKeptMs = 7 * dayMs

export type RoundOptions = OutboxContext & {
  readonly createMessage: (found: FoundChanges) => CreateMessage
  readonly findChanges: (now: number) => Promise<FoundItems>
  readonly emergencySince: () => number | undefined
  readonly timeZone: string
}

/** Triggers of the messages due at a time, and the function that writes them. */
export type Round = { readonly triggers: MessageTriggers; readonly createMessage: CreateMessage }

export type Rounds = {
  /**
   * Finds changes, and loads the followers. Resolves to undefined if another replica sends. Lanes
   * share a round, so the followers may be older than a lane's latest messages.
   */
  readonly next: () => Promise<Round | undefined>
  /** Resolves to false if another replica may be sending. */
  readonly maySend: () => Promise<boolean>
  /** Returns true if so many messages are refused that the followers are probably not at fault. */
  readonly isRefused: (lane: Lane) => boolean
  /** Sets the number of due messages for the stored state. */
  readonly setWaiting: (count: number) => void
  readonly release: () => Promise<void>
}

/** Prepares the rounds of messages that this replica sends, and stores their state. */
export function createRounds(
  options: RoundOptions,
  known: KnownFollowers,
  { lanes, laneOf }: { readonly lanes: readonly Lane[]; readonly laneOf: LaneOf },
): Rounds {
  const { clock, log, signal, timeZone } = options
  const sender = createSoleSender(options, stateBucket, parseState)
  let refused: SendingState['refused']
  let refusedDevices: SendingState['refusedDevices']
  let waiting = 0
  let renewedAt = -Infinity
  let hasWarned = false

  async function prepare(): Promise<Round | undefined> {
    const before = await sender.take()
    if (!before) return undefined
    const now = clock.now()
    renewedAt = now
    const { sent, items } = newItems(before.sent, await options.findChanges(now), now)
    const recent = before.found.filter(({ at }) => at > now - foundKeptMs)
    const added = items.map(({ make }) => ({ item: make(), at: now }))
    const found = [...recent, ...added].slice(-maxFound)
    await known.load()
    refused = manyRefused([...known.all()], now)
    refusedDevices = refusedDevicesOf(lanes, Map.groupBy(known.all(), laneOf), {
      before: before.refusedDevices,
      now,
    })
    const unreadable = countUnreadable()
    const mailFailure = lanes.find(({ means }) => means === 'mail')?.failure
    const state = { sent, found, mailFailure, waiting, refused, refusedDevices, unreadable }
    if (!(await sender.save(state))) return undefined
    const emergencySince = options.emergencySince()
    const triggers = { now, timeZone, emergencySince, changesAfter: changesAfterIn(found) }
    return { triggers, createMessage: options.createMessage(found) }
  }

  /** Followers whose address was encrypted with another secret get nothing. */
  function countUnreadable(): number {
    const all = [...known.all()]
    const unreadable = all.filter((each) => each.address !== undefined && !laneOf(each)).length
    if (unreadable > 0 && !hasWarned) {
      log.warn({ unreadable }, 'some addresses of followers were stored with another MAIL_KEY')
    }
    hasWarned = unreadable > 0
    return unreadable
  }

  return {
    next: singleFlight(prepare),
    async maySend() {
      if (signal.aborted) return false
      if (Math.abs(clock.now() - renewedAt) < renewMs) return true
      renewedAt = clock.now()
      return sender.renew()
    },
    isRefused: ({ name, means }) =>
      means === 'mail'
        ? refused !== undefined
        : refusedDevices?.some(({ service }) => service === name) === true,
    setWaiting(count) {
      waiting = count
    },
    release: () => sender.release(),
  }
}

/** Finds the push services that refuse most devices. */
function refusedDevicesOf(
  lanes: readonly Lane[],
  devicesOf: ReadonlyMap<Lane['name'] | undefined, readonly Follower[]>,
  { before = [], now }: { readonly before: SendingState['refusedDevices']; readonly now: number },
): SendingState['refusedDevices'] {
  return lanes.flatMap(({ name, reason }) => {
    const found =
      name === 'mail' || name === 'other' ? undefined : mostRefused(devicesOf.get(name) ?? [])
    const earlier = before.find(({ service }) => service === name)
    return found
      ? [{ since: now, service: name, ...earlier, ...found, ...(reason && { reason }) }]
      : []
  })
}

function changesAfterIn(found: FoundChanges): MessageTriggers['changesAfter'] {
  return (since, feedIds) => {
    const after = found.filter(
      ({ at, item }) => at > since && (feedIds === undefined || feedIds.includes(item.feed)),
    )
    const [first, last] = [after[0], after.at(-1)]
    return first && last && { first: first.at, last: last.at }
  }
}

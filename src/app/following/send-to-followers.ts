import { setImmediate as handleRequests } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { dayMs, every, minuteMs, retryDelayMs, singleFlight } from '../../clock.ts'
import { dueMessage, type DueMessage, type MessageTriggers } from '../../followers/due-message.ts'
import type { Follower, FollowMeans, MessageKind } from '../../followers/follower.ts'
import type { Followers } from '../../followers/followers.ts'
import { manyRefused, mostRefused } from '../../followers/refusal.ts'
import { maxWindowMs, type Limit, type Taken } from '../../store/store.ts'
import { afterMessage, afterSending } from './after-sending.ts'
import { newItems, type FoundItems } from '../notifications/change-webhooks.ts'
import { sendingSignal, type OutboxContext } from '../notifications/outbox.ts'
import { createSoleSender } from '../notifications/sole-sender.ts'
import type { FoundChanges } from './followed-changes.ts'
import { createLaneOf, createLanes, forEachAtOnce, type Lane } from './lanes.ts'
import type { CreateMessage, FollowMessage, FollowUrls, Transport } from './messages.ts'
import { parseState, stateBucket, type SendingState } from './sending-state.ts'

const pollMs = 15_000

/** Much shorter than a replica's lease. */
const renewMs = 30_000

/** Limits of the stored changes. Older ones are no longer news. */
const maxFound = 500
const foundKeptMs = 7 * dayMs

/**
 * Parts of the messages per day after which messages of a kind wait, so that the others of the day are
 * for more urgent ones.
 */
const dailyShares: Partial<Record<MessageKind, number>> = {
  emergency: 1,
  confirm: 0.95,
  welcome: 0.95,
}
const usualShare = 0.9

const oneAtATime = pLimit(1)

/** Messages are encrypted one at a time, and the process handles pending requests in between. */
const takeTurn = () => oneAtATime(() => handleRequests())

const notCreatedRetryMs = 5 * minuteMs

const serviceRetries = { initialMs: minuteMs, maxMs: 60 * minuteMs }

export type FollowingOptions = OutboxContext & {
  readonly followers: Followers
  readonly transports: Partial<Record<FollowMeans, Transport>>
  readonly createMessage: (found: FoundChanges) => CreateMessage
  readonly urlsFor: (follower: Follower) => FollowUrls
  /** Returns the feeds that a follower has chosen and may read now. */
  readonly feedIdsOf: (follower: Follower) => readonly string[]
  /** Returns false for followers of links that have ended. */
  readonly mayFollow: (follower: Follower) => boolean
  readonly findChanges: (now: number) => Promise<FoundItems>
  readonly emergencySince: () => number | undefined
  readonly timeZone: string
  /** Counts a message of this kind, unless that would exceed the limit. */
  readonly takeFromDay: (means: FollowMeans, limit: Limit) => Promise<Taken>
}

/** Triggers of the messages due at a time, and the function that writes them. */
type Round = { readonly triggers: MessageTriggers; readonly createMessage: CreateMessage }

type Due = { readonly follower: Follower; readonly message: DueMessage }

/**
 * Sends the due messages until aborted, on one replica at a time. Records in each follower what was
 * sent. After a crash, repeats the message that was being sent, with the same id.
 */
export async function sendToFollowers(options: FollowingOptions): Promise<void> {
  const { followers, clock, log, signal, timeZone } = options
  const sender = createSoleSender(options, stateBucket, parseState)
  const sending = sendingSignal(signal)
  const lanes = createLanes()
  const laneOf = createLaneOf(followers.addressOf)
  const running = new Map<Lane, Promise<void>>()
  let mailFailure: SendingState['mailFailure']
  let waiting = 0
  let refused: SendingState['refused']
  let refusedDevices: SendingState['refusedDevices']
  let known = new Map<string, Follower>()
  let knownVersion: number | undefined
  let renewedAt = -Infinity
  let hasWarned = false
  /** Functions that store results that could not be stored. */
  const unsaved = new Set<() => Promise<void>>()

  /** Finds changes, and loads the followers. Resolves to undefined if another replica sends. */
  async function prepare(): Promise<Round | undefined> {
    const before = await sender.take()
    if (!before) return undefined
    const now = clock.now()
    renewedAt = now
    const { sent, items } = newItems(before.sent, await options.findChanges(now), now)
    const recent = before.found.filter(({ at }) => at > now - foundKeptMs)
    const added = items.map(({ make }) => ({ item: make(), at: now }))
    const found = [...recent, ...added].slice(-maxFound)
    await load()
    refused = manyRefused([...known.values()], now)
    refusedDevices = findRefused(before.refusedDevices, now)
    const unreadable = countUnreadable()
    const state = { sent, found, mailFailure, waiting, refused, refusedDevices, unreadable }
    if (!(await sender.save(state))) return undefined
    const emergencySince = options.emergencySince()
    const triggers = { now, timeZone, emergencySince, ...changesIn(found) }
    return { triggers, createMessage: options.createMessage(found) }
  }

  /** Finds the push services that refuse most devices. */
  function findRefused(before: SendingState['refusedDevices'] = [], now: number): typeof before {
    const byLane = Map.groupBy(known.values(), laneOf)
    return lanes.flatMap(({ name, reason }) => {
      const found =
        name === 'mail' || name === 'other' ? undefined : mostRefused(byLane.get(name) ?? [])
      const earlier = before.find(({ service }) => service === name)
      return found
        ? [{ since: now, service: name, ...earlier, ...found, ...(reason && { reason }) }]
        : []
    })
  }

  /** Shared by the lanes, so the followers may be older than a lane's latest messages. */
  const nextRound = singleFlight(prepare)

  /** Loads the followers if they have changed, and deletes those whose link has ended. */
  async function load(): Promise<void> {
    for (const save of unsaved) await save()
    const version = await followers.version()
    if (version !== knownVersion) {
      known = new Map((await followers.all()).map((follower) => [follower.id, follower]))
    }
    knownVersion = version
    for (const [id, follower] of known) {
      if (options.mayFollow(follower)) continue
      await followers.remove(follower)
      known.delete(id)
    }
  }

  /** Starts the lanes with due messages that are not still sending earlier ones. */
  async function poll(): Promise<void> {
    const round = await nextRound()
    if (!round) return
    const due = dueNow(known.values(), round.triggers, options)
    for (const lane of lanes) {
      if (running.has(lane) || !due.some((each) => canSend(lane, each))) continue
      running.set(
        lane,
        run(lane, round).finally(() => running.delete(lane)),
      )
    }
    if (running.size === 0) waiting = due.length
  }

  /** Followers whose address was encrypted with another secret get nothing. */
  function countUnreadable(): number {
    const unreadable = [...known.values()].filter(
      (each) => each.address !== undefined && laneOf(each) === undefined,
    ).length
    if (unreadable > 0 && !hasWarned) {
      log.warn({ unreadable }, 'some addresses of followers were stored with another MAIL_KEY')
    }
    hasWarned = unreadable > 0
    return unreadable
  }

  /** Sends the due messages of a lane, in turns, until there are no more. */
  async function run(lane: Lane, first: Round): Promise<void> {
    try {
      for (let round: Round | undefined = first; round; round = await nextRound()) {
        const { triggers, createMessage } = round
        const due = dueNow(known.values(), triggers, options).filter((each) => canSend(lane, each))
        await forEachAtOnce(due.slice(0, lane.perTurn), lane.atOnce, (each) =>
          sendDue(lane, each, { triggers, createMessage }),
        )
        waiting = dueNow(known.values(), triggers, options).length
        if (due.length <= lane.perTurn || signal.aborted) return
      }
    } catch (error) {
      log.error({ err: error, lane: lane.name }, 'sending to followers failed')
    } finally {
      options.transports[lane.means]?.disconnect?.()
    }
  }

  /** Returns false for other lanes, while the service is down, or if the daily limit is reached. */
  function canSend({ name, means, nextAt, nextOf }: Lane, { follower, message }: Due): boolean {
    const startAt = Math.max(nextAt, nextOf.get(message.kind) ?? 0)
    const isOn = options.transports[means] !== undefined && clock.now() >= startAt
    return isOn && laneOf(follower) === name
  }

  /** Resolves to false if another replica may be sending. */
  async function maySend(): Promise<boolean> {
    if (signal.aborted) return false
    if (Math.abs(clock.now() - renewedAt) < renewMs) return true
    renewedAt = clock.now()
    return sender.renew()
  }

  async function sendDue(lane: Lane, planned: Due, { triggers, createMessage }: Round) {
    const { message: due } = planned
    const { means } = lane
    const transport = options.transports[means]
    if (lane.atOnce > 1) await takeTurn()
    if (!transport || !canSend(lane, planned) || !(await maySend())) return
    const follower = await followers.byId(planned.follower.id)
    const address = follower && followers.addressOf(follower)
    // Has stopped the messages in this turn, or was deleted because of no answer.
    if (!follower || address === undefined) return
    // Got the message after the followers were loaded.
    if (!isDeepStrictEqual(dueFor(follower, triggers, options), due)) return
    let message: FollowMessage | undefined
    try {
      message = await createMessage(follower, due)
    } catch (error) {
      log.error({ err: error, kind: due.kind }, 'a message to a follower could not be created')
      known.set(follower.id, { ...follower, nextAt: clock.now() + notCreatedRetryMs })
      return
    }
    if (!message) return record(follower, (each, now) => afterMessage(each, due, now))
    const max = Math.ceil(transport.maxPerDay * shareOf(due))
    const taken = await options.takeFromDay(means, { windowMs: maxWindowMs, max })
    if (!taken.ok) {
      lane.nextOf.set(due.kind, clock.now() + taken.retryAfterMs)
      return
    }
    const urls = options.urlsFor(follower)
    const sent = await transport.send(message, { address, urls }, sending)
    if (sending.aborted && !sent.ok) return
    const about = { means, kind: due.kind }
    if (sent.ok) log.info(about, 'message to a follower sent')
    else log.warn({ ...about, reason: sent.reason }, 'a message to a follower could not be sent')
    if (!sent.ok && sent.failed === 'service') {
      lane.failures += 1
      if (means === 'mail') mailFailure ??= { since: clock.now(), reason: sent.reason }
      const waitMs = retryDelayMs(serviceRetries, lane.failures)
      lane.nextAt = clock.now() + Math.max(waitMs, sent.retryAfterMs ?? 0)
      return
    }
    lane.failures = 0
    if (means === 'mail') mailFailure = undefined
    if (!sent.ok) lane.reason = sent.reason
    const mayReject =
      means === 'mail'
        ? refused === undefined
        : refusedDevices?.every(({ service }) => service !== lane.name) !== false
    await record(follower, (each, now) => afterSending(each, due, sent, { now, mayReject }))
  }

  /** Stores the result of a message, so that it is not sent again, or only later. */
  async function record(
    { id }: Follower,
    changed: (follower: Follower, now: number) => Follower | undefined,
  ): Promise<void> {
    const now = clock.now()
    const after = (follower: Follower | undefined) => follower && changed(follower, now)
    // Change the memory first. Otherwise, the message would be repeated while the store is down.
    const inMemory = after(known.get(id))
    if (inMemory) known.set(id, inMemory)
    else known.delete(id)
    const save = async () => {
      await followers.change(id, after)
      unsaved.delete(save)
    }
    await save().catch((error: unknown) => {
      unsaved.add(save)
      throw error
    })
  }

  await every(clock, pollMs, signal, () =>
    poll().catch((error: unknown) => log.error({ err: error }, 'sending to followers failed')),
  )
  await Promise.all(running.values())
  await sender.release()
}

/** Returns the due messages: the most urgent first, then those to followers who have waited longest. */
function dueNow(
  followers: Iterable<Follower>,
  triggers: MessageTriggers,
  options: FollowingOptions,
): readonly Due[] {
  const due: Due[] = []
  for (const follower of followers) {
    const message = dueFor(follower, triggers, options)
    if (message) due.push({ follower, message })
  }
  return due.toSorted(
    (a, b) =>
      shareOf(b.message) - shareOf(a.message) ||
      Number(a.follower.failures > 0) - Number(b.follower.failures > 0) ||
      a.follower.lastSentAt - b.follower.lastSentAt,
  )
}

function dueFor(
  follower: Follower,
  triggers: MessageTriggers,
  { feedIdsOf }: FollowingOptions,
): DueMessage | undefined {
  const choice = { ...follower.choice, feedIds: feedIdsOf(follower) }
  return dueMessage({ ...follower, choice }, triggers)
}

/** Returns the part of the messages per day after which this message waits. */
const shareOf = ({ kind }: DueMessage) => dailyShares[kind] ?? usualShare

function changesIn(found: FoundChanges): Pick<MessageTriggers, 'changesAfter'> {
  return {
    changesAfter(since, feedIds) {
      const after = found.filter(
        ({ at, item }) => at > since && (feedIds === undefined || feedIds.includes(item.feed)),
      )
      const [first, last] = [after[0], after.at(-1)]
      return first && last && { first: first.at, last: last.at }
    },
  }
}

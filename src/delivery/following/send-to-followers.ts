import { setImmediate as handleRequests } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { every, minuteMs } from '../../clock.ts'
import { dueMessage, type DueMessage, type MessageTriggers } from '../../followers/due-message.ts'
import type { Follower, FollowMeans, MessageKind } from '../../followers/follower.ts'
import { maxWindowMs, type Limit, type Taken } from '../../store/store.ts'
import { afterMessage, afterSending } from './after-sending.ts'
import { sendingSignal } from '../notifications/outbox.ts'
import { createKnownFollowers, type KnownFollowersOptions } from './known-followers.ts'
import { createLaneOf, createLanes, forEachAtOnce, noteSent, type Lane } from './lanes.ts'
import type { FollowMessage, FollowUrls, Transport } from './messages.ts'
import { createRounds, type Round, type RoundOptions } from './rounds.ts'

const pollMs = 15_000

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

export type FollowingOptions = RoundOptions &
  KnownFollowersOptions & {
    readonly transports: Partial<Record<FollowMeans, Transport>>
    readonly urlsFor: (follower: Follower) => FollowUrls
    /** Returns the feeds that a follower has chosen and may read now. */
    readonly feedIdsOf: (follower: Follower) => readonly string[]
    /** Counts a message of this kind, unless that would exceed the limit. */
    readonly takeFromDay: (means: FollowMeans, limit: Limit) => Promise<Taken>
  }

type Due = { readonly follower: Follower; readonly message: DueMessage }

/**
 * Sends the due messages until aborted, on one replica at a time. Records in each follower what was
 * sent. After a crash, repeats the message that was being sent, with the same id.
 */
export async function sendToFollowers(options: FollowingOptions): Promise<void> {
  const { followers, clock, log, signal } = options
  const sending = sendingSignal(signal)
  const lanes = createLanes()
  const laneOf = createLaneOf(followers.addressOf)
  const known = createKnownFollowers(options, clock)
  const rounds = createRounds(options, known, { lanes, laneOf })
  const running = new Map<Lane, Promise<void>>()
  const dueIn = ({ triggers }: Round) => dueNow(known.all(), triggers, options)

  /** Starts the lanes with due messages that are not still sending earlier ones. */
  async function poll(): Promise<void> {
    const round = await rounds.next()
    if (!round) return
    const due = dueIn(round)
    for (const lane of lanes) {
      if (running.has(lane) || !due.some((each) => canSend(lane, each))) continue
      running.set(
        lane,
        run(lane, round).finally(() => running.delete(lane)),
      )
    }
    if (running.size === 0) rounds.setWaiting(due.length)
  }

  /** Sends the due messages of a lane, in turns, until there are no more. */
  async function run(lane: Lane, first: Round): Promise<void> {
    try {
      for (let round: Round | undefined = first; round; round = await rounds.next()) {
        const current = round
        const due = dueIn(current).filter((each) => canSend(lane, each))
        await forEachAtOnce(due.slice(0, lane.perTurn), lane.atOnce, (each) =>
          sendDue(lane, each, current),
        )
        rounds.setWaiting(dueIn(current).length)
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

  async function sendDue(lane: Lane, planned: Due, { triggers, createMessage }: Round) {
    const { message: due } = planned
    const { means } = lane
    const transport = options.transports[means]
    if (lane.atOnce > 1) await takeTurn()
    if (!transport || !canSend(lane, planned) || !(await rounds.maySend())) return
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
      known.put({ ...follower, nextAt: clock.now() + notCreatedRetryMs })
      return
    }
    if (!message) return known.record(follower, (each, now) => afterMessage(each, due, now))
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
    noteSent(lane, sent, clock.now())
    if (!sent.ok && sent.failed === 'service') return
    const mayReject = !rounds.isRefused(lane)
    await known.record(follower, (each, now) => afterSending(each, due, sent, { now, mayReject }))
  }

  await every(clock, pollMs, signal, () =>
    poll().catch((error: unknown) => log.error({ err: error }, 'sending to followers failed')),
  )
  await Promise.all(running.values())
  await rounds.release()
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

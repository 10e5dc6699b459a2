import { z } from 'zod'
import { dayMs, every, minuteMs, retryDelayMs } from '../../clock.ts'
import { dueMessage, type DueMessage, type MessageTriggers } from '../../followers/due-message.ts'
import {
  followMeans,
  type Follower,
  type FollowMeans,
  type MessageKind,
} from '../../followers/follower.ts'
import type { Followers } from '../../followers/followers.ts'
import { manyRefused, rejected } from '../../followers/refusal.ts'
import { parsedJson } from '../../json.ts'
import { maxWindowMs, type Store } from '../../store/store.ts'
import {
  changeItem,
  newItems,
  nothingSent,
  sentChanges,
  type FoundItems,
} from '../notifications/change-webhooks.ts'
import { sendingSignal, type OutboxContext } from '../notifications/outbox.ts'
import { createSoleSender } from '../notifications/sole-sender.ts'
import type { FoundChanges } from './followed-changes.ts'
import type { CreateMessage, FollowMessage, FollowUrls, Sent, Transport } from './messages.ts'

const stateBucket = 'followers-state'

const pollMs = 15_000

/** Maximum number of messages per turn. Short turns notice new followers and changes soon. */
const messagesPerTurn = 100

/** Notifications sent at the same time, because some push services may not respond. */
const pushesAtOnce = 10

/** Limits of the stored changes. Older ones are no longer news. */
const maxFound = 500
const foundKeptMs = 7 * dayMs

/**
 * Parts of the messages per day after which messages of a kind wait, so that the others of the day are
 * for more urgent ones.
 */
const dailyShares: Partial<Record<MessageKind, number>> = { emergency: 1, confirm: 0.95 }
const usualShare = 0.9

const addressRetries = { initialMs: 5 * minuteMs, maxMs: dayMs / 2 }

/**
 * Number of failures in about a week. After that, an email address is rejected, and a device is
 * deleted, because its endpoint may never have existed.
 */
const maxFailures = 20

const serviceRetries = { initialMs: minuteMs, maxMs: 60 * minuteMs }

const stored = z.object({
  sent: sentChanges,
  /** Changes with the time when they were found. */
  found: z.array(z.object({ item: changeItem, at: z.number() })).readonly(),
  /** Set while the mail server accepts no emails. */
  mailFailure: z.object({ since: z.number(), reason: z.string() }).optional(),
  /** Number of messages that were due after the latest turn, because of a limit or a failure. */
  waiting: z.number().optional(),
  /** Number of followers whose mail servers refuse emails. Undefined if there are only a few. */
  refused: z.number().optional(),
})

type State = z.infer<typeof stored>

function parse(text: string): State {
  return stored.safeParse(parsedJson(text)).data ?? { sent: nothingSent, found: [] }
}

/** Resolves to what the replica that sends has last stored. */
export async function sendingState(
  documents: Pick<Store['documents'], 'get'>,
): Promise<Pick<State, 'mailFailure' | 'waiting' | 'refused'>> {
  return parse((await documents.get(stateBucket, 'state'))?.value ?? '')
}

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
  readonly store: Pick<Store, 'windows'>
}

/**
 * Sends the due messages until aborted, on one replica at a time. Records in each follower what was
 * sent. After a crash, repeats the message that was being sent, with the same id.
 */
export async function sendToFollowers(options: FollowingOptions): Promise<void> {
  const { followers, clock, log, signal, store } = options
  const sender = createSoleSender(options, stateBucket, parse)
  const sending = sendingSignal(signal)
  const services = new Map(
    followMeans.map((means) => [
      means,
      { failures: 0, nextAt: 0, nextOf: new Map<MessageKind, number>() },
    ]),
  )
  let mailFailure: State['mailFailure']
  let waiting = 0
  let refused: State['refused']
  let known: readonly Follower[] = []
  let knownVersion: number | undefined
  let hasWarned = false
  /** Functions that store results that could not be stored. */
  const unsaved = new Set<() => Promise<void>>()

  /** Sends due messages. Resolves to true if more can be sent now. */
  async function turn(): Promise<boolean> {
    const before = await sender.take()
    if (!before) return false
    const now = clock.now()
    const { sent, items } = newItems(before.sent, await options.findChanges(now), now)
    const recent = before.found.filter(({ at }) => at > now - foundKeptMs)
    const added = items.map(({ make }) => ({ item: make(), at: now }))
    const found = [...recent, ...added].slice(-maxFound)
    if (!(await sender.save({ sent, found, mailFailure, waiting, refused }))) return false
    await load()
    refused = manyRefused(known, now)
    const triggers = {
      ...options,
      now,
      emergencySince: options.emergencySince(),
      ...changesIn(found),
    }
    const createMessage = options.createMessage(found)
    const due = readable(dueNow(known, triggers).filter(canSend))
    for (const batch of batchesOf(due.slice(0, messagesPerTurn))) {
      if (signal.aborted || !(await sender.renew())) return false
      await Promise.all(
        batch.map(([follower, message]) => sendDue(follower, message, createMessage)),
      )
    }
    waiting = dueNow(known, triggers).length
    return due.length > messagesPerTurn
  }

  async function turns(): Promise<void> {
    try {
      while (await turn()) if (signal.aborted) return
    } catch (error) {
      log.error({ err: error }, 'sending to followers failed')
    } finally {
      for (const transport of Object.values(options.transports)) transport.disconnect?.()
    }
  }

  /** Loads the followers if they have changed, and deletes those whose link has ended. */
  async function load(): Promise<void> {
    for (const save of unsaved) await save()
    const version = await followers.version()
    if (version !== knownVersion) known = await followers.all()
    knownVersion = version
    const ended = known.filter((follower) => !options.mayFollow(follower))
    for (const follower of ended) await followers.remove(follower)
    known = known.filter((follower) => !ended.includes(follower))
  }

  /** Omits followers whose address was encrypted with another secret. They would fill each turn. */
  function readable(due: ReturnType<typeof dueNow>): typeof due {
    const found = due.filter(([follower]) => followers.addressOf(follower) !== undefined)
    const unreadable = due.length - found.length
    if (unreadable > 0 && !hasWarned) {
      log.warn({ unreadable }, 'some addresses of followers were stored with another MAIL_KEY')
    }
    hasWarned = unreadable > 0
    return found
  }

  /** Returns false while the service is down, or the daily limit is reached. */
  function canSend([{ means }, { kind }]: readonly [Follower, DueMessage]): boolean {
    const { nextAt = 0, nextOf } = services.get(means) ?? {}
    const startAt = Math.max(nextAt, nextOf?.get(kind) ?? 0)
    return options.transports[means] !== undefined && clock.now() >= startAt
  }

  async function sendDue(planned: Follower, due: DueMessage, createMessage: CreateMessage) {
    const { id, means } = planned
    const service = services.get(means)
    const transport = options.transports[means]
    if (!service || !transport || !canSend([planned, due])) return
    const follower = await followers.byId(id)
    const address = follower && followers.addressOf(follower)
    // Has stopped the messages in this turn, or was deleted because of no answer.
    if (!follower || address === undefined) return
    let message: FollowMessage | undefined
    try {
      message = await createMessage(follower, due)
    } catch (error) {
      log.error({ err: error, kind: due.kind }, 'a message to a follower could not be created')
      const nextAt = clock.now() + addressRetries.initialMs
      known = known.map((each) => (each.id === id ? { ...each, nextAt } : each))
      return
    }
    if (!message) return record(follower, due, { ok: true })
    const taken = await takeFromDay(means, due.kind, transport.maxPerDay)
    if (!taken.ok) {
      service.nextOf.set(due.kind, clock.now() + taken.retryAfterMs)
      return
    }
    const urls = options.urlsFor(follower)
    const sent = await transport.send(message, { address, urls }, sending)
    if (sending.aborted && !sent.ok) return
    const about = { means, kind: due.kind }
    if (sent.ok) log.info(about, 'message to a follower sent')
    else log.warn({ ...about, reason: sent.reason }, 'a message to a follower could not be sent')
    if (!sent.ok && sent.failed === 'service') {
      service.failures += 1
      if (means === 'mail') mailFailure ??= { since: clock.now(), reason: sent.reason }
      const waitMs = retryDelayMs(serviceRetries, service.failures)
      service.nextAt = clock.now() + Math.max(waitMs, sent.retryAfterMs ?? 0)
      return
    }
    service.failures = 0
    if (means === 'mail') mailFailure = undefined
    await record(follower, due, sent)
  }

  /** Counts a message, unless no more of its kind may be sent now. */
  function takeFromDay(means: FollowMeans, kind: MessageKind, perDay: number) {
    const max = Math.ceil(perDay * (dailyShares[kind] ?? usualShare))
    return store.windows.take(`follow ${means}`, [{ windowMs: maxWindowMs, max }])
  }

  /** Stores the result of a message, so that it is not sent again, or only later. */
  async function record({ id }: Follower, due: DueMessage, sent: Sent): Promise<void> {
    const now = clock.now()
    const after = (follower: Follower) =>
      afterSending(follower, due, sent, { now, mayReject: refused === undefined })
    // Change the memory first. Otherwise, the message would be repeated while the store is down.
    known = known.flatMap((each) => (each.id === id ? (after(each) ?? []) : each))
    const save = async () => {
      await followers.change(id, (follower) => follower && after(follower))
      unsaved.delete(save)
    }
    unsaved.add(save)
    await save()
  }

  await every(clock, pollMs, signal, turns)
  await sender.release()
}

/** Groups messages to send at the same time. Mail servers get one after another. */
function batchesOf<Due extends readonly [Follower, DueMessage]>(
  due: readonly Due[],
): readonly (readonly Due[])[] {
  const batches: Due[][] = []
  for (const message of due) {
    const [{ means }] = message
    const batch = batches.at(-1)
    const isSame = batch?.[0]?.[0].means === means
    if (batch && isSame && means === 'push' && batch.length < pushesAtOnce) batch.push(message)
    else batches.push([message])
  }
  return batches
}

/** Returns the due messages: the most urgent first, then those to followers who have waited longest. */
function dueNow(
  followers: readonly Follower[],
  triggers: MessageTriggers & Pick<FollowingOptions, 'feedIdsOf'>,
): readonly (readonly [Follower, DueMessage])[] {
  return followers
    .flatMap((follower) => {
      const choice = { ...follower.choice, feedIds: triggers.feedIdsOf(follower) }
      const due = dueMessage({ ...follower, choice }, triggers)
      return due ? [[follower, due] as const] : []
    })
    .toSorted(
      ([a, dueA], [b, dueB]) =>
        rankOf(dueA) - rankOf(dueB) ||
        Number(a.failures > 0) - Number(b.failures > 0) ||
        a.lastSentAt - b.lastSentAt,
    )
}

const rankOf = ({ kind }: DueMessage) => 1 - (dailyShares[kind] ?? usualShare)

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

function afterSending(
  follower: Follower,
  { kind, at }: DueMessage,
  sent: Sent,
  { now, mayReject }: { readonly now: number; readonly mayReject: boolean },
): Follower | undefined {
  if (sent.ok) {
    if (kind === 'confirm') {
      const { requested: _, ...rest } = follower
      // The link in the email contains the request, so nothing has to be stored.
      return follower.confirmedAt === undefined ? undefined : { ...rest, lastSentAt: now }
    }
    // The time to answer starts when the question is sent, not when it is due.
    const sentAt = kind === 'renewal' ? now : at
    const marked = { ...follower.sent, [kind]: sentAt }
    return { ...follower, sent: marked, lastSentAt: now, failures: 0, nextAt: 0 }
  }
  if (sent.failed === 'address') {
    // An expired subscription never works again. The browser creates a new one. Requests would fill
    // the store, because anyone can make them.
    const isKept = follower.means === 'mail' && follower.confirmedAt !== undefined
    return isKept ? rejected(follower, now) : undefined
  }
  const failures = follower.failures + 1
  if (failures >= maxFailures && follower.means === 'push') return undefined
  if (failures >= maxFailures && mayReject) return rejected(follower, now)
  const waitMs = Math.max(retryDelayMs(addressRetries, failures), sent.retryAfterMs ?? 0)
  return { ...follower, failures, nextAt: now + waitMs }
}

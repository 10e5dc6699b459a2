import { z } from 'zod'
import { dayMs, every, minuteMs, retryDelayMs, type Clock } from '../../clock.ts'
import { dueMessage, type DueMessage, type MessageTriggers } from '../../followers/due-message.ts'
import { followMeans, type Follower, type FollowMeans } from '../../followers/follower.ts'
import type { Followers } from '../../followers/followers.ts'
import { parsedJson } from '../../json.ts'
import type { Logger } from '../../log.ts'
import { maxWindowMs, type Store } from '../../store/store.ts'
import {
  changeItem,
  newItems,
  nothingSent,
  sentChanges,
  type FoundItems,
} from '../notifications/change-webhooks.ts'
import { sendingSignal } from '../notifications/outbox.ts'
import { createSoleSender } from '../notifications/sole-sender.ts'
import type { CreateMessage, FollowUrls, Sent, Transport } from './messages.ts'

const stateBucket = 'followers-state'

const pollMs = 15_000

/** Maximum number of messages per turn. Short turns notice new followers and changes soon. */
const messagesPerTurn = 100

/** Limits of the stored changes. Older ones are no longer news. */
const maxFound = 500
const foundKeptMs = 7 * dayMs

/** Share of the daily limit that is reserved for confirmations and emergencies. */
const reservedShare = 0.1

const addressRetries = { initialMs: 5 * minuteMs, maxMs: dayMs / 2 }
/**
 * About a week of failures. The device is then deleted, because its endpoint may never have
 * existed.
 */
const maxPushFailures = 20

const serviceRetries = { initialMs: minuteMs, maxMs: 60 * minuteMs }

const stored = z.object({
  sent: sentChanges,
  /** Changes with the time when they were found. */
  found: z.array(z.object({ item: changeItem, at: z.number() })).readonly(),
  /** Set while the mail server accepts no emails. */
  mailFailure: z.object({ since: z.number(), reason: z.string() }).optional(),
})

type State = z.infer<typeof stored>

function parse(text: string): State {
  return stored.safeParse(parsedJson(text)).data ?? { sent: nothingSent, found: [] }
}

/** Resolves to the current failure of sending emails on any replica, or undefined. */
export async function mailFailureIn(documents: Pick<Store['documents'], 'get'>) {
  return parse((await documents.get(stateBucket, 'state'))?.value ?? '').mailFailure
}

export type FoundChange = State['found'][number]

export type FollowingOptions = {
  readonly followers: Followers
  readonly transports: Partial<Record<FollowMeans, Transport>>
  readonly createMessage: (found: readonly FoundChange[]) => CreateMessage
  readonly urlsFor: (follower: Follower) => FollowUrls
  /** Returns the feeds that a follower has chosen and may read now. */
  readonly feedIdsOf: (follower: Follower) => readonly string[]
  /** Returns false for followers of links that have ended. */
  readonly mayFollow: (follower: Follower) => boolean
  readonly findChanges: (now: number) => Promise<FoundItems>
  readonly emergencySince: () => number | undefined
  readonly timeZone: string
  readonly store: Pick<Store, 'documents' | 'leases' | 'windows'>
  readonly holder: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly signal: AbortSignal
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
    followMeans.map((means) => [means, { failures: 0, nextAt: 0, nextRoutineAt: 0 }]),
  )
  let mailFailure: State['mailFailure']
  let known: readonly Follower[] = []
  let knownVersion: number | undefined

  async function turn(): Promise<void> {
    const before = await sender.take()
    if (!before) return
    const now = clock.now()
    const { sent, items } = newItems(before.sent, await options.findChanges(now), now)
    const recent = before.found.filter(({ at }) => at > now - foundKeptMs)
    const added = items.map(({ make }) => ({ item: make(), at: now }))
    const found = [...recent, ...added].slice(-maxFound)
    if (!(await sender.save({ sent, found, mailFailure }))) return
    await load()
    const triggers = {
      ...options,
      now,
      emergencySince: options.emergencySince(),
      ...changesIn(found),
    }
    const createMessage = options.createMessage(found)
    const due = dueNow(known, triggers).filter(canSend)
    for (const [follower, message] of due.slice(0, messagesPerTurn)) {
      if (signal.aborted || !(await sender.renew())) return
      await sendDue(follower, message, createMessage)
    }
  }

  /** Loads the followers if they have changed, and deletes those whose link has ended. */
  async function load(): Promise<void> {
    const version = await followers.version()
    if (version !== knownVersion) known = await followers.all()
    knownVersion = version
    const ended = known.filter((follower) => !options.mayFollow(follower))
    for (const follower of ended) await followers.remove(follower)
    known = known.filter((follower) => !ended.includes(follower))
  }

  /** Returns false while the service is down, or the daily limit is reached. */
  function canSend([{ means }, due]: readonly [Follower, DueMessage]): boolean {
    const { nextAt = 0, nextRoutineAt = 0 } = services.get(means) ?? {}
    const now = clock.now()
    return (
      options.transports[means] !== undefined &&
      now >= nextAt &&
      (isUrgent(due) || now >= nextRoutineAt)
    )
  }

  async function sendDue(follower: Follower, due: DueMessage, createMessage: CreateMessage) {
    const { means } = follower
    const service = services.get(means)
    const transport = options.transports[means]
    const address = followers.addressOf(follower)
    if (!service || !transport || address === undefined || !canSend([follower, due])) return
    const message = await createMessage(follower, due)
    if (!message) return record(follower, due, { ok: true })
    const max = Math.ceil(transport.maxPerDay * (isUrgent(due) ? 1 : 1 - reservedShare))
    const taken = await store.windows.take(`follow ${means}`, [{ windowMs: maxWindowMs, max }])
    if (!taken.ok) {
      service[isUrgent(due) ? 'nextAt' : 'nextRoutineAt'] = clock.now() + taken.retryAfterMs
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

  /** Stores the result, which decides whether and when the message is sent again. */
  async function record({ id }: Follower, due: DueMessage, sent: Sent): Promise<void> {
    const now = clock.now()
    const after = (follower: Follower) => afterSending(follower, due, sent, now)
    // Change the memory first. Otherwise, the message would be repeated while the store is down.
    known = known.flatMap((each) => (each.id === id ? (after(each) ?? []) : each))
    await followers.change(id, (follower) => follower && after(follower))
  }

  await every(clock, pollMs, signal, () =>
    turn().catch((error: unknown) => log.error({ err: error }, 'sending to followers failed')),
  )
  await sender.release()
}

/** Returns the due messages: urgent ones first, then those to followers who have waited longest. */
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
        Number(isUrgent(dueB)) - Number(isUrgent(dueA)) || a.lastSentAt - b.lastSentAt,
    )
}

const isUrgent = ({ kind }: DueMessage) => kind === 'confirm' || kind === 'emergency'

function changesIn(found: readonly FoundChange[]): Pick<MessageTriggers, 'changesAfter'> {
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
  now: number,
): Follower | undefined {
  if (sent.ok) {
    // The time to answer starts when the question is sent, not when it is due.
    const sentAt = kind === 'renewal' ? now : at
    const marked = { ...follower.sent, [kind]: sentAt }
    return { ...follower, sent: marked, lastSentAt: now, failures: 0, nextAt: 0 }
  }
  if (sent.failed === 'address') {
    // An expired subscription never works again. The browser creates a new one.
    if (follower.means === 'push') return undefined
    const { address: _, ...rest } = follower
    return { ...rest, rejectedAt: now }
  }
  const failures = follower.failures + 1
  if (follower.means === 'push' && failures >= maxPushFailures) return undefined
  const waitMs = Math.max(retryDelayMs(addressRetries, failures), sent.retryAfterMs ?? 0)
  return { ...follower, failures, nextAt: now + waitMs }
}
